import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { root } from "./imports.ts";

describe("the public surface", () => {
  it("is the one in api-surface.md; `node scripts/api-surface.js` writes it anew", () => {
    const script = join(root, "scripts", "api-surface.js");
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, "--print"], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    expect(stdout).toContain("### Classes");
    expect(readFileSync(join(root, "api-surface.md"), "utf8")).toBe(stdout);
  });

  it("has no `any` in its declarations", () => {
    const folder = join(root, "dist", "types");
    if (!existsSync(folder)) throw new Error("dist/types is missing: run `npm run build` first");
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".d.ts"));
    expect(names.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const name of names) {
      const source = ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.Latest, true);
      const visit = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) {
          const { line } = source.getLineAndCharacterOfPosition(node.getStart());
          found.push(`${name}:${line + 1} ${node.parent.getText()}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    expect(found).toEqual([]);
  });
});

/** Names of the official SDK that a program may use after changing its import. */
const classes: Readonly<Record<string, readonly string[]>> = {
  Device: [
    "info",
    "sendData",
    "getData",
    "editData",
    "deleteData",
    "getParameters",
    "setParameterAsRead",
    "getDataStreaming",
    "sendDataStreaming",
  ],
  Dictionary: [
    "getLanguagesData",
    "getValueFromKey",
    "parseExpression",
    "resolveExpression",
    "getExpressionsFromString",
    "applyToString",
  ],
};

const members: Readonly<Record<string, readonly string[]>> = {
  devices: [
    "list",
    "listStreaming",
    "create",
    "edit",
    "delete",
    "info",
    "paramSet",
    "paramList",
    "paramRemove",
    "tokenList",
    "tokenCreate",
    "tokenDelete",
    "amount",
    "getDeviceData",
    "getDeviceDataStreaming",
    "emptyDeviceData",
    "sendDeviceData",
    "sendDeviceDataStreaming",
    "editDeviceData",
    "deleteDeviceData",
    "getChunk",
    "deleteChunk",
    "copyChunk",
    "dataBackup",
    "dataRestore",
  ],
  dashboards: [
    "list",
    "create",
    "edit",
    "delete",
    "info",
    "duplicate",
    "getPublicKey",
    "listDevicesRelated",
    "listAnalysisRelated",
    "runWidgetHeaderButtonAnalysis",
  ],
  profiles: ["list", "info", "summary", "tokenList", "tokenCreate", "tokenDelete"],
};

const widgets = [
  "create",
  "edit",
  "delete",
  "info",
  "getData",
  "sendData",
  "editData",
  "deleteData",
  "editResource",
  "tokenGenerate",
];

const statics: Readonly<Record<string, readonly string[]>> = {
  Account: ["login", "tokenCreate"],
  Migration: ["hasMigrate", "isOldStructure", "convertWidget", "convertImagerMarkerData"],
  SSE: ["openSSEListening", "channels"],
  Cache: ["addCache", "getCache", "clearCache"],
  Utils: ["getAPIVersion"],
  regionsDefinition: ["us-e1", "usa-1", "eu-w1", "env"],
};

describe("the names of the official SDK", () => {
  const exported = library as unknown as Readonly<Record<string, { readonly prototype?: object } & object>>;
  const resources = new library.Resources({ token: "t" }) as unknown as Readonly<Record<string, object>>;
  const missing = (holder: object | undefined, names: readonly string[]) =>
    names.filter((name) => (holder as Record<string, unknown> | undefined)?.[name] === undefined);

  it.each(["ApiError", "CancelledError", "InputError", "RequestError", "SdkError"])(
    "with errors of class %s",
    (name) => {
      expect(exported[name]?.prototype).toBeInstanceOf(Error);
    },
  );

  it.each(Object.entries(classes))("in class %s", (name, names) => {
    expect(missing(exported[name]?.prototype, names)).toEqual([]);
  });

  it.each(Object.entries(members))("in Resources and Account, member %s", (name, names) => {
    const account = new library.Account({ token: "t" }) as unknown as Readonly<Record<string, object>>;
    expect(missing(resources[name], names)).toEqual([]);
    expect(missing(account[name], names)).toEqual([]);
    expect(Object.getOwnPropertyDescriptor(library.Resources, name)?.get).toBeTypeOf("function");
  });

  it("in Resources, member dashboards.widgets", () => {
    expect(missing(new library.Resources({ token: "t" }).dashboards.widgets, widgets)).toEqual([]);
  });

  it.each(Object.entries(statics))("of %s itself", (name, names) => {
    expect(missing(exported[name], names)).toEqual([]);
  });
});
