import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadedWith, type Output, outputsOf } from "../helpers/built.ts";
import { type Import, importsOf, readSources, root } from "./imports.ts";
import { longFunctions } from "./long-functions.ts";

const sources = readSources();
const imports = sources.flatMap((source) => source.imports);
const nodeMark = /^\/(\*\*?|\/)[\s*]*\(node\)/;

interface Rule {
  /** Files the rule is about. */
  readonly from: RegExp;
  /** What they may import in any way. */
  readonly any: RegExp;
  /** What they may import when it is loaded on use. */
  readonly lazy?: RegExp;
  /** What they may import for its types only. */
  readonly type?: RegExp;
}

const ground = /^lib\/core\//;
const never = /^$/;
const below = /^text\/|^commands\/kit\/|^lib\/core\/(defined|errors|limits|make-folder|version)\.ts$/;

/** Who may import whom. The first rule that fits a file is the one. */
const house: Rule[] = [
  { from: /^lib\/core\//, any: ground },
  { from: /^lib\/http\//, any: /^lib\/(core|http)\// },
  { from: /^lib\/api\//, any: /^lib\/(core|http|api)\// },
  { from: /^lib\/(realtime|files)\//, any: /^lib\/(core|http|api|realtime|files)\// },
  { from: /^lib\/resources\//, any: /^lib\/(core|http|api|realtime|files|resources)\// },
  {
    from: /^lib\/clients\//,
    any: /^lib\/(core|http|api|realtime|files|clients|expression)\/|^lib\/resources\/data-calls\.ts$/,
    type: /^lib\/resources\//,
  },
  { from: /^lib\/(analysis|utils)\//, any: /^lib\/(core|http|api|realtime|files|resources|clients|analysis|utils)\// },
  { from: /^lib\/widgets\//, any: /^lib\/widgets\/|^lib\/core\/json\.ts$/, type: /^lib\// },
  { from: /^lib\/tip\//, any: /^lib\/(core|tip)\// },
  { from: /^lib\/expression\//, any: /^lib\/expression\//, type: /^lib\// },
  { from: /^(index|lib\/official-types)\.ts$/, any: /^lib\// },
  // What both the screens and the lines of commands show is cleaned and measured by one code.
  { from: /^text\//, any: /^text\// },
  {
    from: /^schema\//,
    any: /^schema\/|^lib\/widgets\/(displays|json-schema)\.ts$|^lib\/resources\/enums\.ts$|^lib\/core\/(json|limits)\.ts$/,
    type: /^lib\//,
  },
  { from: /^compile-cache\.ts$/, any: /^commands\/kit\/settings\/paths\.ts$|^lib\/core\/make-folder\.ts$/ },
  { from: /^cli\.ts$/, any: /^lib\/core\/version\.ts$|^compile-cache\.ts$/, lazy: /^commands\/(kit|program)\// },
  {
    // Above the nouns.
    from: /^commands\/program\//,
    any: /^text\/|^commands\/((program|kit)\/|registry\.ts$)|^lib\/core\/(defined|errors|limits|make-folder|version)\.ts$|^lib\/http\/choose-transport\.ts$/,
    lazy: /^lib\/|^index\.ts$/,
    type: /^lib\/|^index\.ts$/,
  },
  {
    // What is followed live may be shown on the screen.
    from: /^commands\/kit\/streams\//,
    any: below,
    lazy: /^(lib|tui)\//,
    type: /^(lib|tui)\/|^index\.ts$/,
  },
  {
    // Pages that are being written are served as the console is.
    from: /^commands\/kit\/pages\//,
    any: below,
    lazy: /^(lib|sandbox\/pages)\/|^index\.ts$/,
    type: /^(lib|sandbox\/pages)\/|^index\.ts$/,
  },
  {
    // Below the nouns.
    from: /^commands\/kit\//,
    any: below,
    lazy: /^(lib|schema)\/|^index\.ts$/,
    type: /^(lib|schema)\/|^index\.ts$/,
  },
  {
    // The nouns: what they need of the program is handed to them, and what several of them need is in kit.
    from: /^commands\//,
    any: /^text\/|^commands\/(?!program\/|registry\.ts$)|^lib\/core\/(defined|errors|limits|make-folder|version)\.ts$/,
    lazy: /^(lib|schema|tui|sandbox)\/|^index\.ts$/,
    type: /^(lib|schema|tui|sandbox)\/|^index\.ts$/,
  },
  {
    from: /^tui\//,
    any: /^(tui|text)\/|^lib\/widgets\/plan\.ts$/,
    type: /^lib\/|^index\.ts$/,
  },
  // The library's public surface, as any web program; of the sandbox that serves it, what it sends.
  // What of the drawings is not in `page.ts` would be loaded twice: in draw.js and in the console's own file.
  // The editor makes and checks definitions of widgets. What these import in turn is in draw.js as well.
  {
    from: /^web\/editor\//,
    any: /^(web|text|schema\/widgets)\/|^index\.ts$|^lib\/(widgets\/draw\/page|widgets\/starter|core\/limits)\.ts$/,
    type: /^(sandbox|lib)\//,
  },
  {
    from: /^web\//,
    any: /^(web|text)\/|^index\.ts$|^lib\/(widgets\/draw\/page|core\/limits)\.ts$/,
    type: /^(sandbox|lib)\//,
  },
  {
    from: /^sandbox\//,
    any: /^(sandbox|schema)\/|^lib\/core\/|^lib\/api\/(route|list-query)\.ts$|^lib\/(resources|clients)\/|^lib\/analysis\/services\/routes\.ts$|^lib\/tip\/(codec|envelope|hashes|limits)\.ts$/,
    type: /^lib\/|^index\.ts$/,
  },
];

/** The noun that a file below `commands/` belongs to; undefined for what is shared or above the nouns. */
function nounOf(name: string): string | undefined {
  const noun = /^commands\/([^/]+?)(?:\.ts$|\/)/.exec(name)?.[1];
  return noun === undefined || ["kit", "program", "registry"].includes(noun) ? undefined : noun;
}

function isOfOtherNoun({ from, to }: Import): boolean {
  const [own, other] = [nounOf(from), nounOf(to)];
  return own !== undefined && other !== undefined && own !== other;
}

const isOwn = ({ to }: Import) => sources.some(({ name }) => name === to);

function breaks(found: Import): boolean {
  const rule = house.find(({ from }) => from.test(found.from));
  if (rule === undefined || isOfOtherNoun(found)) return true;
  if (rule.any.test(found.to)) return false;
  if (found.kind === "lazy") return !(rule.lazy ?? never).test(found.to);
  return found.kind === "static" || !(rule.type ?? never).test(found.to);
}

/** Which folder may use which package. Those the command line alone uses are loaded on use. */
const packages: { readonly name: RegExp; readonly from: RegExp; readonly lazyOnly?: boolean }[] = [
  { name: /^eventsource-parser$/, from: /^lib\/realtime\// },
  { name: /^undici($|\/)/, from: /^lib\/http\/(undici-)?transport\.ts$/ },
  { name: /^zod$/, from: /^schema\// },
  { name: /^hono($|\/)/, from: /^sandbox\// },
  { name: /^dayjs($|\/)/, from: /^sandbox\/parsers\// },
  { name: /^re2js$/, from: /^(sandbox\/data\/|commands\/kit\/pattern\.ts$)/ },
  { name: /^fflate$/, from: /^(commands\/backup|sandbox\/backups)\/zip\.ts$/ },
  { name: /^croner$/, from: /^sandbox\/actions\/cron\.ts$/ },
  { name: /^@fastify\/busboy$/, from: /^sandbox\/files\/form\.ts$/ },
  { name: /^modern-tar$/, from: /^sandbox\/snapshots\/tar\.ts$/ },
  { name: /^libsql$/, from: /^sandbox\// },
  { name: /^commander$/, from: /^commands\/program\/((word|program|errors|run)\.ts$|help\/help\.ts$)/ },
  { name: /^ink($|\/)/, from: /^tui\// },
  { name: /^react($|\/)/, from: /^(tui|web)\// },
  { name: /^react-dom($|\/)/, from: /^web\/index\.tsx$/ },
  { name: /^d3-(array|shape|time)$/, from: /^lib\/widgets\/draw\// },
  { name: /^uplot$/, from: /^web\/components\/chart\.tsx$/ },
  { name: /^jsonc-parser$/, from: /^web\/editor\/json-lines\.ts$/ },
  { name: /^(csv-parse|csv-stringify)($|\/)/, from: /^(commands\/kit\/rows\/csv\.ts$|sandbox\/)/, lazyOnly: true },
  {
    name: /^esbuild$/,
    from: /^commands\/kit\/analyses\/bundle\.ts$|^sandbox\/widgets\/source-routes\.ts$/,
    lazyOnly: true,
  },
  { name: /^conf$/, from: /^commands\/kit\/state\/store\.ts$/, lazyOnly: true },
  { name: /^open$/, from: /^commands\/kit\/ask\/browser\.ts$/, lazyOnly: true },
  { name: /^uqr$/, from: /^commands\/lorawan\//, lazyOnly: true },
  { name: /^hyparquet(-writer)?$/, from: /^commands\/kit\/rows\/parquet-file\.ts$/, lazyOnly: true },
  { name: /^@aws-sdk\/(client-s3|lib-storage)$/, from: /^commands\/device\/bulk\/s3\//, lazyOnly: true },
  { name: /^avsc$/, from: /^commands\/device\/bulk\/iceberg\/avro\.ts$/, lazyOnly: true },
  { name: /^(bullmq|ioredis)$/, from: /^commands\/kit\/jobs\/queue\//, lazyOnly: true },
  { name: /^aedes$/, from: /^sandbox\/tip\/listeners\/mqtt\.ts$/, lazyOnly: true },
  { name: /^mqtt$/, from: /^(lib\/tip\/transports|commands\/stream\/sinks)\/mqtt\.ts$/, lazyOnly: true },
  { name: /^@nats-io\/(jetstream|transport-node)$/, from: /^commands\/stream\/sinks\/nats\.ts$/, lazyOnly: true },
  { name: /^kafkajs$/, from: /^commands\/stream\/sinks\/kafka\.ts$/, lazyOnly: true },
  // A file of its own in the build, loaded on use.
  { name: /^@modelcontextprotocol\/sdk\//, from: /^commands\/mcp\/protocol\.ts$/ },
  {
    name: /^(@clack\/prompts|chalk|jq-wasm|string-width|wrap-ansi|yaml)($|\/)/,
    from: /^(commands|text|tui)\//,
    lazyOnly: true,
  },
];

const shown = ({ from, to, kind }: Import) => `${from} imports ${to} (${kind})`;

describe("the house", () => {
  it("has found its files", () => {
    expect(sources.length).toBeGreaterThan(100);
    expect(imports.filter(isOwn).length).toBeGreaterThan(sources.length);
  });

  it("has a rule for every file", () => {
    expect(sources.map(({ name }) => name).filter((name) => !house.some(({ from }) => from.test(name)))).toEqual([]);
  });

  it("imports only where it may", () => {
    expect(imports.filter(isOwn).filter(breaks).map(shown)).toEqual([]);
  });

  it("gives the whole application of the sandbox to its routes alone: what they call says which parts it takes", () => {
    const users = imports.filter(({ to }) => to === "sandbox/app.ts").map(({ from }) => from);
    expect(users.length).toBeGreaterThan(30);
    // The starter, and the kit that binds the ordinary routes.
    const may = /^sandbox\/(sandbox|resource|[a-z-]+\/([a-z-]+-)?routes)\.ts$/;
    expect(users.filter((from) => !may.test(from))).toEqual([]);
  });

  it("finds files by ctx.path alone, which keeps iot mcp in its folder", () => {
    // What starts the program, and what only shows a path.
    const may = /^commands\/(program\/|check\/annotations\.ts$)/;
    const byFolder = /\b(?:resolve|join)\([\w.]*\bcwd\b[^\n]*|process\.cwd\(\)/g;
    const found = sources
      .filter(({ name }) => name.startsWith("commands/") && !may.test(name))
      .flatMap(({ name, text }) => [...text.matchAll(byFolder)].map(([call]) => `${name}: ${call}`));
    expect(found.sort()).toEqual([
      // `iot analysis init` and `iot init`, which are not served.
      "commands/analysis/project.ts: join(ctx.cwd, projectFileName);",
      'commands/init/init.ts: join(ctx.cwd, ".gitignore"));',
      "commands/init/init.ts: join(ctx.cwd, $schema));",
      "commands/init/init.ts: join(ctx.cwd, projectFileName));",
      "commands/init/init.ts: join(ctx.cwd, projectFileName), text: content });",
      "commands/init/init.ts: join(ctx.cwd, projectFileName);",
      "commands/mcp/call.ts: resolve(setup.cwd, path));",
    ]);
  });

  it("imports only files there are, by their whole name", () => {
    const relative = imports.filter(({ to }) => /\.[jt]sx?$|\//.test(to));
    const missing = relative.filter(
      ({ to }) => /^(lib|commands|sandbox|schema|text|tui|web)\//.test(to) && !existsSync(join(root, "src", to)),
    );
    expect(missing.map(shown)).toEqual([]);
  });

  it("uses each package only in its folder", () => {
    const external = imports.filter(
      (found) => !isOwn(found) && !found.to.startsWith("node:") && !existsSync(join(root, "src", found.to)),
    );
    const misplaced = external.filter((found) => {
      const known = packages.find(({ name }) => name.test(found.to));
      return (
        known === undefined || !known.from.test(found.from) || (known.lazyOnly === true && found.kind === "static")
      );
    });
    expect(misplaced.map(shown)).toEqual([]);
    expect(external.length).toBeGreaterThan(10);
  });

  it("keeps Node out of the library, but for the files that say so in their first comment", () => {
    const isLibrary = (name: string) => /^(lib|schema)\/|^index\.ts$/.test(name);
    const unmarked = sources.filter(({ name, text }) => isLibrary(name) && !nodeMark.test(text));
    const users = unmarked.filter(
      ({ text, imports: own }) =>
        own.some(({ to, kind }) => to.startsWith("node:") && kind !== "type") ||
        /\bgetBuiltinModule\b|\bBuffer\.|(?<![.\w])process\./.test(text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "")),
    );
    expect(users.map(({ name }) => name)).toEqual([]);
  });

  it("loads no module of Node when the library is imported", () => {
    const library = imports.filter(({ from }) => /^lib\/|^index\.ts$/.test(from));
    expect(library.filter(({ to, kind }) => to.startsWith("node:") && kind === "static").map(shown)).toEqual([]);
    expect(library.filter(({ to, kind }) => to.startsWith("undici") && kind === "static").map(shown)).toEqual([]);
  });

  it("has one meaning for each name of a type in the commands", () => {
    const homes = new Map<string, string[]>();
    for (const { name } of sources.filter(({ name: file }) => file.startsWith("commands/"))) {
      const text = readFileSync(join(root, "src", name), "utf8");
      for (const [, type = ""] of text.matchAll(/^export (?:interface|type|(?:abstract )?class) (\w+)/gm))
        homes.set(type, [...(homes.get(type) ?? []), name]);
    }
    expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it("has no circle of imports, types included", () => {
    // The registry loads the nouns: every command is reached through it, and none may reach back.
    const loads = ({ from, kind }: Import) => from === "commands/registry.ts" && kind === "lazy";
    const edges = new Map<string, string[]>();
    for (const found of imports.filter(isOwn)) {
      if (!loads(found)) edges.set(found.from, [...(edges.get(found.from) ?? []), found.to]);
    }
    const done = new Set<string>();
    const circles: string[] = [];
    const walk = (name: string, path: readonly string[]): void => {
      if (path.includes(name)) circles.push([...path.slice(path.indexOf(name)), name].join(" -> "));
      if (done.has(name) || path.includes(name)) return;
      for (const next of edges.get(name) ?? []) walk(next, [...path, name]);
      done.add(name);
    };
    for (const name of edges.keys()) walk(name, []);
    expect(circles).toEqual([]);
  });

  it("has no default exports, and names its files in small letters with hyphens", () => {
    const withDefault = sources.filter(
      ({ text }) => /^export default\b/m.test(text) && !/\bdeclare module\b/.test(text),
    );
    expect(withDefault.map(({ name }) => name)).toEqual([]);
    expect(
      sources
        .filter(({ name }) => !/^[a-z0-9-]+(\.(browser|cli))?\.tsx?$/.test(basename(name)))
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it("makes folders in one way, as Node's recursive one never returns below /proc", () => {
    const others = sources.filter(({ text }) => /\bmkdir(Sync)?\([^;]*recursive/.test(text));
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  it("has no function of more than 60 lines", { tags: ["slow"] }, () => {
    const mostLines = 60;
    const text = `const view = () => {\n${"  say();\n".repeat(mostLines - 1)}};\n`;
    expect(longFunctions("a.ts", text, mostLines)).toEqual(["a.ts:1 (61 lines)"]);
    expect(sources.flatMap(({ name, text }) => longFunctions(name, text, mostLines))).toEqual([]);
  });

  it("silences neither the compiler nor the linter", () => {
    const silenced = sources.filter(({ text }) => /@ts-(ignore|expect-error|nocheck)|biome-ignore/.test(text));
    expect(silenced.map(({ name }) => name)).toEqual([]);
  });
});

describe("the rules themselves", () => {
  it.each<[string, string]>([
    ["lib/http/a.ts", 'import { Devices } from "../resources/devices.ts";'],
    ["lib/core/a.ts", 'import type { Devices } from "../resources/devices.ts";'],
    ["lib/widgets/a.ts", 'import { get } from "../api/route.ts";'],
    ["lib/resources/a.ts", 'export * from "../clients/device.ts";'],
    ["commands/kit/a.ts", 'import { run } from "../device.ts";'],
    ["commands/kit/a.ts", 'import type { Chapter } from "../program/manual/markdown.ts";'],
    ["commands/a.ts", 'const { run } = await import("./program/run.ts");'],
    ["commands/a.ts", 'import { nouns } from "./registry.ts";'],
    ["commands/program/a.ts", 'import { commands } from "../device.ts";'],
    ["commands/widget/a.ts", 'import { bodyOf } from "../dashboard/body.ts";'],
    ["commands/widget/a.ts", 'import type { Body } from "../dashboard/body.ts";'],
    ["commands/tag.ts", 'import { edit } from "./device/edit.ts";'],
    ["commands/device/a.ts", 'import { commands } from "../secret.ts";'],
    ["commands/registry.ts", 'import { topHelp } from "./program/help/top-help.ts";'],
    ["tui/a.ts", 'import { quote } from "../commands/kit/options.ts";'],
    ["commands/a.ts", 'import { createSandbox } from "../sandbox/index.ts";'],
    ["commands/a.ts", 'import { Devices } from "../lib/resources/devices.ts";'],
    ["web/a.ts", 'import { Devices } from "../lib/resources/devices.ts";'],
    ["web/a.ts", 'import { createSandbox } from "../sandbox/index.ts";'],
    ["web/a.ts", 'import { Records } from "../lib/widgets/draw/records.ts";'],
    ["sandbox/a.ts", 'import { HttpClient } from "../lib/api/client.ts";'],
    ["lib/http/a.ts", 'import type { Route } from "../api/route.ts";'],
    ["schema/a.ts", 'import { get } from "../lib/api/route.ts";'],
    ["cli.ts", 'import { run } from "./commands/program/run.ts";'],
  ])("do not let %s say %s", (name, text) => {
    expect(importsOf(name, text).map(breaks)).toEqual([true]);
  });

  it.each<[string, string]>([
    ["lib/resources/a.ts", 'import { get } from "../api/route.ts";'],
    ["lib/widgets/a.ts", 'import type { Route } from "../api/route.ts";'],
    ["schema/a.ts", 'import { displays } from "../lib/widgets/displays.ts";'],
    ["commands/widget/a.ts", 'import { bodyOf } from "../kit/dashboards/body.ts";'],
    ["commands/widget/draw/a.ts", 'import { look } from "../look.ts";'],
    ["commands/a.ts", 'const { createSandbox } = await import("../sandbox/index.ts");'],
    ["commands/a.ts", 'import { type SandboxOptions } from "../sandbox/index.ts";'],
    ["cli.ts", 'const { run } = await import("./commands/program/run.ts");'],
  ])("let %s say %s", (name, text) => {
    expect(importsOf(name, text).map(breaks)).toEqual([false]);
  });
});

describe("the build", () => {
  const packagesIn = (outputs: Iterable<Output>) => [
    ...new Set(
      [...outputs].flatMap(({ inputs }) =>
        Object.keys(inputs).flatMap((input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []),
      ),
    ),
  ];
  const outside = (outputs: Iterable<Output>) => [
    ...new Set(
      [...outputs].flatMap(({ imports: own }) => own.filter(({ external }) => external).map(({ path }) => path)),
    ),
  ];

  it("of the library holds one small package and loads undici", () => {
    const library = [...outputsOf("library").values()];
    expect(packagesIn(library)).toEqual(["eventsource-parser"]);
    expect(outside(library)).toEqual(["undici"]);
  });

  it("for browsers holds nothing of Node, and nothing is missing", () => {
    const browser = [...outputsOf("browser").values()];
    expect(packagesIn(browser).filter((name) => !name.startsWith("d3-"))).toEqual(["eventsource-parser"]);
    expect(outside(browser)).toEqual([]);
    const marked = browser
      .flatMap(({ inputs }) => Object.keys(inputs))
      .filter((input) => input.startsWith("src/") && nodeMark.test(readFileSync(join(root, input), "utf8")));
    expect(marked).toEqual([]);
    const texts = ["browser.js", "draw.js", "shared.js"].map((name) => readFileSync(join(root, "dist", name), "utf8"));
    expect(texts.join("\n")).not.toMatch(/["'`]node:|\bundici\b|getBuiltinModule/);
  });

  it("of the console holds no module that a file loaded beside it holds, too", () => {
    const modulesIn = (call: "web" | "browser") =>
      [...outputsOf(call).values()].flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([name, { bytesInOutput = 0 }]) => (bytesInOutput > 0 ? [name] : [])),
      );
    const own = modulesIn("web");
    const beside = modulesIn("browser");
    expect(own.length).toBeGreaterThan(30);
    // But for numbers: esbuild writes them where they are used only in a console of one part.
    const numbers = "src/lib/core/limits.ts";
    expect(own.filter((name) => name !== numbers && beside.includes(name))).toEqual([]);
    // The files beside it hold no module twice either.
    expect(beside.filter((name, place) => beside.indexOf(name) !== place)).toEqual([]);
  });

  it("of the command line answers --version without a package", () => {
    expect(packagesIn(loadedWith("src/cli.ts"))).toEqual([]);
  });

  const nouns = () =>
    imports.filter(({ from, kind }) => from === "commands/registry.ts" && kind === "lazy").map(({ to }) => `src/${to}`);

  it("of a command loads commander alone before it runs", () => {
    expect(nouns().length).toBeGreaterThan(30);
    for (const source of ["src/commands/program/run.ts", ...nouns()])
      expect(packagesIn(loadedWith(source)).filter((name) => name !== "commander")).toEqual([]);
  });

  it("of a command loads neither the server nor the screens nor the schemas before it runs", () => {
    for (const source of ["src/commands/program/run.ts", ...nouns()]) {
      const inputs = loadedWith(source).flatMap((output) => Object.keys(output.inputs));
      expect(inputs.filter((input) => /^src\/(sandbox|tui|schema)\//.test(input))).toEqual([]);
    }
  });
});
