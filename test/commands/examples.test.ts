import { resolve, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Command } from "../../src/commands/kit/command/define.ts";
import { changesPlatform, greatestEffect } from "../../src/commands/kit/command/effect.ts";
import { exitCodesOf } from "../../src/commands/kit/command/exit-codes.ts";
import { pathIn } from "../../src/commands/kit/command/file-form.ts";
import { sharedOptionsOf } from "../../src/commands/kit/command/shared-options.ts";
import { isWriting } from "../../src/commands/kit/resource/writing.ts";
import { commandTools } from "../../src/commands/mcp/tools.ts";
import { nouns } from "../../src/commands/registry.ts";
import { type ExamplePlace, examplePlace } from "../helpers/example-place.ts";
import { leaves, queueNouns } from "../helpers/leaves.ts";
import { isRepresentative } from "../helpers/tiers.ts";

interface Example {
  readonly line: string;
  readonly command: Command;
  readonly isRepresentative: boolean;
}

const isLogout = ({ line }: Example): boolean => line.startsWith("iot auth logout");
/** Leaving comes last: it revokes the tokens that the others use. */
const examples: Example[] = leaves
  .filter(({ words: [noun = ""] }) => !queueNouns.includes(noun))
  .flatMap((leaf) =>
    leaf.command.examples.map((line, at) => ({
      line,
      command: leaf.command,
      isRepresentative: at === 0 && isRepresentative(leaf),
    })),
  )
  .sort((a, b) => Number(isLogout(a)) - Number(isLogout(b)));

/** Examples that take half a second or more, alone or together. */
const slow: readonly RegExp[] = [
  // They fill a sandbox of their own with an account, or wait for its devices.
  /^iot sandbox (start|exec) .*--(seed \d|scenario|rate|tls|fault)/,
  /^iot mcp .*--sandbox/,
  // Each starts programs of its own; one token that is handed over is quick.
  /^IOT_TOKEN=.* iot device (data|param list) /,
  /^iot mcp --allow-write .* --files /,
  // They start a sandbox each, as the shortest of them does.
  /^iot sandbox start .*&&/,
  /^iot sandbox exec -- iot /,
  // They read and write whole archives, profiles or tables.
  /^iot sandbox seed .* iot sandbox import /,
  /^iot profile export --out (profile-|plant-two)/,
  /^iot dashboard export --all --out shown /,
  /^iot entity data export .* iot entity data import /,
  /^iot sql run --query ".*device_tag/,
  // It migrates the copies as well that other examples have made.
  /^iot dashboard migrate --all --in-place /,
  // The platform does it after its response, and other jobs wait for that.
  / && iot device data restore /,
  /^iot (backup create|device data backup .*|analysis run .*) --wait/,
];
/** They delete and change what a quick example has set. */
const needsQuick = /^(IOT_TOKEN=.* )?iot device param (delete|set self) /;
const isSlow = ({ line, isRepresentative }: Example): boolean =>
  !(isRepresentative || needsQuick.test(line)) || slow.some((form) => form.test(line));

const readOnlyTools = new Set(
  (await commandTools(nouns, { allowWrite: false, hasFiles: false })).map(({ command }) => command),
);

/** What commands that change nothing on the platform send besides GET: they sign in, read a backup and have a document printed. */
const signingIn: readonly RegExp[] = [
  /^POST \/account\/(login|profile\/token)$/,
  /^DELETE \/profile\/current\/token\//,
  /^POST \/run\/[^/]+\/login$/,
  /^POST \/profile\/current\/backup\/[0-9a-f]+\/download$/,
  /^POST \/pdf$/,
];

/** An envelope, which may ask for values as well: its path does not say. */
const ENVELOPE = "POST /v1/tips";

/** Requests that change something; all besides GET where the command is a tool of a read-only `iot mcp`. */
const changesIn = (requests: readonly string[], command: Command): readonly string[] =>
  requests.filter((request) => {
    const [method = "", path = ""] = request.split(" ");
    // An analysis that an earlier example started sends its messages when it comes to them.
    if (/^\/(__sandbox|analysis\/services\/)/.test(path)) return false;
    if (request === ENVELOPE) return false;
    const isSignIn = !readOnlyTools.has(command) && signingIn.some((known) => known.test(request));
    return isWriting(method, path) || (method !== "GET" && !isSignIn);
  });

/** Files that a command line names, as whole paths. */
function filesOf(words: readonly string[], folder: string): readonly string[] {
  const leaf = leaves
    .filter((one) => one.words.every((word, at) => words[at] === word))
    .sort((a, b) => b.words.length - a.words.length)[0];
  const { args = [], options = [] } = leaf?.command ?? {};
  const found: (string | undefined)[] = [];
  let argument = 0;
  for (let at = leaf?.words.length ?? 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const [, name, joined] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
    if (name !== undefined) {
      const option = [...options, ...(leaf === undefined ? [] : sharedOptionsOf(leaf.command))].find(
        (one) => one.name === name,
      );
      if (option?.value !== undefined && joined === undefined) at += 1;
      found.push(pathIn(option?.file, joined ?? words[at] ?? ""));
    } else if (!/^-[a-z]/.test(word)) {
      const spec = args[argument] ?? args.at(-1);
      argument += 1;
      found.push(pathIn(spec?.file, word));
    }
  }
  return found.flatMap((path) => (path === undefined ? [] : [resolve(folder, path)]));
}

let place: ExamplePlace;
beforeAll(async () => {
  place = await examplePlace();
});
afterAll(() => place.close());

describe("examples in the help", { tags: ["posix"] }, () => {
  it("are two or more for every command", () => {
    const lacking = leaves.filter(({ command }) => command.examples.length < 2);
    expect(lacking.map(({ title }) => title)).toEqual([]);
  });

  it("start with the program, or lead to it", () => {
    expect(examples.filter(({ line }) => !/(^|[|&(] ?)iot /.test(line)).map(({ line }) => line)).toEqual([]);
  });

  // One after the other, slow or not: some need what others have done.
  for (const example of examples) {
    const { line, command } = example;
    it(line, isSlow(example) ? { tags: ["slow"] } : {}, async () => {
      const started = Date.now();
      const { code, stderr } = await place.run(line);
      const known = new Set([0, ...exitCodesOf(command).filter((exit) => exit === 11)]);
      expect({ line, code: known.has(code) ? 0 : code, stderr: known.has(code) ? "" : stderr }).toEqual({
        line,
        code: 0,
        stderr: "",
      });
      // In a run of the slow ones alone, no other example stops it.
      if (isSlow(example) && line.startsWith("iot sandbox start ")) await place.run("iot sandbox stop --all");
      // A protected environment trusts what a command says it does.
      const isChange = changesPlatform(greatestEffect(command));
      expect(isChange ? [] : changesIn(place.here.requestsSince(started), command)).toEqual([]);
      // What `iot mcp` checks before a call is everything the call names.
      const undeclared = place.opened.filter(({ words, path }) => {
        const files = filesOf(words, place.folder);
        return !files.some(
          (file) => file === path || path.startsWith(`${file}${sep}`) || file.startsWith(`${path}${sep}`),
        );
      });
      expect(undeclared).toEqual([]);
    });
  }
});
