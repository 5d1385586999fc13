import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fileKey } from "../../src/commands/file/sync-plan.ts";
import { replaceFile } from "../../src/commands/kit/files/replace-file.ts";
import { endGroup } from "../../src/commands/kit/process/end-group.ts";
import { copyEnvironment, isInPath } from "../../src/commands/kit/process/in-path.ts";
import { pluginsIn } from "../../src/commands/kit/process/plugins.ts";
import { windowsLine } from "../../src/commands/kit/process/run-child.ts";
import { variableLine } from "../../src/commands/sandbox/child.ts";
import { safeRelativePath } from "../../src/text/clean.ts";
import { temporaryFolder } from "../helpers/cli.ts";

/** The arguments a program of Windows finds in its line, once the shell has taken its escapes away. */
function argumentsOf(line: string): string[] {
  const plain = line.replace(/\^([\s\S])/g, "$1");
  const found = [...plain.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)];
  return found.map(([, quoted, bare = ""]) =>
    quoted === undefined
      ? bare
      : quoted.replace(/(\\*)\\"/g, (_, slashes: string) => `${slashes.slice(slashes.length / 2)}"`),
  );
}

describe("a command line for the shell of Windows", () => {
  it.each([
    [["npm", "test"], 'npm ^"test^"'],
    [["./bin/run.cmd", "a b"], '^"a^ b^"'],
    [["node", "-e", 'console.log("hi")'], '^(\\^"hi\\^"^)'],
    [["x", "C:\\folder\\"], 'C:\\folder\\\\^"'],
    [["x", "100%PATH%", "a&b|c>d", "!v!"], "100^%PATH^%"],
  ])("holds the arguments of %j as they are", (command, part) => {
    expect(windowsLine(command)).toContain(part);
  });

  it("escapes every sign that the shell acts on", () => {
    const line = windowsLine(["x", 'a & del * | b > c < d ^ e % f ! g ; h , i ( j ) " k `']);
    expect(line.replace(/\^[\s\S]/g, "")).toMatch(/^x [a-z\\]*$/);
  });

  it.each([
    ["a b", "", "c"],
    ['say "hi"', "100%", "a&b", "^"],
    ["*.json", "{a,b}", "(x)", "!"],
  ])("is read back as %j, %j ...", (...args) => {
    expect(argumentsOf(windowsLine(["x", ...args])).slice(1)).toEqual(args);
  });

  it("names a program by a path of Windows", () => {
    expect(windowsLine(["./node_modules/.bin/iot"])).toBe("node_modules\\.bin\\iot");
    expect(windowsLine(["C:/Program Files/x.exe"])).toBe("C:\\Program^ Files\\x.exe");
  });
});

describe("variables on Windows", () => {
  it("are set by lines of PowerShell that insert nothing", () => {
    expect(variableLine("IOT_TOKEN", "a$b'c", "win32")).toBe("$env:IOT_TOKEN = 'a$b''c'");
    expect(variableLine("IOT_TOKEN", "a b", "linux")).toBe("export IOT_TOKEN='a b'");
  });

  it("are copied with PATH in upper case, under which commands look for it", () => {
    expect(copyEnvironment({ Path: "C:\\bin", Other: "x" }, "win32")).toEqual({ PATH: "C:\\bin", Other: "x" });
    expect(copyEnvironment({ Path: "x", PATH: "y" }, "linux")).toEqual({ Path: "x", PATH: "y" });
  });

  it("find a program by the endings of the system", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "less.EXE"), "");
    expect(isInPath("less", { PATH: `C:\\nowhere;${folder}` }, "win32")).toBe(true);
    expect(isInPath("less", { PATH: folder, PATHEXT: ".CMD" }, "win32")).toBe(false);
    expect(isInPath("less", { PATH: `/nowhere:${folder}` }, "linux")).toBe(false);
  });

  it("find plugins by these endings, in their order", () => {
    const folder = temporaryFolder();
    for (const name of ["iot-hello.CMD", "iot-hello.exe", "iot-notes.txt"]) writeFileSync(join(folder, name), "");
    const found = pluginsIn({ PATH: `relative;${folder}`, PATHEXT: ".EXE;.CMD" }, "win32");
    expect(found.map(({ path }) => path)).toEqual([join(folder, "iot-hello.exe"), join(folder, "iot-hello.CMD")]);
  });
});

describe("replacing a file on Windows", () => {
  const failing = (code: string, times: number) => {
    let calls = 0;
    const rename: typeof renameSync = (from, to) => {
      calls += 1;
      if (calls <= times) throw Object.assign(new Error(code), { code });
      renameSync(from, to);
    };
    return { rename, calls: () => calls };
  };
  const files = () => {
    const folder = temporaryFolder();
    const [from, to] = [join(folder, "from"), join(folder, "to")];
    writeFileSync(from, "new");
    writeFileSync(to, "old");
    return { from, to };
  };

  it.each(["EPERM", "EACCES", "EBUSY"])("waits while another program holds it (%s)", (code) => {
    const { from, to } = files();
    replaceFile(from, to, "win32", failing(code, 2).rename);
    expect(readFileSync(to, "utf8")).toBe("new");
  });

  it.each([
    ["linux", "EPERM"],
    ["win32", "ENOSPC"],
  ])("fails at once on %s with %s", (platform, code) => {
    const { from, to } = files();
    const { rename, calls } = failing(code, 1);
    expect(() => replaceFile(from, to, platform, rename)).toThrow(code);
    expect({ calls: calls(), content: readFileSync(to, "utf8") }).toEqual({ calls: 1, content: "old" });
  });
});

it("ends a process where the system has no groups and no program that ends a tree", async () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const end = once(child, "exit");
  endGroup(child, "SIGTERM", "win32");
  expect(await end).toEqual([null, "SIGTERM"]);
});

describe("names of files", () => {
  it("are the same on Windows and macOS where only case differs, on macOS also by the form of an accent", () => {
    const [composed, decomposed] = ["Caf\u00e9", "cafe\u0301"];
    expect(fileKey("A/b", "win32")).toBe(fileKey("a/B", "win32"));
    expect(fileKey(composed, "darwin")).toBe(fileKey(decomposed, "darwin"));
    expect(fileKey(composed, "win32")).not.toBe(fileKey(decomposed, "win32"));
    expect(fileKey("A", "linux")).not.toBe(fileKey("a", "linux"));
  });

  it.each([
    ["con", "_con"],
    ["a/NUL.txt", "a/_NUL.txt"],
    ["COM1", "_COM1"],
    ["lpt² .csv", "_lpt² .csv"],
    ["CONOUT$", "_CONOUT$"],
    ["console.log", "console.log"],
    ["12:30:00.csv", "12_30_00.csv"],
    [`${"x".repeat(199)}.txt`, "x".repeat(199)],
  ])("of a server, such as %s, are ones Windows takes", (name, safe) => {
    expect(safeRelativePath(name)).toBe(safe);
  });
});
