import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VERSION } from "../../src/index.ts";
import { root } from "./imports.ts";

type Targets = string | { readonly [condition: string]: Targets };

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly main: string;
  readonly types: string;
  readonly bin: Readonly<Record<string, string>>;
  readonly directories: { readonly man: string };
  readonly files: readonly string[];
  readonly exports: Readonly<Record<string, Targets>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional: boolean }>>;
  readonly scripts: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

const targetsOf = (targets: Targets): string[] =>
  typeof targets === "string" ? [targets] : Object.values(targets).flatMap(targetsOf);

/** Every file package.json names. */
const promised = [
  manifest.main,
  manifest.types,
  ...Object.values(manifest.bin),
  ...Object.values(manifest.exports).flatMap(targetsOf),
].map((path) => path.replace(/^\.\//, ""));

describe("package.json", () => {
  it("needs undici; the sandbox's files, bundles of analyses, jq and the keychain have an optional package each", () => {
    expect(Object.keys(manifest.dependencies ?? {})).toEqual(["undici"]);
    for (const name of Object.keys(manifest.optionalDependencies ?? {}))
      expect(["@napi-rs/keyring", "esbuild", "jq-wasm", "libsql"]).toContain(name);
    // S3, tables, queues, engines for streams, MQTT and its broker are for few: their packages are installed by those who use one.
    const engines = ["@nats-io/jetstream", "@nats-io/transport-node", "kafkajs"];
    const peers = ["@aws-sdk/client-s3", "@aws-sdk/lib-storage", "aedes", "avsc", "bullmq", "ioredis", "mqtt"];
    expect(Object.keys(manifest.peerDependencies ?? {}).sort()).toEqual([...engines, ...peers].sort());
    for (const name of Object.keys(manifest.peerDependencies ?? {}))
      expect(manifest.peerDependenciesMeta?.[name]).toEqual({ optional: true });
  });

  it("runs nothing when the package is installed", () => {
    for (const name of ["preinstall", "install", "postinstall", "prepare"])
      expect(manifest.scripts[name]).toBeUndefined();
  });

  it("has the version the library says", () => {
    expect(VERSION).toBe(manifest.version);
  });

  it("has the same name and version in the lock file", () => {
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Pick<
      Manifest,
      "name" | "version"
    >;
    expect([lock.name, lock.version]).toEqual([manifest.name, manifest.version]);
  });
});

describe("the packed package", () => {
  let folder = "";
  let home = "";
  const gzipped = (name: string): number => gzipSync(readFileSync(join(home, "dist", name))).length;
  let packed: string[] = [];
  let tarball: Uint8Array<ArrayBuffer> = new Uint8Array();

  beforeAll(() => {
    if (!existsSync(join(root, "dist", "cli.cjs")))
      throw new Error("dist/cli.cjs is missing: run `npm run build` first");
    folder = mkdtempSync(join(tmpdir(), "iotdeck-package-"));
    const npm = ["pack", "--json", "--ignore-scripts", "--offline", "--loglevel=error", "--pack-destination", folder];
    // npm is a batch file on Windows; within "npm test" its script is known.
    const { npm_execpath: script = "" } = process.env;
    const [command, first] = script.endsWith(".js") ? [process.execPath, [script]] : ["npm", []];
    const [report] = JSON.parse(execFileSync(command, [...first, ...npm], { cwd: root, encoding: "utf8" })) as [
      { readonly filename: string; readonly files: readonly { readonly path: string }[] },
    ];
    tarball = Uint8Array.from(readFileSync(join(folder, report.filename)));
    packed = report.files.map(({ path }) => path);
    home = join(folder, "node_modules", manifest.name);
    mkdirSync(home, { recursive: true });
    // Paths from here: tar takes C: for the name of a machine.
    const inside = ["-C", `node_modules/${manifest.name}`, "--strip-components=1"];
    execFileSync("tar", ["-xzf", report.filename, ...inside], { cwd: folder });
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      mkdirSync(dirname(join(folder, "node_modules", name)), { recursive: true });
      symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
    }
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a program beside the installed package. */
  function run(args: readonly string[]): string {
    const { NODE_PATH: _path, NODE_OPTIONS: _options, ...env } = process.env;
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
    expect(stderr).toBe("");
    expect(status).toBe(0);
    return stdout.trim();
  }

  const whole = "Resources, Device, Account, Dictionary, Migration, SSE, Utils, Cache, regionsDefinition, VERSION";
  const report = `console.log([${whole}].map((value) => typeof value).join(" "), VERSION);`;
  const expected = () =>
    `function function function function function object object object object string ${manifest.version}`;

  it("holds every file package.json names", () => {
    // A `*` stands for the name of a file.
    const isThere = (path: string) => {
      const [before = "", after] = path.split("*");
      return after === undefined
        ? packed.includes(path)
        : packed.some((name) => name.startsWith(before) && name.endsWith(after));
    };
    expect(promised.filter((path) => !isThere(path))).toEqual([]);
  });

  it("holds nothing but those, what they need, and the papers", () => {
    const allowed = [
      /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
      /^bin\/(iot\.js|package\.json)$/,
      /^docs\/(?!commands\/).+\.md$/,
      /^examples\/(?!(ci|schedulers|vitest)\/).+$/,
      /^dist\/(index|browser|bundler|cli|draw|sandbox|screens|shared)\.(js|cjs)$/,
      /^dist\/(decoder-(program|globals)|query-program)\.cjs$/,
      /^dist\/tip(-browser)?\.c?js$/,
      /^dist\/(index|draw|sandbox|tip|tip-browser)\.d\.c?ts$/,
      /^dist\/types\/(package\.json|.+\.d\.ts)$/,
      /^dist\/lib\/(package\.json|.+\.d\.ts|((.+[./])?types?|modules)\.js)$/,
      /^dist\/(chunks|dayjs|dayjs\/plugin)\/[\w.-]+\.c?js$/,
      /^dist\/man\/iot[\w-]*\.[17]$/,
      /^dist\/schema\/[\w-]+\.json$/,
      /^dist\/seeds\/[a-z0-9-]+\/.+\.(json|js|py|svg)$/,
      /^dist\/web\/(app\.(js|css)|editor\.css|parts\/[\w-]+-[A-Z0-9]{8}\.js|(index|page)\.html)$/,
      /^dist\/THIRD-PARTY-LICENSES\.txt$/,
    ];
    expect(packed.filter((path) => !allowed.some((form) => form.test(path)))).toEqual([]);
    expect(packed).toContain("LICENSE");
    expect(packed).toContain("README.md");
  });

  it("takes at most 10 MiB with the package it needs, and 2.5 MB packed", () => {
    const own = packed.reduce((sum, path) => sum + statSync(join(home, path)).size, 0);
    const undici = join(root, "node_modules", "undici");
    const needed = readdirSync(undici, { recursive: true, encoding: "utf8" })
      .map((name) => statSync(join(undici, name)))
      .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
    expect(own + needed).toBeLessThanOrEqual(10 * 1024 * 1024);
    expect(tarball.byteLength).toBeLessThanOrEqual(2_500_000);
  });

  it("is clean for publint", async () => {
    const { messages } = await publint({ pack: { tarball: tarball.buffer }, strict: true });
    expect(messages.map(({ code, path }) => [code, path])).toEqual([]);
  });

  it("has types that are right for every way to resolve them", { tags: ["slow"] }, async () => {
    // Inner modules are looked up below, with the compilers themselves.
    const inner = /^\.\/(lib|src)\//;
    const result = await checkPackage(createPackageFromTarballData(tarball), { excludeEntrypoints: [inner] });
    expect(result).toMatchObject({ types: { kind: "included" }, problems: [] });
    const entries = Object.keys(manifest.exports).filter((name) => !inner.test(name));
    expect(Object.keys(result.types === false ? {} : result.entrypoints)).toEqual(entries);
  });

  it("holds nothing that is compressed", () => {
    const isText = (path: string) => !readFileSync(join(home, path)).includes(0);
    expect(packed.filter((path) => /\.(gz|br|zst|zip|wasm|bin)$/.test(path) || !isText(path))).toEqual([]);
  });

  it("has a console whose first view is at most 290 kB, compressed", () => {
    const html = readFileSync(join(home, "dist/web/index.html"), "utf8");
    const assets = [...html.matchAll(/"\/assets\/([^"]+)"/g)].map(([, name = ""]) => name);
    const inWeb = (name: string) => (existsSync(join(home, "dist/web", name)) ? `web/${name}` : name);
    expect(assets.length).toBeGreaterThan(4);
    expect(assets.reduce((sum, name) => sum + gzipped(inWeb(name)), 0)).toBeLessThanOrEqual(290_000);
    expect(assets.join(" ")).not.toContain("editor");
  });

  it("has an editor of dashboards of at most 50 kB, compressed, which the console loads on use", () => {
    const [editor = ""] = readdirSync(join(home, "dist/web/parts")).filter((name) => /^editor-\w+\.js$/.test(name));
    expect(gzipped(`web/parts/${editor}`) + gzipped("web/editor.css")).toBeLessThanOrEqual(50_000);
  });

  it("adds at most 63.2 kB to a bundle for browsers, compressed", async () => {
    const made = await build({
      entryPoints: [join(home, "dist", "browser.js")],
      ...{ bundle: true, minify: true, write: false, format: "esm", target: "es2022", charset: "utf8" },
    });
    expect(gzipSync(made.outputFiles[0]?.contents ?? "").byteLength).toBeLessThanOrEqual(63_200);
  });

  it("has declarations that name no package but undici; those of the sandbox name Node's modules too", () => {
    const declarations = packed.filter((path) => /\.d\.c?ts$/.test(path));
    const named = declarations
      .flatMap((path) =>
        [...readFileSync(join(home, path), "utf8").matchAll(/^(?!\s*\*).*(?:from |import\()"([^.][^"]*)"/gm)].map(
          ([, name]) => `${path}: ${name}`,
        ),
      )
      .filter((one) => !/^dist\/types\/sandbox\/.+: node:\w+$|: undici$/.test(one));
    expect(declarations.length).toBeGreaterThan(50);
    expect(named).toEqual([]);
  });

  it("holds no path of the machine it was built on", () => {
    const texts = packed.filter((path) => /\.(js|cjs|map|ts|cts|json|md|txt)$/.test(path));
    const telling = texts.filter((path) => readFileSync(join(home, path), "utf8").includes(root));
    expect(telling).toEqual([]);
  });

  it("speaks TagoTiP as an ES module and as CommonJS, and says which package MQTT needs", () => {
    const push = 'new TipClient({ over: "mqtt", host: "localhost", hash: "4deedd7bab8817ec", serial: "s" }).ping()';
    const report = `console.log(parseFrame("PING|4deedd7bab8817ec|s").serial); ${push}.catch(({ code }) => console.log(code));`;
    expect(run(["--input-type=module", "-e", `import { parseFrame, TipClient } from "iotdeck/tip"; ${report}`])).toBe(
      "s\nnot_installed",
    );
    expect(run(["-e", `const { parseFrame, TipClient } = require("iotdeck/tip"); ${report}`])).toBe("s\nnot_installed");
  });

  it("has the text of TagoTiP for browsers, without anything of Node", async () => {
    const made = await build({
      stdin: { contents: 'import * as tip from "iotdeck/tip"; console.log(tip);', resolveDir: folder },
      ...{ bundle: true, write: false, format: "esm", platform: "browser", metafile: true },
    });
    expect(made.outputFiles[0]?.text).not.toMatch(/["'`]node:|getBuiltinModule|\bBuffer\b/);
    const names = Object.keys(made.metafile?.inputs ?? {}).map((path) => path.replace(/.*\//, ""));
    expect(names).toContain("tip-browser.js");
  });

  it("loads as an ES module", () => {
    const text = `import { ${whole} } from "iotdeck"; ${report} console.log(import.meta.resolve("iotdeck"));`;
    const [values, path] = run(["--input-type=module", "-e", text]).split("\n");
    expect(values).toBe(expected());
    expect(path).toMatch(/iotdeck\/dist\/index\.js$/);
  });

  it("loads as CommonJS", () => {
    const text = `const { ${whole} } = require("iotdeck"); ${report} console.log(require.resolve("iotdeck"));`;
    const [values, path] = run(["-e", text]).split("\n");
    expect(values).toBe(expected());
    expect(path).toMatch(/iotdeck[\\/]dist[\\/]index\.cjs$/);
  });

  it("loads as a web program", () => {
    const text = `import { ${whole} } from "iotdeck"; ${report} console.log(import.meta.resolve("iotdeck"));`;
    const [values, path] = run(["--conditions=browser", "--input-type=module", "-e", text]).split("\n");
    expect(values).toBe(expected());
    expect(path).toMatch(/iotdeck\/dist\/browser\.js$/);
  });

  it("is bundled whole into a program that runs where it is not installed, without a warning", {
    tags: ["slow"],
  }, async () => {
    const use = `const server = process.getBuiltinModule("node:http").createServer((_request, response) =>
        response.end(JSON.stringify({ status: true, result: { id: "d1" } })));
      server.listen(0, "127.0.0.1", async () => {
        const url = "http://127.0.0.1:" + server.address().port;
        const { id } = await new Resources({ token: "t", region: { api: url, sse: url } }).devices.info("d1");
        const { type } = Migration.convertWidget({ type: "dial", display: { numberformat: "0.0" } });
        console.log(id, type, VERSION);
        server.close();
      });`;
    const names = "Migration, Resources, VERSION";
    const programs = {
      "app.mjs": `import { ${names} } from "iotdeck"; ${use}`,
      "app.cjs": `const { ${names} } = require("iotdeck"); ${use}`,
    };
    const away = mkdtempSync(join(tmpdir(), "iotdeck-bundled-"));
    for (const [name, text] of Object.entries(programs)) {
      writeFileSync(join(folder, name), text);
      for (const format of ["esm", "cjs"] as const) {
        const outfile = join(away, `${name}.${format === "esm" ? "mjs" : "cjs"}`);
        const entryPoints = [join(folder, name)];
        const options = { bundle: true, platform: "node", logLevel: "silent" } as const;
        const { warnings } = await build({ ...options, entryPoints, outfile, format });
        expect(warnings).toEqual([]);
        expect(run([outfile])).toBe(`d1 dial ${manifest.version}`);
      }
    }
    rmSync(away, { recursive: true, force: true });
  });

  it("runs payload parsers and patterns of variables in its sandbox", { tags: ["slow"] }, () => {
    const use = `(async () => {
      const sandbox = await createSandbox({ seed: "empty" });
      const post = async (path, token, body) => {
        const headers = { token, "content-type": "application/json" };
        return (await fetch(sandbox.url + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
      };
      const parser = "payload = [{ variable: 'aab', time: dayjs().toISOString(), value: new Date().getTimezoneOffset() }]";
      const { result } = await post("/device", sandbox.tokens.profile, {
        name: "Hybrid", type: "hybrid", chunk_period: "month", chunk_retention: 1, mutable_variable_regex: "^(a+)+$",
        payload_decoder: Buffer.from(parser).toString("base64"),
      });
      console.log((await post("/data", result.token, [])).result);
      await sandbox.close();
    })();`;
    const imported = `import { createSandbox } from "iotdeck/sandbox"; ${use}`;
    expect(run(["--input-type=module", "-e", imported])).toBe("1 Data Added");
    expect(run(["-e", `const { createSandbox } = require("iotdeck/sandbox"); ${use}`])).toBe("1 Data Added");
  });

  it("loads its sandbox and its manifest, and keeps its inner files to itself", { tags: ["slow"] }, () => {
    const imported = `import { createSandbox } from "iotdeck/sandbox";
      const inner = await import("iotdeck/dist/cli.cjs").catch((error) => error.code);
      console.log(typeof createSandbox, inner);`;
    expect(run(["--input-type=module", "-e", imported])).toBe("function ERR_PACKAGE_PATH_NOT_EXPORTED");
    const required = 'typeof require("iotdeck/sandbox").createSandbox + " " + require("iotdeck/package.json").name';
    expect(run(["-p", required])).toBe("function iotdeck");
  });

  it("shows an error of the sandbox that no program caught by its name, below a line that can be read", {
    tags: ["slow"],
  }, () => {
    const dataDir = join(folder, "not-a-sandbox");
    mkdirSync(dataDir);
    writeFileSync(join(dataDir, "sandbox.db"), "something else\n".repeat(100));
    const program = `import { createSandbox } from "iotdeck/sandbox"; await createSandbox(${JSON.stringify({ dataDir })});`;
    const args = ["--input-type=module", "-e", program];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^DataDirectoryError: .* is not a database of the sandbox\. Move it away/m);
    for (const line of stderr.split("\n")) expect(line.length, line).toBeLessThan(300);
  });

  it("runs as a command", () => {
    expect(run([join(home, "bin", "iot.js"), "--version"])).toBe(manifest.version);
  });

  it("says which package --jq needs where it was not installed", () => {
    const jq = join(folder, "node_modules", "jq-wasm");
    rmSync(jq, { recursive: true });
    const env = { ...process.env, HOME: folder, USERPROFILE: folder, APPDATA: folder, XDG_CONFIG_HOME: folder };
    const args = [join(home, "bin", "iot.js"), "env", "list", "--jq", "."];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, env, encoding: "utf8" });
    symlinkSync(join(root, "node_modules", "jq-wasm"), jq, "junction");
    expect([status, stderr]).toEqual([1, expect.stringContaining("npm install jq-wasm")]);
  });

  it("says which packages s3:// needs where they were not installed", () => {
    const env = { ...process.env, HOME: folder, USERPROFILE: folder, APPDATA: folder, XDG_CONFIG_HOME: folder };
    const args = ["device", "data", "export", "65a1000000000000000d0001", "--dataset", "--out", "s3://lake/fleet"];
    const { status, stderr } = spawnSync(process.execPath, [join(home, "bin", "iot.js"), ...args], {
      ...{ cwd: folder, encoding: "utf8" },
      env: { ...env, IOT_API_URL: "http://127.0.0.1:9", IOT_TOKEN: "00000000-0000-4000-8000-000000000000" },
    });
    const install = "npm install @aws-sdk/client-s3 @aws-sdk/lib-storage";
    expect([status, stderr]).toEqual([1, expect.stringContaining(install)]);
  });

  it("says which package a table needs where it was not installed", () => {
    const program = `import { createSandbox } from "iotdeck/sandbox";
      import { spawn } from "node:child_process";
      const { url, tokens, close } = await createSandbox();
      const env = { ...process.env, HOME: process.cwd(), IOT_API_URL: url, IOT_TOKEN: tokens.profile };
      const args = ["device", "data", "export", "65a1000000000000000d0001", "--dataset", "--table", "iceberg", "--out", "lake/", "--yes"];
      const child = spawn(process.execPath, [${JSON.stringify(join(home, "bin", "iot.js"))}, ...args], { env });
      child.stderr.pipe(process.stdout);
      child.on("close", async (code) => { console.log("code", code); await close(); });`;
    const said = run(["--input-type=module", "-e", program]);
    expect(said).toContain("npm install avsc");
    expect(said).toContain("code 1");
  });

  it("has types for ES modules and for CommonJS", { tags: ["slow"] }, () => {
    const program = `
      const { devices } = new Resources({ token: "t", region: "eu-w1" });
      export const rows = devices.list({ fields: ["last_input"] }).then(([row]) => row?.last_input?.getTime());
      export const data = new Device({ token: "t" }).getData({ query: "last_item" });
    `;
    writeFileSync(join(folder, "module.mts"), `import { Device, Resources } from "iotdeck";\n${program}`);
    writeFileSync(join(folder, "common.cts"), `import { Device, Resources } from "iotdeck";\n${program}`);
    writeFileSync(
      join(folder, "wrong.mts"),
      'import { Resources } from "iotdeck";\nexport const wrong: number = new Resources({ token: "t" }).devices.info("d1");\n',
    );
    writeFileSync(
      join(folder, "sandbox.mts"),
      'import { createSandbox } from "iotdeck/sandbox";\nexport const url: Promise<string> = createSandbox({ port: 0 }).then((one) => one.url);\n',
    );
    writeFileSync(
      join(folder, "sandbox.cts"),
      'import { createSandbox } from "iotdeck/sandbox";\nexport const made = createSandbox({ seed: "empty" });\n',
    );
    mkdirSync(join(folder, "node_modules", "@types"), { recursive: true });
    const types = join("node_modules", "@types", "node");
    symlinkSync(join(root, types), join(folder, types), "junction");
    const compile = (...files: string[]) =>
      spawnSync(
        process.execPath,
        [
          join(root, "node_modules", "typescript-native", "bin", "tsc"),
          ...["--noEmit", "--strict", "--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom,dom.iterable"],
          ...files,
        ],
        { cwd: folder, encoding: "utf8" },
      ).stdout;
    const files = ["module.mts", "common.cts", "wrong.mts", "sandbox.mts", "sandbox.cts"];
    expect(compile("--types", "node", ...files)).toMatch(/^wrong\.mts\(2,14\): error [^\n]*\n$/);
  });

  /** Programs with types of the inner modules of the official SDK 11.x, by how modules are found. */
  const lookups: readonly [name: string, compiler: string, ending: string, ...args: string[]][] = [
    ["an ES module", "typescript-native", ".mts", "--module", "nodenext"],
    ["CommonJS", "typescript-native", ".cts", "--module", "nodenext"],
    ["a bundler", "typescript-native", ".ts", "--module", "esnext", "--moduleResolution", "bundler"],
    ["an older compiler", "typescript", ".ts", "--module", "commonjs", "--moduleResolution", "node10"],
  ];
  it.each(lookups)("has the types of inner modules for %s", { tags: ["slow"], timeout: 120_000 }, (...lookup) => {
    const [, compiler, ending, ...args] = lookup;
    const programs = join(root, "test", "types", "inner");
    const files = readdirSync(programs).map((name) => {
      const text = readFileSync(join(programs, name), "utf8");
      // ES modules name files with their ending.
      const named = ending === ".mts" ? text.replace(/"(iotdeck\/(?:lib|src)\/[^"]+)"/g, '"$1.js"') : text;
      const file = name.replace(/\.ts$/, ending);
      writeFileSync(join(folder, file), named);
      return file;
    });
    const tsc = join(root, "node_modules", compiler, "bin", "tsc");
    const old = compiler === "typescript" ? ["--ignoreDeprecations", "6.0", "--esModuleInterop"] : [];
    const lib = ["--target", "es2023", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"];
    const all = [tsc, "--noEmit", "--strict", "--ignoreConfig", ...lib, ...old, ...args, ...files];
    expect(spawnSync(process.execPath, all, { cwd: folder, encoding: "utf8" }).stdout).toBe("");
  });

  it("has metadata whose type a program declares once, as the guide to migrating shows", {
    tags: ["slow"],
    timeout: 120_000,
  }, () => {
    const guide = readFileSync(join(root, "docs", "MIGRATING.md"), "utf8");
    const [, declared = ""] = /```typescript\n(import "iotdeck";[\s\S]*?)```/.exec(guide) ?? [];
    const use = `
      import type { Data } from "iotdeck";
      export const x = (record: Data): number | undefined => record.metadata?.geo?.x;
      export const far = (record: Data): unknown => record.metadata?.other;
    `;
    const geo = "geo?: { x: number; y: number };";
    expect(declared).toContain(geo);
    const texts = {
      undeclared: use,
      declared: declared + use,
      open: declared.replace(geo, "[key: string]: any;") + use,
    };
    const lib = ["--module", "nodenext", "--target", "es2023", "--lib", "es2023,dom,dom.iterable,dom.asynciterable"];
    const errors = Object.entries(texts).map(([name, text]) => {
      writeFileSync(join(folder, `${name}.mts`), text);
      const tsc = join(root, "node_modules", "typescript-native", "bin", "tsc");
      const args = [tsc, "--noEmit", "--strict", "--ignoreConfig", ...lib, `${name}.mts`];
      return spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" }).stdout;
    });
    expect(errors).toEqual([
      expect.stringMatching(/^undeclared\.mts\(3,\d+\): error TS2339: [^\n]*'x'[^\n]*\n$/),
      "",
      "",
    ]);
  });

  it("loads an inner module of types as an empty one, and none that had values", { tags: ["slow"] }, () => {
    const empty = ["lib/types", "lib/types.js", "lib/modules/Device/device.types", "src/common/common.types"];
    const gone = ["lib/modules/Device/Device", "lib/regions", "lib/modules/Utils/Utils"];
    const script = `(async () => {
      const load = (name) => import("iotdeck/" + name).then((one) => Object.keys(one.default), (error) => error.code);
      const required = ${JSON.stringify(empty)}.map((name) => Object.keys(require("iotdeck/" + name)));
      const imported = await Promise.all(${JSON.stringify([...empty, ...gone])}.map(load));
      console.log(JSON.stringify([required, imported]));
    })();`;
    const none = empty.map(() => []);
    expect(run(["-p", 'require("iotdeck/lib/modules") === require("iotdeck")'])).toBe("true");
    expect(JSON.parse(run(["-e", script]))).toEqual([none, [...none, ...gone.map(() => "ERR_MODULE_NOT_FOUND")]]);
  });

  it("has every chunk it names", () => {
    const chunks = readdirSync(join(home, "dist", "chunks"));
    for (const name of [
      "cli.cjs",
      "sandbox.cjs",
      "sandbox.js",
      "screens.js",
      ...chunks.filter((chunk) => /\.c?js$/.test(chunk)).map((chunk) => `chunks/${chunk}`),
    ]) {
      const text = readFileSync(join(home, "dist", name), "utf8");
      const named = [...text.matchAll(/(?:import|require)\(?\s*["'`](\.{1,2}\/[\w./-]+\.c?js)["'`]/g)].map(
        ([, path = ""]) => path,
      );
      for (const path of named)
        expect(existsSync(join(home, "dist", name, "..", path)), `${name} names ${path}`).toBe(true);
    }
    expect(chunks.length).toBeGreaterThan(1);
  });
});
