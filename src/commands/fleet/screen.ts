import { cleanLine } from "../../text/clean.ts";
import type { FleetData, FleetDevice } from "../../tui/fleet/types.ts";
import type { LiveOptions } from "../../tui/live/types.ts";
import { screenColor } from "../kit/ask/terminal.ts";
import { lent } from "../kit/ask/terminal-lent.ts";
import type { CommandContext } from "../kit/context.ts";
import { LONGEST_TIMER_MS } from "../kit/long-wait.ts";
import { liveOptions } from "../kit/streams/follow.ts";
import { networkSource } from "../kit/streams/network-source.ts";
import { quietReasons } from "../kit/streams/waiting.ts";
import { mostUsed, statesText } from "./print.ts";
import type { Fleet } from "./read.ts";

interface FleetScreenChoice {
  readonly found: Fleet;
  read(isAsked: boolean): Promise<Fleet>;
  readonly refreshMs: number;
  readonly forMs: number | undefined;
}

/** Opens the screen of the fleet. */
export async function showFleet(ctx: CommandContext, choice: FleetScreenChoice): Promise<void> {
  const place = cleanLine(await ctx.where(), 100);
  const { openFleetScreen } = await import("../../tui/index.ts");
  const last = await lent(ctx.status, () =>
    openFleetScreen({
      place,
      data: shownFleet(choice.found),
      load: async (isAsked) => shownFleet(await choice.read(isAsked)),
      refreshMs: Math.min(choice.refreshMs, LONGEST_TIMER_MS),
      forMs: choice.forMs === undefined ? undefined : Math.min(choice.forMs, LONGEST_TIMER_MS),
      reasons: ({ id, name }, signal) => quietReasons(ctx, [{ id, subject: `"${name}"` }], signal),
      openDevice: (device) => deviceView(ctx, device, place),
      color: screenColor(ctx),
      ascii: ctx.flags.ascii,
      signal: ctx.signal,
    }),
  );
  ctx.say.info(statesText(last.devices));
}

/** As read, for people: every text cleaned and on one line. */
function shownFleet({ atMs, rows, plan, analyses, actions, problems }: Fleet): FleetData {
  return {
    atMs,
    devices: rows.map(({ id, name, state, last_input: input, battery, tags }) => ({
      id,
      name: cleanLine(name, 100),
      state,
      inputMs: input?.getTime(),
      battery: battery ?? undefined,
      tags: cleanLine(tags.map(({ key, value }) => `${key}=${value}`).join(" "), 300),
    })),
    plan: mostUsed(plan).map(({ service, percent }) => ({ service: cleanLine(service, 40), percent })),
    analyses: analyses.map(({ name, last_run: run, line }) => ({
      name: cleanLine(name, 100),
      atMs: run.getTime(),
      line: cleanLine(line, 300),
    })),
    actions: actions.map(({ name, last_triggered: date }) => ({ name: cleanLine(name, 100), atMs: date.getTime() })),
    problems: problems.map((problem) => cleanLine(problem, 300)),
  };
}

/** The live view of a device inside of the fleet's screen. */
async function deviceView(ctx: CommandContext, { id, name }: FleetDevice, place: string): Promise<LiveOptions> {
  const channels = [{ channel: "device_data", resource_id: id }] as const;
  const flags = { forMs: undefined, count: Number.POSITIVE_INFINITY, sinceMs: undefined, save: undefined };
  const source = await networkSource(ctx, channels, false);
  const wanted = { names: new Map([[id, name]]), variables: [] };
  const options = liveOptions(
    ctx,
    { channels, flags: { ...flags, replay: undefined, speed: 1 }, counts: "records" },
    { source, wanted, channelNames: ["device_data"], place },
  );
  return { ...options, isNested: true };
}
