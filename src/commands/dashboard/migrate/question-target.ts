import type { CopyEntry, MigrationEngine, UsedThing, WizardChoices } from "../../../tui/migration-wizard/engine.ts";
import type { PlainPrompts } from "../../kit/ask/plain-prompts.ts";
import { messageOf } from "../../kit/resource/batch.ts";

/** Asks where the new widgets go. Undefined when the user left. */
export async function askTarget(
  engine: MigrationEngine,
  prompts: PlainPrompts,
  chosen: Pick<WizardChoices, "ids" | "excluded" | "edited">,
  labels: readonly string[],
): Promise<WizardChoices | undefined> {
  prompts.say("Step 4 of 6: target.");
  const mode = await targetMode(prompts, await engine.earlierCopies(chosen.ids));
  const name = mode === "copy" ? await copyName(prompts, engine, labels) : engine.defaultName;
  const replace = await replacements(engine, prompts, await engine.used(chosen.ids));
  const choices: WizardChoices = { ...chosen, mode, name, replace };
  await savePlan(engine, prompts, choices);
  const isAgreed = await prompts.select(
    mode === "copy"
      ? "Create the copy now?"
      : `Overwrite the widgets ${mode === "update" ? "of the earlier copy " : ""}in ${engine.where}?`,
    [
      { label: "No, leave", value: false },
      { label: "Yes", value: true },
    ],
  );
  return isAgreed ? choices : undefined;
}

function targetMode(prompts: PlainPrompts, copies: readonly CopyEntry[]): Promise<WizardChoices["mode"]> {
  const earlier = copies.slice(0, 1).map(({ label }) => {
    const what = copies.length === 1 ? `the earlier copy "${label}"` : `the ${copies.length} earlier copies`;
    return { label: `Update ${what}`, value: "update" as const };
  });
  return prompts.select("Where do the new widgets go?", [
    ...earlier,
    { label: "Create a new copy; keep the original", value: "copy" as const },
    { label: "In place", value: "in-place" as const },
  ]);
}

/** The name of the copy, or what is added to the names of several. */
async function copyName(
  prompts: PlainPrompts,
  engine: Pick<MigrationEngine, "defaultName" | "copyNames">,
  labels: readonly string[],
): Promise<string> {
  const { defaultName: usual } = engine;
  const [label = "", ...others] = labels;
  const [initial = ""] = engine.copyNames(usual, [label]);
  const name = others.length === 0 ? await prompts.text("Name of the copy?", { initial }) : undefined;
  if (name !== undefined) return name === initial ? usual : name;
  const added = await prompts.text("Text to add to the name of each copy?", {
    initial: usual.replace("%s", "").trim(),
  });
  return `%s ${added}`;
}

async function savePlan(engine: MigrationEngine, prompts: PlainPrompts, choices: WizardChoices): Promise<void> {
  const file = await prompts.text("Save as a plan? Enter a file name, or leave empty to skip:");
  if (file === "") return;
  try {
    prompts.say(`Plan saved. Apply it later with: ${engine.savePlan(file, choices)}`);
  } catch (error) {
    prompts.say(messageOf(error));
  }
}

async function replacements(
  engine: MigrationEngine,
  prompts: PlainPrompts,
  used: readonly UsedThing[],
): Promise<ReadonlyMap<string, UsedThing>> {
  const replace = new Map<string, UsedThing>();
  while (used.length > 0) {
    const things = used.map((thing) => {
      const other = replace.get(thing.id);
      const hint = other === undefined ? {} : { hint: `replaced by ${other.name}` };
      return { label: `${thing.kind} ${thing.name}`, value: thing, ...hint };
    });
    const question = "The widgets use these. Which one is to be replaced?";
    const thing = await prompts.select(question, [{ label: "None, continue", value: undefined }, ...things]);
    if (thing === undefined) break;
    const other = await replacement(engine, prompts, thing);
    if (other === undefined) replace.delete(thing.id);
    else replace.set(thing.id, other);
  }
  return replace;
}

async function replacement(
  engine: MigrationEngine,
  prompts: PlainPrompts,
  { kind, id, name }: UsedThing,
): Promise<UsedThing | undefined> {
  const text = await prompts.text(`Which ${kind} replaces "${name}" (${id})? Part of its name, or empty to keep it:`);
  if (text === "") return undefined;
  const found = (await engine.find(kind, text)).filter((each) => each.id !== id);
  if (found.length === 0) prompts.say(`No ${kind} matches.`);
  return prompts.select("Which one?", [
    ...found.map((each) => ({ label: each.name, hint: each.id, value: each })),
    { label: "Keep it", value: undefined },
  ]);
}
