import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { runChild } from "../kit/process/run-child.ts";
import { type OpenTip, openTip, tipDeviceArgument, tipOptions } from "../kit/tip/connect.ts";
import { tipFailure } from "../kit/tip/failures.ts";

interface Received {
  readonly time: string;
  readonly command: string;
}

const columns: readonly Column<Received>[] = [
  { key: "time", kind: "time" },
  { key: "command", rank: 1 },
];

const options = [
  { name: "once", summary: "stop after the first command" },
  { name: "for", kind: "duration", summary: "stop after this time" },
  {
    name: "exec",
    value: "line",
    summary: "run this in a shell for each command, which is in IOT_TIP_COMMAND",
    leadsAway: true,
  },
  ...tipOptions,
] as const satisfies Options;

type Given = Input<[typeof tipDeviceArgument], typeof options>;

export const listen = defineCommand({
  path: ["listen"],
  result: rows(columns),
  // It takes the commands that wait.
  effect: "changes",
  summary: "Print commands for a device as they come, by TagoTiP",
  details:
    "Over TCP, or MQTT with --over mqtt. The server ends each connection after 10 to 15 s; this opens the next one. Over UDP and HTTP a " +
    'device asks for its commands: see "iot tip ping".',
  args: [tipDeviceArgument],
  options,
  examples: [
    "iot tip listen serial:sensor-01 --for 1s",
    'iot tip listen serial:sensor-01 --for 1s --exec "echo $IOT_TIP_COMMAND"',
  ],
  exitCodes: [2, 3, 6, 7, 9, 143],
  related: ["iot tip command", "iot tip ping"],
  async run(ctx, input) {
    const { over } = input.options;
    if (over === "udp" || over === "http")
      throw usageError("Commands come over tcp and mqtt.", { next: 'Use "iot tip ping" over udp and http.' });
    const opened = await openTip(ctx, input, "tcp");
    const { serial } = opened.sender;
    if (await ctx.dryRun({ method: "PING", path: `tip:${opened.over}/${serial}` })) return;
    try {
      await ctx.out.list(commandsOf(ctx, input, opened), { columns, empty: "No commands came.", idKey: "command" });
    } finally {
      await opened.client.close();
    }
  },
});

async function* commandsOf(ctx: CommandContext, { options }: Given, { client }: OpenTip): AsyncGenerator<Received> {
  const over = options.for === undefined ? [] : [AbortSignal.timeout(options.for)];
  const signal = AbortSignal.any([ctx.signal, ...over]);
  try {
    for await (const command of client.commands({ signal })) {
      yield { time: new Date(ctx.clock.now()).toISOString(), command };
      if (options.exec !== undefined) await execute(ctx, options.exec, command);
      if (options.once) return;
    }
  } catch (error) {
    throw tipFailure(error);
  }
}

async function execute({ cwd, env, io }: CommandContext, line: string, command: string): Promise<void> {
  const shell = process.platform === "win32" ? ["cmd", "/c", line] : ["sh", "-c", line];
  await runChild({
    ...{ command: shell, cwd, isOnTerminal: io.stdinIsTerminal, next: "Check --exec." },
    env: { ...env, IOT_TIP_COMMAND: command },
  });
}
