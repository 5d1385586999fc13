import type { Transport, TransportRequest } from "../../lib/http/transport.ts";
import type { GlobalFlags } from "../kit/command/flags.ts";
import { quote } from "../kit/command/values.ts";
import type { Gate, Prompts, Target } from "../kit/context.ts";
import { CommandError, stoppedError, usageError } from "../kit/failures/command-error.ts";
import { isWritingTo } from "../kit/resource/writing.ts";

export interface GateSetup {
  readonly flags: Pick<GlobalFlags, "confirm">;
  readonly canPrompt: boolean;
  readonly prompts: () => Promise<Prompts>;
  readonly target: () => Promise<Target>;
  /** The target with its profile: `prod (Acme)`. A question may ask the platform for the profile, an error never does. */
  readonly where: (mayAsk: boolean) => Promise<string>;
  /** Environment whose name was given before this run: at the start of the server it is a call of. */
  readonly opened?: string | undefined;
}

/** The gate of one environment: in a protected one nothing is changed before its name was given. */
export function createGate(setup: GateSetup): Gate {
  const { flags, target, where } = setup;
  let isAnswered = false;

  /** Takes `--confirm`, else asks. */
  async function ask(what: string, envName: string): Promise<void> {
    const { confirm } = flags;
    if (confirm === envName) return;
    if (confirm !== undefined) {
      throw usageError(`--confirm ${quote(confirm)} is not the name of the environment.`, {
        code: "confirm.wrong_name",
        why: `${what} ${await where(false)}, which is protected.`,
        next: `Give --confirm ${quote(envName)} if that is what you want.`,
        confirm: envName,
      });
    }
    if (!setup.canPrompt) {
      throw usageError(`${what} ${await where(false)}, and needs a confirmation.`, {
        code: "confirm.needed",
        why: "The environment is protected, so its name is asked for, and there is no terminal to ask on.",
        next: `Add --confirm ${quote(envName)}.`,
        confirm: envName,
      });
    }
    const prompts = await setup.prompts();
    const typed = await prompts.text(`${what} ${await where(true)}, which is protected. Type ${envName} to continue:`);
    if (typed.trim() !== envName) throw wrongName(envName);
  }

  return {
    get isAnswered() {
      return isAnswered;
    },
    async isOpen() {
      const { isProtected, envName } = await target();
      return isAnswered || !isProtected || setup.opened === envName;
    },
    async pass(what) {
      if (await this.isOpen()) return;
      await ask(what, (await target()).envName);
      isAnswered = true;
    },
    async answer(name) {
      const { envName } = await target();
      if (name.trim() !== envName) throw wrongName(envName);
      isAnswered = true;
    },
  };
}

const wrongName = (envName: string): Error =>
  stoppedError("The name does not match; nothing was changed.", `The name to type is ${envName}.`);

/**
 * The transport of a command. While the gate is closed, it sends nothing that changes the environment: a command whose
 * effect is stated wrongly fails here.
 */
export function guardTransport(
  inner: () => Promise<Transport>,
  name: Transport["name"],
  gate: Gate,
  target: () => Promise<Target>,
): Transport {
  async function check(request: TransportRequest): Promise<void> {
    if (await gate.isOpen()) return;
    const { api, envName } = await target();
    if (!isWritingTo(api, request)) return;
    throw new CommandError(`The command tried to change the protected environment ${quote(envName)} without asking.`, {
      code: "confirm.not_asked",
      exit: 70,
      why: `A ${request.method} request would change something, and the name of the environment was not asked for. It was not sent.`,
    });
  }
  return {
    name,
    async send(request) {
      await check(request);
      return (await inner()).send(request);
    },
    async stream(request) {
      await check(request);
      return (await inner()).stream(request);
    },
  };
}
