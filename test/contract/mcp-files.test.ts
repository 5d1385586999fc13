import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type FileForm, pathIn } from "../../src/commands/kit/command/file-form.ts";
import { sharedOptionsOf } from "../../src/commands/kit/command/shared-options.ts";
import { callTool } from "../../src/commands/mcp/call.ts";
import { folderLimit } from "../../src/commands/mcp/files.ts";
import { type CommandTool, commandTools } from "../../src/commands/mcp/tools.ts";
import { run } from "../../src/commands/program/run.ts";
import { nouns } from "../../src/commands/registry.ts";
import { cliEnvironment, temporaryFolder } from "../helpers/cli.ts";
import { leaves } from "../helpers/leaves.ts";

const tools = await commandTools(nouns, { allowWrite: true, hasFiles: true });

interface Named {
  readonly member: string;
  readonly file: FileForm;
}

/** Arguments and flags of a tool that name files. */
const filesOf = ({ args, options }: CommandTool): Named[] => [
  ...args.flatMap(({ name, file }) => (file === undefined ? [] : [{ member: name.replaceAll("-", "_"), file }])),
  ...[...options].flatMap(([member, { file }]) => (file === undefined ? [] : [{ member, file }])),
];

/** A value that names this path. */
const valueFor = (file: FileForm, path: string): string =>
  file === "@" ? `@${path}` : file === "=@" ? `key=@${path}` : pathIn(file, path) === path ? path : `file:${path}`;

const cases = tools.flatMap((tool) =>
  filesOf(tool).map((named) => [`${tool.name} ${named.member}`, tool, named] as const),
);

describe("files of tools", () => {
  it("are named by more than a hundred arguments and flags", () => {
    expect(cases.length).toBeGreaterThan(100);
  });

  it("lie in the folder of the server, or the call is rejected before anything is done", async () => {
    const [folder, outside] = [temporaryFolder(), temporaryFolder()];
    // Nobody answers there: a call that sends something ends in another way.
    const env = cliEnvironment({ IOT_API_URL: "http://127.0.0.1:9", IOT_TOKEN: "a-token" });
    const allowFile = folderLimit(folder, env);
    const call = async (tool: CommandTool, given: object, limit: object): Promise<string> => {
      const setup = { env, cwd: folder, flags: [], allowWrite: true, run, ...limit };
      const { texts } = await callTool(tool, given, setup, new AbortController().signal);
      return String(JSON.parse(texts[0] ?? "null")?.error?.code);
    };
    for (const [title, tool, { member, file }] of cases) {
      const required = Object.fromEntries(
        tool.args.filter((one) => one.required === true).map(({ name }) => [name.replaceAll("-", "_"), "x"]),
      );
      const outcome = async (path: string, limit: object) =>
        call(tool, { ...required, [member]: valueFor(file, path) }, limit);
      const [beyond, none] = [await outcome(join(outside, "x"), { allowFile }), await outcome("x", {})];
      expect({ title, beyond, none }).toEqual({ title, beyond: "mcp.outside_files", none: "mcp.no_files" });
    }
  });
});

/** What looks like a file of this machine and is none. */
const otherwise: Readonly<Record<string, readonly string[]>> = {
  "a path in the profile": [
    "iot file list <path>",
    "iot file list --path",
    "iot file upload --path",
    "iot file download <path>",
    "iot file copy <from>",
    "iot file copy <to>",
    "iot file move <from>",
    "iot file move <to>",
    "iot file delete <path>",
    "iot file permission <path>",
    "iot file url <path>",
    "iot device data backup --path",
    "iot device data restore --path",
    "iot device chunk copy --path",
    "iot device chunk backup --path",
  ],
  "a path of the API": ["iot api <path>", "iot sandbox logs --path"],
  "about files that another word names": [
    "iot device import --tag",
    "iot run user import --tag",
    "iot file upload --content-type",
    "iot widget convert --glob",
    "iot widget detect --glob",
    "iot widget explain --glob",
    "iot widget validate --glob",
    "iot widget preview --glob",
    "iot dashboard import --name",
  ],
  "a resource: device:create, file:delete": ["iot action create --resource", "iot action update --resource"],
  "ids, or - for stdin": ["iot entity data delete <row>"],
  "a frame, or - for stdin": ["iot tip decode <frame>"],
  "of commands that are not served": [
    "iot sandbox start --seed",
    "iot sandbox seed --seed",
    "iot sandbox exec --seed",
    "iot analysis dev --id",
  ],
};

describe("arguments and flags that name files", () => {
  const specs = leaves.flatMap(({ title, command }) => [
    ...(command.args ?? []).map((spec) => ({ title: `${title} <${spec.name}>`, value: spec.name, ...spec })),
    ...[...(command.options ?? []), ...sharedOptionsOf(command)].flatMap(({ value, ...spec }) =>
      value === undefined || spec.choices !== undefined ? [] : [{ title: `${title} --${spec.name}`, value, ...spec }],
    ),
  ]);
  const looksLikeFile = ({ value, name, summary }: (typeof specs)[number]): boolean =>
    /^(file|files|folder|folders|path|dir|directory)$/.test(value) ||
    /^(out|save|report|replay|input|html|script)$|(^|-)(file|folder|dir)$/.test(name) ||
    /@file|@-|\b(stdin|files?|folders?|csv|paths?)\b/i.test(
      summary.replace(/in the project file|project file, else|; - reads (ids|it) from stdin/, ""),
    );

  it("say so", () => {
    const silent = specs.filter((spec) => spec.file === undefined && looksLikeFile(spec)).map(({ title }) => title);
    expect(silent.sort()).toEqual(Object.values(otherwise).flat().sort());
  });
});
