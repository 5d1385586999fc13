import { serviceRoutes } from "../../lib/analysis/services/routes.ts";
import { buildAck, TipError } from "../../lib/tip/codec.ts";
import { serviceBodies } from "../../schema/analysis.ts";
import { invalidBody, PlatformError } from "../core/platform-error.ts";
import type { Resource } from "../resource.ts";
import { protocols, type TipOver } from "./commands.ts";
import { tipGaps } from "./gaps.ts";

/** A command that the protocol can carry. @throws PlatformError 400 */
function checkCommand(protocol: string, body: unknown): { readonly protocol: TipOver; readonly command: string } {
  const known = protocols.find((each) => each === protocol);
  if (known === undefined) throw invalidBody({ protocol: [`Must be one of ${protocols.join(", ")}`] });
  try {
    if (typeof body !== "string") throw new TipError("invalid_input", "The command must be a string");
    buildAck({ status: "CMD", detail: body });
    return { protocol: known, command: body };
  } catch (error) {
    if (!(error instanceof TipError)) throw error;
    throw invalidBody({ body: ["Must be a string without | and control characters, of up to 16 kB"] });
  }
}

/** Commands for devices. They go to the outbox, and to the device where the sandbox speaks its protocol. */
export const tipCommands: Resource = {
  gaps: tipGaps,
  serve: (app) => {
    const options = { tokens: ["service", "analysis"], rule: "free", body: serviceBodies.tagotip } as const;
    app.on(serviceRoutes.tagotip, options, ({ body, principal, profile }) => {
      const { serial } = body;
      const { protocol, command } = checkCommand(body.protocol, body.body);
      const device = app.tip?.service.senders.device(profile, serial)?.device;
      if (app.tip !== undefined && device === undefined) throw new PlatformError(404, "Device Not Found");
      const sender = principal.kind === "analysis" ? { analysis: principal.refId } : {};
      app.outbox.add("tagotip", { serial, protocol, body: command, profile, ...sender });
      if (device !== undefined) app.tip?.service.command(device, serial, protocol, command);
      return "TagoTiP command sent";
    });
  },
};
