import type { CopyEntry, MigrationEngine, UsedThing, WizardChoices } from "../../../tui/migration-wizard/engine.ts";
import type { Dialogue } from "../../kit/ask/dialogue.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { isLeaving, isNamed, numbersIn } from "./answers.ts";

/** Asks where the new widgets go. Undefined when the user left. */
export async function askTarget(
  engine: MigrationEngine,
  dialogue: Dialogue,
  chosen: Pick<WizardChoices, "ids" | "excluded" | "edited">,
  labels: readonly string[],
): Promise<WizardChoices | undefined> {
  const { say, ask } = dialogue;
  say("Step 4 of 6: target.");
  const mode = await targetMode(dialogue, await engine.earlierCopies(chosen.ids));
  if (mode === undefined) return undefined;
  const name = mode === "copy" ? await copyName(dialogue, engine.defaultName, labels) : engine.defaultName;
  const replace = await replacements(engine, dialogue, await engine.used(chosen.ids));
  const choices: WizardChoices = { ...chosen, mode, name, replace };
  const file = await ask("Save as a plan? Enter a file name, or leave empty to skip:");
  if (file !== "") {
    try {
      say(`Plan saved. Apply it later with: ${engine.savePlan(file, choices)}`);
    } catch (error) {
      say(messageOf(error));
    }
  }
  if (engine.nameToType !== undefined) return (await isNamed(engine, dialogue)) ? choices : undefined;
  const begin = await ask(
    mode === "copy"
      ? "Create the copy now? [y/N]"
      : `Overwrite the widgets ${mode === "update" ? "of the earlier copy " : ""}in ${engine.where}? [y/N]`,
  );
  return /^y(es)?$/i.test(begin) ? choices : undefined;
}

async function targetMode(
  { say, ask }: Dialogue,
  copies: readonly CopyEntry[],
): Promise<WizardChoices["mode"] | undefined> {
  const modes = [
    ...copies.slice(0, 1).map(({ label }) => {
      const what = copies.length === 1 ? `the earlier copy "${label}"` : `the ${copies.length} earlier copies`;
      return ["update", `Update ${what}`] as const;
    }),
    ["copy", "Create a new copy; keep the original"] as const,
    ["in-place", "In place"] as const,
  ];
  say(modes.map(([, words], i) => `${i + 1}. ${words}`).join("\n"));
  for (;;) {
    const answer = await ask("Which one? Default: 1.");
    if (isLeaving(answer)) return undefined;
    const [mode] = modes[answer === "" ? 0 : (numbersIn(answer, modes.length)[0] ?? -1)] ?? [];
    if (mode !== undefined) return mode;
  }
}

/** The name of the copy, or what is added to the names of several. */
async function copyName({ ask }: Dialogue, usual: string, labels: readonly string[]): Promise<string> {
  const [label = "", ...others] = labels;
  if (others.length === 0)
    return (await ask(`Name of the copy? Default: "${usual.replaceAll("%s", label)}":`)) || usual;
  const added = await ask(`Text to add to the name of each copy? Default: "${usual.replace("%s", "").trim()}":`);
  return added === "" ? usual : `%s ${added}`;
}

async function replacements(
  engine: MigrationEngine,
  dialogue: Dialogue,
  used: readonly UsedThing[],
): Promise<ReadonlyMap<string, UsedThing>> {
  const replace = new Map<string, UsedThing>();
  if (used.length === 0) return replace;
  dialogue.say("The widgets use:");
  for (;;) {
    const lines = used.map(({ kind, id, name }, i) => {
      const other = replace.get(id);
      return `${i + 1}. ${kind} ${name}${other === undefined ? "" : `, replaced by ${other.name}`}`;
    });
    dialogue.say(lines.join("\n"));
    const answer = await dialogue.ask("Number of the one to replace, or empty to continue:");
    if (answer === "") return replace;
    const thing = used[numbersIn(answer, used.length)[0] ?? -1];
    if (thing === undefined) continue;
    const other = await replacement(engine, dialogue, thing);
    if (other === undefined) replace.delete(thing.id);
    else replace.set(thing.id, other);
  }
}

async function replacement(
  engine: MigrationEngine,
  { say, ask }: Dialogue,
  { kind, id, name }: UsedThing,
): Promise<UsedThing | undefined> {
  for (;;) {
    const text = await ask(`Which ${kind} replaces "${name}" (${id})? Part of its name, or empty to keep it:`);
    if (text === "") return undefined;
    const found = (await engine.find(kind, text)).filter((each) => each.id !== id);
    if (found.length === 0) {
      say(`No ${kind} matches.`);
      continue;
    }
    say(found.map((each, i) => `${i + 1}. ${each.name} (${each.id})`).join("\n"));
    const [place] = numbersIn(await ask("Which one? Empty to search again:"), found.length);
    if (place !== undefined) return found[place];
  }
}
