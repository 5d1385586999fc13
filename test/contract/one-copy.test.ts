import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./imports.ts";

const server = `
  const { createServer } = require("node:http");
  /** Calls \`use\` with a region whose API answers on this machine; the device "gone" is not there. */
  exports.withRegion = async (use) => {
    const server = createServer(({ url }, response) => {
      const isThere = !url.endsWith("/gone");
      response.statusCode = isThere ? 200 : 404;
      response.end(JSON.stringify(isThere ? { status: true, result: { id: "d1" } } : { status: false, message: "Gone" }));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    const api = "http://127.0.0.1:" + server.address().port;
    try {
      return await use({ api, sse: api });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  };
`;

const loads = `
  import { createRequire } from "node:module";
  import vm from "node:vm";
  import * as imported from "iotdeck";
  import { throughCommonJs } from "./common.cjs";
  import { withRegion } from "./server.cjs";
  const require = createRequire(import.meta.url);
  const required = require("iotdeck");
`;

/** A program that calls \`report\`, in a realm or a script of its own, with what a request over each transport returns. */
const requests = `
  (async (require, report) => {
    const { ApiError, Resources } = require("iotdeck");
    await require("./server.cjs").withRegion(async (region) => {
      for (const transport of [undefined, "undici", "fetch"]) {
        const { devices } = new Resources({ token: "t", region, ...(transport && { transport }) });
        const { id } = await devices.info("d1");
        const error = await devices.info("gone").catch((caught) => caught);
        report([transport ?? "default", id, error instanceof ApiError, error.message].join(" "));
      }
    });
  })
`;

const answers = ["default d1 true Gone", "undici d1 true Gone", "fetch d1 true Gone"];

describe("the library and the sandbox in one process", () => {
  let folder = "";

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "iotdeck-one-copy-")));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules", "iotdeck"), "junction");
    writeFileSync(join(folder, "server.cjs"), server);
    writeFileSync(join(folder, "common.cjs"), 'exports.throughCommonJs = require("iotdeck");');
  });

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** What a program, an ES module beside the installed package, passes to its function \`report\`. */
  function reported(program: string): unknown[] {
    const text = `${loads}; const reports = []; const report = (value) => reports.push(value);
      ${program}; console.log(JSON.stringify(reports));`;
    writeFileSync(join(folder, "program.mjs"), text);
    const { NODE_PATH: _path, NODE_OPTIONS: _options, IOT_TRANSPORT: _transport, ...env } = process.env;
    const { stdout, stderr } = spawnSync(process.execPath, ["program.mjs"], { cwd: folder, env, encoding: "utf8" });
    expect(stderr).toBe("");
    return JSON.parse(stdout) as unknown[];
  }

  it("have the same exports for import, import(), require and a CommonJS file that is imported", () => {
    const [names, importedNames, different] = reported(`
      const copies = [imported, await import("iotdeck"), throughCommonJs];
      report(Object.keys(required).sort());
      report(Object.keys(imported).sort());
      report(Object.keys(required).filter((name) => copies.some((copy) => copy[name] !== required[name])));
    `);
    expect(names).toEqual(expect.arrayContaining(["Account", "Cache", "Resources", "SdkError"]));
    expect(importedNames).toEqual(names);
    expect(different).toEqual([]);
  });

  it("throw errors that are instances of the classes of every copy", () => {
    const program = `
      await withRegion(async (region) => {
        const client = { token: "t", region };
        const fromImported = await new imported.Resources(client).devices.info("gone").catch((error) => error);
        const fromRequired = await new required.Resources(client).devices.info("gone").catch((error) => error);
        report(fromImported instanceof required.ApiError && fromImported instanceof throughCommonJs.SdkError);
        report(fromRequired instanceof imported.ApiError && fromRequired instanceof throughCommonJs.SdkError);
      });
    `;
    expect(reported(program)).toEqual([true, true]);
  });

  it("share the region that Analysis.use sets", () => {
    const program = `
      await withRegion(async (region) => {
        imported.Analysis.use(() => undefined, { token: "t", region, autostart: false });
        report((await new required.Resources({ token: "t" }).devices.info("d1")).id);
      });
    `;
    expect(reported(program)).toEqual(["d1"]);
  });

  it("share the cache", () => {
    const program = `
      imported.Cache.addCache({ report: "daily" }, { total: 3 });
      report(required.Cache.getCache({ report: "daily" }));
      throughCommonJs.Cache.clearCache();
      report(imported.Cache.getCache({ report: "daily" }) === undefined);
    `;
    expect(reported(program)).toEqual([{ total: 3 }, true]);
  });

  it("have the same createSandbox for import and require", () => {
    const program = `
      const { createSandbox } = await import("iotdeck/sandbox");
      report(typeof createSandbox);
      report(createSandbox === require("iotdeck/sandbox").createSandbox);
    `;
    expect(reported(program)).toEqual(["function", true]);
  });

  it.each([
    ["a vm.Script", "new vm.Script(text).runInThisContext()"],
    ["vm.runInNewContext", "vm.runInNewContext(text)"],
  ])("make requests from %s that require is handed to", { tags: ["slow"] }, (_name, compiled) => {
    const program = `const text = ${JSON.stringify(requests)}; await ${compiled}(require, report);`;
    expect(reported(program)).toEqual(answers);
  });

  it("make requests when a vm.Script is the library itself, which cannot call import()", { tags: ["slow"] }, () => {
    const program = `
      const path = require.resolve("iotdeck");
      const text = "(function (module, exports, require) {" + require("node:fs").readFileSync(path, "utf8") + "})";
      const module = { exports: {} };
      const own = createRequire(path);
      new vm.Script(text).runInThisContext()(module, module.exports, own);
      const handed = (name) => (name === "iotdeck" ? module.exports : require(name));
      await (${requests})(handed, report);
    `;
    expect(reported(program)).toEqual(answers);
  });
});
