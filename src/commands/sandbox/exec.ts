import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { runChild } from "../kit/process/run-child.ts";
import { programFolder, withPath } from "./child.ts";
import { checkFaults } from "./faults.ts";
import { allowOriginsFrom, behaviourFrom, behaviourOptions, explainStart } from "./options.ts";

/** Settings of the user that would lead away from the sandbox. */
const leftOut = ["IOT_ENV", "IOT_PROFILE", "IOT_REGION"];

const args = [
  { name: "command", summary: "the command and its arguments, after --", variadic: true },
] as const satisfies Arguments;

type Given = Input<typeof args, typeof behaviourOptions>;

async function exec(ctx: CommandContext, input: Given): Promise<number> {
  const command = input.args.command;
  if (command.length === 0)
    throw usageError("No command given.", { next: "Add it after --: iot sandbox exec -- npm test." });
  await checkFaults(input.options.fault);
  const options = {
    ...behaviourFrom(ctx, input),
    ...(await allowOriginsFrom(input.options.allowOrigin)),
    port: 0,
    ephemeral: true,
  };
  const { createSandbox } = await import("../../sandbox/index.ts");
  const { variablesOf } = await import("../../sandbox/console/variables.ts");
  const sandbox = await createSandbox(options).catch((error: unknown) => {
    throw explainStart(error, 0);
  });
  const [, program = ""] = process.argv;
  const programs = programFolder(program);
  try {
    ctx.say.detail(`Sandbox running at ${sandbox.url}.`);
    const kept = Object.entries(ctx.env).filter(([name]) => !leftOut.includes(name));
    const env = {
      ...Object.fromEntries(kept),
      ...variablesOf(sandbox),
      PATH: withPath(programs.path, ctx.env["PATH"]),
      // A proxy must not be asked for an address of this machine.
      NO_PROXY: [ctx.env["NO_PROXY"] ?? ctx.env["no_proxy"], "127.0.0.1,localhost"].filter(Boolean).join(","),
    };
    return await runChild({
      ...{ command, env, cwd: ctx.cwd, isOnTerminal: ctx.io.stdinIsTerminal },
      next: "Check the command after --.",
    });
  } finally {
    programs.remove();
    await sandbox.close();
  }
}

export const execCommand: Command = defineCommand({
  path: ["exec"],
  asks: "nothing",
  result: { shape: "none" },
  effect: "local",
  summary: "Run a command against a temporary sandbox",
  details:
    "Starts a sandbox on a free port, sets IOT_TOKEN, IOT_API_URL, IOT_EVENTS_URL, TAGOIO_API, TAGOIO_SSE, T_ANALYSIS_TOKEN, " +
    "IOT_SANDBOX_DEVICE_TOKEN, IOT_SANDBOX_ANALYSIS_TOKEN and IOT_SANDBOX_SECRET (for its routes below /__sandbox/), " +
    "with --tip also IOT_TIP_UDP, IOT_TIP_TCP and so on (see docs/tip.md), " +
    "with --tls also the variables that make Node, Python, curl, Go and Deno trust its certificate, " +
    "runs the command, stops the sandbox and exits with the command's exit code (128 + n for signal n).",
  args,
  options: behaviourOptions,
  passThrough: true,
  examples: [
    "iot sandbox exec -- iot device list",
    "iot sandbox exec --scenario factory -- iot device list",
    'iot sandbox exec --rate 5/s -- iot device watch "name:Freezer 1" --count 10',
    "iot sandbox exec --tls -- iot device list",
    "iot sandbox exec --tip -- iot device list --tag device_type=sensor",
    'iot sandbox exec --fault "latency=200ms GET /device" -- iot device list',
  ],
  related: ["iot sandbox start"],
  run: exec,
});
