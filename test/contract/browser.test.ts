import { join } from "node:path";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";
import { demoSandbox } from "../helpers/demo-sandbox.ts";
import { root } from "./imports.ts";

describe("the library in a web program", () => {
  it("is bundled from the entry for browsers, without a module of Node", async () => {
    const { metafile, outputFiles } = await build({
      entryPoints: [join(root, "scripts", "anywhere", "browser-app.js")],
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      format: "esm",
      target: "es2022",
      absWorkingDir: root,
    });
    expect(Object.keys(metafile.inputs)).toContain("dist/browser.js");
    expect(outputFiles[0]?.text).not.toMatch(/["'`]node:/);
  });

  it("does all of the program with nothing but the web platform's fetch", { tags: ["slow"] }, async () => {
    const sandbox = await demoSandbox();
    const { url, eventsUrl, tokens } = sandbox;
    const place = { url, eventsUrl, token: tokens.profile, deviceToken: tokens.device };
    const library: unknown = await import(join(root, "dist", "browser.js"));
    const program = (await import(join(root, "scripts", "anywhere", "program.js"))) as {
      runProgram(library: unknown, place: object): Promise<string[]>;
    };
    try {
      const done = await program.runProgram(library, place);
      expect(done).toContain("upload of a Blob");
      expect(done).toContain("event stream");
    } finally {
      await sandbox.close();
    }
  });
});
