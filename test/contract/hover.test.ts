import { existsSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { Resources } from "../../src/index.ts";
import { root } from "./imports.ts";

const program = join(root, "hover.ts");
const declarations = join(root, "dist", "index.d.ts");
const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  strict: true,
  skipLibCheck: true,
  types: ["node"],
  paths: { iotdeck: [declarations] },
};

/** What an editor shows where the pointer is. */
interface Hover {
  readonly text: string;
  readonly docs: string;
  readonly tags: ReadonlyMap<string, string>;
}

const head = `import { Device, Resources, type Types } from "iotdeck";
declare const resources: Resources;
declare const device: Device;
`;

/** The language service of an editor that has one file open. */
function openEditor() {
  let [text, version] = ["", 0];
  const read = (path: string) => (path === program ? text : ts.sys.readFile(path));
  const service = ts.createLanguageService({
    getScriptFileNames: () => [program],
    getScriptVersion: (path) => (path === program ? String(version) : "0"),
    getScriptSnapshot: (path) => {
      const content = read(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === program || ts.sys.fileExists(path),
    readFile: read,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  /** Hovers over the last `name` of each line. */
  const hover = (lines: Readonly<Record<string, string>>): Hover[] => {
    text = `${head}${Object.keys(lines).join("\n")}\n`;
    version += 1;
    expect(service.getSemanticDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
    return Object.entries(lines).map(([line, name]) => {
      const info = service.getQuickInfoAtPosition(program, text.indexOf(`${line}\n`) + line.lastIndexOf(name));
      return {
        text: ts.displayPartsToString(info?.displayParts),
        docs: ts.displayPartsToString(info?.documentation),
        tags: new Map(info?.tags?.map((tag) => [tag.name, ts.displayPartsToString(tag.text)])),
      };
    });
  };
  const compiler = () => {
    hover({});
    const opened = service.getProgram();
    const checker = opened?.getTypeChecker();
    const source = opened?.getSourceFile(declarations);
    const module = source && checker?.getSymbolAtLocation(source);
    if (checker === undefined || module === undefined) throw new Error("dist/index.d.ts exports nothing");
    return { checker, module };
  };
  return { hover, compiler };
}

/** Lists of everything below `resources` that take no id, as `resources.devices.list`. */
function listsBelow(checker: ts.TypeChecker, type: ts.Type, path: string): string[] {
  return type.getProperties().flatMap((property) => {
    const inner = checker.getTypeOfSymbol(property);
    const [call] = inner.getCallSignatures();
    if (call === undefined) return inner.isClass() ? listsBelow(checker, inner, `${path}.${property.name}`) : [];
    return property.name === "list" && call.typeParameters !== undefined ? [`${path}.list`] : [];
  });
}

describe("what editors show of the built package", { tags: ["slow"] }, () => {
  let editor: ReturnType<typeof openEditor>;
  let exported: ReadonlySet<string>;
  let lists: readonly string[];

  beforeAll(() => {
    if (!existsSync(declarations)) throw new Error("dist/index.d.ts is missing: run `npm run build` first");
    editor = openEditor();
    const { checker, module } = editor.compiler();
    const symbols = checker.getExportsOfModule(module);
    exported = new Set(symbols.map(({ name }) => name));
    const resources = symbols.find(({ name }) => name === "Resources");
    if (resources === undefined) throw new Error("Resources is not exported");
    const target = resources.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(resources) : resources;
    lists = listsBelow(checker, checker.getDeclaredTypeOfSymbol(target), "resources");
  });

  /** Names of types in a hover that a program can neither import nor use without an import. */
  const unnamed = (text: string): string[] =>
    [...text.replaceAll(/"[^"]*"/g, "").matchAll(/(?<![\w])(?:Types\.)?([A-Z]\w+)(?!\w*\??:)/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !exported.has(name) && !/^(Promise|Pick|Partial|Date|Types|Record|AsyncGenerator)$/.test(name));

  const firstLine = ({ text }: Hover): string => text.split("\n").at(-1) ?? "";

  it("shows the fields a device list was asked for", () => {
    const [method, found] = editor.hover({
      'resources.devices.list({ fields: ["id", "name", "last_input"] });': "list",
      'const found = await resources.devices.list({ fields: ["id", "name", "last_input"] });': "found",
    });
    expect(found?.text).toMatch(/^const found: Pick<Types\.DeviceRow, [^<>]*"last_input"[^<>]*>\[\]$/);
    expect(method?.docs).toBe("Lists devices.");
    expect(method?.tags.get("example")).toContain("resources.devices.list(");
  });

  it("shows types that a program can import, and an example, for every list", () => {
    expect(lists.length).toBeGreaterThan(12);
    const asked = editor.hover(Object.fromEntries(lists.map((path) => [`${path}({ fields: [] });`, "list"])));
    const plain = editor.hover(
      Object.fromEntries(lists.map((path, at) => [`const rows${at} = await ${path}();`, `rows${at}`])),
    );
    for (const [at, path] of lists.entries()) {
      const [call, rows] = [asked[at], plain[at]];
      expect(call && firstLine(call), path).toMatch(/options\?: [\w.]+\): Promise<Pick<[\w.<> ,"|]+\[\]>$/);
      expect(rows?.text, path).toMatch(/\[\]$/);
      expect([...unnamed(call?.text ?? ""), ...unnamed(rows?.text ?? "")], path).toEqual([]);
      expect(call?.docs, path).toMatch(/^Lists .+\.$/m);
      expect(call?.tags.get("example"), path).toContain("await resources.");
    }
  });

  it.each(["device.getData(", 'resources.devices.getDeviceData("id", '])(
    "documents %s on the form people use",
    (call) => {
      const name = call.includes("DeviceData") ? "getDeviceData" : "getData";
      const [plain, counted] = editor.hover({
        [`${call}{ variables: "x" });`]: name,
        [`${call}{ query: "count" });`]: name,
      });
      expect(plain?.text).toContain("Promise<Types.DeviceData[]>");
      expect(plain?.docs).toMatch(/^Reads records/);
      expect(plain?.tags.get("example")).toContain(`.${name}(`);
      expect(counted?.docs).toContain("`count`");
      expect(unnamed(`${plain?.text} ${counted?.text}`)).toEqual([]);
    },
  );

  it("strikes a second name of a type and names the first", () => {
    const [second, first] = editor.hover({ "let a: Types.Data;": "Data", "let b: Types.DeviceData;": "DeviceData" });
    expect(second?.tags.get("deprecated")).toBe("Use `DeviceData`.");
    expect(first?.tags.has("deprecated")).toBe(false);
  });

  it("shows the same documentation for every property of Resources on a client and on the class", () => {
    const names = Object.keys(new Resources({ token: "t" })).filter((name) => name !== "client");
    expect(names.length).toBeGreaterThan(20);
    const own = editor.hover(Object.fromEntries(names.map((name) => [`resources.${name};`, name])));
    const fixed = editor.hover(Object.fromEntries(names.map((name) => [`Resources.${name};`, name])));
    for (const [at, name] of names.entries()) {
      expect(own[at]?.docs ?? "", name).not.toBe("");
      expect(fixed[at]?.text, name).toContain(`Resources.${name}: Types.`);
      expect(fixed[at], name).toMatchObject({ docs: own[at]?.docs, tags: own[at]?.tags });
    }
  });
});
