import type { Rate } from "../../lib/core/rates.ts";
import { FRAME_MAX_BYTES, HEADER_BYTES } from "../../lib/tip/limits.ts";
import { type PerPlan, perPlan } from "../core/plans.ts";

const requests = /^$/;

/** Per minute and profile, over all transports together (docs/internals/platform/tip.md, Transports). */
export const pushRate: Rate = { name: "TagoTiP pushes", perMinute: perPlan(60, 500, 1_000), requests };
export const pullRate: Rate = { name: "TagoTiP pulls", perMinute: perPlan(60, 500, 1_000), requests };
export const subscribeRate: Rate = { name: "TagoTiP subscriptions", perMinute: perPlan(5, 50, 100), requests };

/** Connections of one address. */
export const connectionsPerAddress: PerPlan = perPlan(3, 10, 20);
/** Connections over MQTT of one profile. */
export const brokerConnections: PerPlan = perPlan(10, 50, 500);
/** How long a connection lives, whatever it does. */
export const lifeMs: PerPlan = perPlan(10_000, 10_000, 15_000);
/** How long a connection may be silent. */
export const SILENCE_MS = 5_000;
/** Connections of one transport, of all addresses. */
export const MAX_CONNECTIONS = 1_000;
/** Buffered for each connection, in each direction. */
export const MAX_BUFFERED_BYTES = 65_536;
/** The largest envelope that is looked at: text, header and the longer tag. */
export const MAX_ENVELOPE_BYTES: number = FRAME_MAX_BYTES + HEADER_BYTES + 16;
