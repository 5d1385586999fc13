import { existsSync } from "node:fs";
import { countOf } from "../../text/count.ts";
import type { CommandContext } from "../kit/context.ts";
import { isConverted } from "../kit/widgets/convert-file.ts";
import type { WidgetInput } from "../kit/widgets/inputs.ts";
import { createJudge } from "../kit/widgets/outcome.ts";

/** The files whose result is not there yet. */
export async function withoutSame(
  ctx: CommandContext,
  files: readonly WidgetInput[],
  destinations: ReadonlyMap<WidgetInput, string>,
  isStrict: boolean,
): Promise<readonly WidgetInput[]> {
  const there = files.filter((file) => existsSync(destinations.get(file) ?? ""));
  if (there.length === 0) return files;
  const judge = await createJudge(isStrict);
  const same = new Set<WidgetInput>();
  for (const input of there)
    if (await isConverted({ ctx, input, judge, isStrict }, destinations.get(input) ?? "")) same.add(input);
  if (same.size > 0) ctx.say.info(`${countOf(same.size, "file")} unchanged.`);
  return files.filter((file) => !same.has(file));
}

/** Asks before files are replaced. */
export async function confirmOverwrite(
  ctx: CommandContext,
  isInPlace: boolean,
  files: readonly WidgetInput[],
  destinations: ReadonlyMap<WidgetInput, string>,
): Promise<void> {
  const existing = isInPlace
    ? files.map(({ name }) => name)
    : files.map((file) => destinations.get(file) ?? "").filter((path) => existsSync(path));
  const [first] = existing;
  if (first === undefined) return;
  const what = existing.length === 1 ? first : countOf(existing.length, "file");
  await ctx.confirm({
    level: 1,
    action: isInPlace ? `Convert ${what} in place, with a backup of each changed file,` : `Overwrite ${what}`,
    where: "on this machine",
    name: what,
    items: existing,
  });
}
