import type { Device } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { batchClient, batchDevice, pacedDevice, readingClient } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";

/** Writes records of one device. */
export interface DeviceWriter {
  send(records: readonly object[]): Promise<string>;
  edit(records: readonly object[]): Promise<string>;
  /** Ends connections that are kept open; absent where there are none. */
  close?(): Promise<void>;
}

interface DeviceToken {
  readonly name?: string;
  readonly token?: string;
  readonly permission?: string;
  readonly expire_time?: Date | string | null;
}

/**
 * A way to write to a device. The platform takes data from the device itself only, so one of its tokens is found and
 * used. An analysis token may hold the grant to write directly; it is tried where tokens may not be listed.
 *
 * @param isPaced whether the caller has a pace of its own, and waits by itself once the platform reports a limit
 */
export async function deviceWriter(ctx: CommandContext, id: string, isPaced = false): Promise<DeviceWriter> {
  const client = await readingClient(ctx);
  let tokens: readonly DeviceToken[];
  try {
    const fields = ["name", "token", "permission", "expire_time"] as const;
    tokens = await client.devices.tokenList(id, { fields: [...fields], amount: 100 });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    return directWriter(ctx, id);
  }
  const valid = tokens.filter((token) => isUsable(token, ctx.clock.now()));
  const usable = valid.find(({ permission }) => permission === "full") ?? valid[0];
  if (usable?.token === undefined) throw noUsableToken(id, tokens);
  ctx.say.detail(`Writing with the device token "${usable.name ?? "unnamed"}".`);
  return tokenWriter(await (isPaced ? pacedDevice : batchDevice)(ctx, usable.token));
}

/** Writes with a token of the device. */
export function tokenWriter(device: Device): DeviceWriter {
  return {
    send: (records) => device.sendData([...records] as Parameters<typeof device.sendData>[0]),
    edit: (records) => device.editData([...records] as Parameters<typeof device.editData>[0]),
  };
}

async function directWriter(ctx: CommandContext, id: string): Promise<DeviceWriter> {
  const { devices } = await batchClient(ctx);
  return {
    send: (records) => devices.sendDeviceData(id, [...records] as Parameters<typeof devices.sendDeviceData>[1]),
    edit: (records) => devices.editDeviceData(id, [...records] as Parameters<typeof devices.editDeviceData>[1]),
  };
}

function isUsable({ token, permission, expire_time: expires }: DeviceToken, nowMs: number): boolean {
  // Tokens that may do more than the own one are shown with asterisks.
  if (token === undefined || token.includes("*") || (permission !== "full" && permission !== "write")) return false;
  if (expires === undefined || expires === null || expires === "never") return true;
  const endMs = new Date(expires).getTime();
  return Number.isNaN(endMs) || endMs > nowMs;
}

function noUsableToken(id: string, tokens: readonly DeviceToken[]): Error {
  return new CommandError("The device has no token with write permission.", {
    code: "device.no_writing_token",
    exit: 5,
    why:
      tokens.length === 0
        ? "The platform only accepts data with a device token, and this device has none."
        : `None of its tokens (${tokens.length}) is valid and has the permission full or write.`,
    next: `Run "iot device token create ${id} --permission write".`,
  });
}
