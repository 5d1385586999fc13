import { option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { afterMs } from "../../kit/say/long-wait.ts";
import type { EntrySource } from "../entry.ts";

/** A queue that is away does not keep a listener from ending. */
const MOST_LEAVE_MS = 2_000;

/** Flags of the commands whose devices several processes share. */
export const groupOptions: readonly OptionSpec[] = [
  {
    name: "queue",
    value: "url",
    summary: "with --tag: share the devices with other listeners through this Redis queue",
    leadsAway: true,
  },
  {
    name: "group",
    value: "name",
    summary: "with a queue: share with the listeners of this name only",
    leadsAway: true,
  },
];

/** Flags that decide what is printed: listeners that differ in them share nothing. */
const decisive = ["group", "tag", "variable", "where"];

const isShared = (input: CommandInput): boolean => ["queue", "group"].some((name) => option(input, name) !== undefined);

/** Follows the part of the devices that falls to this listener, when they are shared; the work opens its own stream when not. */
export async function withGroup<T>(
  ctx: CommandContext,
  input: CommandInput,
  devices: readonly string[],
  work: (shared?: EntrySource) => Promise<T>,
): Promise<T> {
  if (!isShared(input)) return work();
  checkFlags(input);
  const [{ queueUrl, withQueues }, { Group }, { Listener }] = await Promise.all([
    import("../../kit/jobs/queue/connect.ts"),
    import("./group.ts"),
    import("./listener.ts"),
  ]);
  const name = decisive.map((flag) => option(input, flag) ?? [...optionList(input, flag)].sort());
  const follow = async (queues: Parameters<Parameters<typeof withQueues<T>>[2]>[0]): Promise<T> => {
    const group = new Group(queues, name, devices);
    await group.join();
    const listener = new Listener(ctx, group, optionList(input, "variable"));
    queues.redis.on("ready", () => listener.queueIsBack());
    try {
      return await work({ entries: listener.entries(), close: () => listener.close(), now: () => Date.now() });
    } finally {
      listener.close();
      await withinMs(MOST_LEAVE_MS, listener.leave());
    }
  };
  return withQueues(ctx, queueUrl(ctx, input), follow, true);
}

function checkFlags(input: CommandInput): void {
  const next = "Leave it out, or listen without --queue.";
  if (optionList(input, "tag").length === 0)
    throw usageError("--queue needs --tag.", {
      why: "Listeners share all devices with a tag.",
      next: "Add --tag key=value.",
    });
  for (const flag of ["since", "replay"])
    if (option(input, flag) !== undefined) throw usageError(`--${flag} and --queue cannot be used together.`, { next });
  if (optionFlag(input, "inspect")) {
    const why = "Messages of the inspector have no id, so two listeners could not tell whether both have them.";
    throw usageError("--inspect and --queue cannot be used together.", { why, next });
  }
}

/** Waits for work, but not for long, whatever becomes of it. */
function withinMs(ms: number, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const stopTimer = afterMs(ms, resolve);
    const end = (): void => {
      stopTimer();
      resolve();
    };
    work.then(end, end);
  });
}
