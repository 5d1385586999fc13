import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Programs the compiler must refuse, each with a part of what it says. */
const refused: [what: string, code: string, says: string][] = [
  ["a route without its path part", "new Probe({ token }).missing({});", "params"],
  ["a route with a wrong path part", "new Probe({ token }).missing({ params: { device: id } });", "device"],
  [
    "a path part for a route without parts",
    "new Probe({ token }).none({ params: { deviceID: id } });",
    "not assignable to type 'never'",
  ],
  ["a path part that is no text", "new Probe({ token }).missing({ params: { deviceID: 5 } });", "number"],
  ["a call without its id", "devices.info();", "Expected 1-2 arguments"],
  ["a member a list does not have", 'devices.list({ fields: ["nope"] });', "nope"],
  ["an order that is none", 'devices.list({ orderBy: ["name", "up"] });', "up"],
  ["an order by what cannot be ordered", 'devices.list({ orderBy: ["tags", "asc"] });', "tags"],
  [
    "reading what was not asked for",
    'devices.list({ fields: ["id"] }).then((rows) => rows[0]?.description);',
    "description",
  ],
  ["reading a date that may be missing", "devices.info(id).then((device) => device.last_input.getTime());", "null"],
  ["an unknown region", 'new Resources({ token, region: "mars-1" });', "mars-1"],
  ["a device without a token", "new Device({});", "token"],
  ["a record without a variable", "new Device({ token }).sendData({ value: 1 });", "variable"],
  ["an unknown kind of storage", 'devices.create({ name: "Pump", type: "cloud" });', "cloud"],
  ["a signal that is none", "devices.info(id, { signal: true });", "boolean"],
  ["a data query with an unknown member", 'new Device({ token }).getData({ query: "count", amount: 3 });', "amount"],
  ["the unit of a figure", 'devices.getDeviceData(id, { query: "count" }).then(([all]) => all?.unit);', "unit"],
  ["an unknown option", "devices.info(id, { retries: 3 });", "retries"],
  ["the kind of a device in an edit", 'devices.edit(id, { type: "immutable" });', "type"],
];

const accepted = [
  "new Resources({ token: process.env['TOKEN'] });",
  "new Probe({ token }).missing({ params: { deviceID: id } });",
  "new Probe({ token }).none({});",
  'devices.list({ fields: ["id", "last_input"], orderBy: ["name", "asc"] }).then((rows) => rows[0]?.last_input);',
  "devices.info(id, { signal: new AbortController().signal, timeoutMs: 5 });",
  'new Device({ token, region: { tdeploy: id } }).sendData([{ variable: "a", value: 1 }]);',
];

const head = `
import { Device, Resources } from "../../src/index.ts";
import { Module } from "../../src/lib/api/module.ts";
import { get, type PathValues } from "../../src/lib/api/route.ts";
const route = get("/device/:deviceID");
const bare = get("/device");
class Probe extends Module {
  missing(input: Parameters<typeof this.call<object, "/device/:deviceID", "object">>[1]) { return this.call(route, input); }
  none(input: Parameters<typeof this.call<object, "/device", "object">>[1]) { return this.call(bare, input); }
}
const token = "t";
const id: string = "d1";
const { devices } = new Resources({ token });
export { Device, devices, id, Probe, type PathValues };
`;

/** Compiles each snippet as a file of its own and gives what the compiler says about it. */
function compile(snippets: readonly string[]): string[] {
  const files = new Map(
    snippets.map((code, index) => [join(root, "test", "types", `snippet-${index}.ts`), head + code]),
  );
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const host = ts.createCompilerHost({ ...options, noUnusedLocals: false });
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version, ...rest) => {
    const text = files.get(name);
    return text === undefined ? readSource(name, version, ...rest) : ts.createSourceFile(name, text, version, true);
  };
  const fileExists = host.fileExists.bind(host);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  const program = ts.createProgram([...files.keys()], { ...options, noUnusedLocals: false }, host);
  return [...files.keys()].map((name) => {
    const source = program.getSourceFile(name);
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")).join("\n");
  });
}

describe("the compiler", { tags: ["slow"] }, () => {
  let says: readonly string[];
  beforeAll(() => {
    says = compile([...refused.map(([, code]) => code), ...accepted]);
  });

  it.each(refused.map(([what, , expected], index) => ({ what, expected, index })))(
    "refuses $what",
    ({ expected, index }) => {
      expect(says[index]).toContain(expected);
    },
  );

  it.each(accepted.map((code, index) => ({ code, index })))("accepts $code", ({ index }) => {
    expect(says[refused.length + index]).toBe("");
  });
});
