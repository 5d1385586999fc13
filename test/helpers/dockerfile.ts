import { ValidationSeverity, validate } from "dockerfile-utils";

interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  readonly name: string;
  readonly image: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile, each with the instructions of the stage that it is based on. */
export function stagesOf(text: string): Stage[] {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, "")
    .replaceAll(/\\\n/g, " ")
    .split("\n");
  const stages: { name: string; image: string; instructions: Instruction[] }[] = [];
  for (const line of lines) {
    const [, name = "", rest = ""] = /^\s*(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name.toUpperCase() === "FROM") {
      const [, image = "", own = ""] = /^(\S+)(?:\s+as\s+(\S+))?/i.exec(rest) ?? [];
      const base = stages.find((stage) => stage.name === image);
      stages.push({ name: own, image: base?.image ?? image, instructions: [...(base?.instructions ?? [])] });
    } else if (name !== "") stages.at(-1)?.instructions.push({ name: name.toUpperCase(), text: rest });
  }
  return stages;
}

/** The words of an exec form (`["iot", "sandbox"]`); undefined for a shell form. */
export function execForm(text: string): readonly string[] | undefined {
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === "string") ? words : undefined;
  } catch {
    return undefined;
  }
}

/** The command of a HEALTHCHECK, without its flags. */
export const healthCommand = (text: string): string => text.replace(/^.*?\bCMD\s+/, "");

export const lastOf = ({ instructions }: Stage, name: string): string | undefined =>
  instructions.findLast((one) => one.name === name)?.text;

function problemsOfStage(stage: Stage): string[] {
  const { instructions, image } = stage;
  const at = (form: RegExp): number => instructions.findIndex(({ name, text }) => form.test(`${name} ${text}`));
  const problems: string[] = [];
  if (!/^[\w./-]+:\d[\w.-]*$/.test(image)) problems.push(`${image} has no version`);
  const user = lastOf(stage, "USER");
  if (user === undefined || /^(root|0)\b/.test(user)) problems.push("runs as root");
  const health = lastOf(stage, "HEALTHCHECK");
  const commands = [
    lastOf(stage, "ENTRYPOINT"),
    lastOf(stage, "CMD"),
    ...(health === undefined ? [] : [healthCommand(health)]),
  ];
  for (const command of commands.filter((text) => text !== undefined))
    if (execForm(command) === undefined) problems.push(`${command} is in shell form and would get no signals`);
  if (instructions.some(({ name, text }) => /^(ENV|ARG)$/.test(name) && /TOKEN|SECRET|PASSWORD/i.test(text)))
    problems.push("contains a secret");
  if (instructions.some(({ name }) => name === "ADD")) problems.push("uses ADD");
  const [manifest, install, sources] = [at(/^COPY .*package-lock\.json/), at(/^RUN npm ci/), at(/^COPY .*\. \.$/)];
  if (sources >= 0 && (manifest < 0 || install < manifest || sources < install))
    problems.push("installs again whenever a source file changes");
  return problems;
}

/** What a linter and our own rules find wrong with a Dockerfile. */
export function dockerfileProblems(text: string): string[] {
  const linted = validate(text, { instructionWorkdirRelative: ValidationSeverity.ERROR });
  const own = stagesOf(text).flatMap(problemsOfStage);
  return [
    ...new Set([...linted.map(({ message }) => (typeof message === "string" ? message : message.value)), ...own]),
  ];
}
