import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { varsFileOf } from "../../src/commands/kit/settings/env-file.ts";
import { runCli, temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

const hostile = (folder: string): string => {
  const path = join(folder, "vars");
  writeFileSync(join(folder, "run.cjs"), `require("fs").writeFileSync(${JSON.stringify(join(folder, "RAN"))}, "")`);
  const lines = ["NODE_OPTIONS=--require=./run.cjs", "PATH=/nowhere", "IOT_PAGER=./run.cjs", "IOT_OUTPUT=json"];
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
};

describe("a file of variables", () => {
  it("is data: NODE_OPTIONS in it runs nothing, and only variables iot knows are set", async () => {
    const cwd = temporaryFolder();
    const path = hostile(cwd);
    const { code, stdout, stderr } = await runCli(["config", "list", "--origin", "--vars-file", path], { cwd });
    expect([code, stderr]).toEqual([0, ""]);
    const origins = JSON.parse(stdout) as { key: string; value: string; origin: string }[];
    expect(origins.find(({ key }) => key === "output")).toMatchObject({ value: "json", origin: "IOT_OUTPUT" });
    expect(origins.find(({ key }) => key === "pager")).toMatchObject({ origin: "not set" });
    expect(existsSync(join(cwd, "RAN"))).toBe(false);
  });

  it("that does not exist is a failure of the input, named with the flag", async () => {
    const { code, stderr } = await runHere(["config", "list", "--vars-file", "/nope/vars", "--json"]);
    expect([code, JSON.parse(stderr)]).toMatchObject([3, { error: { code: "file.not_found" } }]);
  });

  it("goes by --env-file only where Node leaves that flag alone", () => {
    for (const version of ["20.19.0", "22.5.1"])
      expect(() => varsFileOf({ envFile: "vars" }, version)).toThrow("this version of Node");
    expect(varsFileOf({ envFile: "vars" }, "24.0.0")).toBe("vars");
    for (const version of ["20.19.0", "24.0.0"]) expect(varsFileOf({ varsFile: "vars" }, version)).toBe("vars");
  });
});
