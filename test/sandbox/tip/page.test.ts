import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "../../helpers/documents.ts";
import { deviceId, type TipSandbox, tipSandbox } from "../../helpers/tip-sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { ok } from "../client.ts";

const run = promisify(execFile);
const page = readFileSync(join(root, "docs", "tip-from-mqtt.md"), "utf8");
const blocksOf = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"))].map(([, code = ""]) => code);
const has = (program: string): boolean => spawnSync(program, ["--version"]).error === undefined;

/** What the program for an Arduino needs of its libraries, to see that it is one. */
const ARDUINO = `
#include <cstdint>
#include <cstdio>
#include <cstring>
enum { WL_CONNECTED = 3 };
struct { void begin(const char *, const char *) {} int status() { return WL_CONNECTED; } } WiFi;
struct { void println(const char *) {} } Serial;
struct WiFiUDP {
  int begin(int) { return 1; }
  int beginPacket(const char *, int) { return 1; }
  int write(const uint8_t *, int length) { return length; }
  int endPacket() { return 1; }
  int parsePacket() { return 0; }
  int read(char *, int) { return 0; }
};
void delay(unsigned long) {}
int analogRead(int) { return 215; }
`;

let here: TipSandbox;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  here = await tipSandbox();
  folder = mkdtempSync(join(tmpdir(), "iot-tip-page-"));
  const variables = Object.entries(here.tip).map(([name, value]) => [`IOT_TIP_${name.toUpperCase()}`, value]);
  env = { ...process.env, ...Object.fromEntries(variables) };
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await here.sandbox.close();
});

const amount = (): Promise<number> =>
  ok<number>(here.sandbox, "GET", `/device/${deviceId}/data_amount`, { token: here.sandbox.tokens.profile });

describe("the page From MQTT to TagoTiP", { tags: ["slow", "posix"] }, () => {
  const lines = blocksOf("text").join("").split("\n").filter(Boolean);

  it("has a line for each transport", () => {
    expect(lines.map((line) => /\b(?:nc -u|nc|curl|mosquitto_pub)\b/.exec(line)?.[0])).toEqual([
      "nc -u",
      "nc",
      "curl",
      "mosquitto_pub",
    ]);
  });

  it.each(lines)("has a line that stores a record: %s", async (line) => {
    const program = /\b(?:nc|curl|mosquitto_pub)\b/.exec(line)?.[0] ?? "";
    // The package mqtt has a program with the same flags.
    const own = line.replace(/^mosquitto_pub/, `'${join(root, "node_modules/.bin/mqtt")}' pub`);
    if (program === "nc" && !has("nc")) return;
    const before = await amount();
    await run("bash", ["-c", program === "mosquitto_pub" && !has(program) ? own : line], { env });
    await waitFor(async () => (await amount()) === before + 1, `the record of ${line}`);
  });

  it("has a program in C that stores a record, without warnings", async () => {
    if (!has("cc")) return;
    const [source = ""] = blocksOf("c");
    writeFileSync(join(folder, "sensor.c"), source);
    await run("cc", ["-Wall", "-Wextra", "-Werror", "sensor.c", "-o", "sensor"], { cwd: folder });
    expect((await run(join(folder, "sensor"), { env })).stdout).toBe("ACK|OK|1\n");
  });

  it("has a program in Python that stores and reads", async () => {
    if (!has("python3")) return;
    const [source = ""] = blocksOf("python");
    const { stdout } = await run("python3", ["-c", source], { env });
    expect(stdout).toMatch(/^stored 2\nlast value \[temperature:=21\.5#C@\d+\]\nalive True\n$/);
  });

  it("has a program for Arduino that its compiler accepts", async () => {
    if (!has("c++")) return;
    const [source = ""] = blocksOf("cpp");
    for (const header of ["WiFi.h", "WiFiUdp.h"]) writeFileSync(join(folder, header), "");
    writeFileSync(join(folder, "sensor.cpp"), ARDUINO + source);
    await run("c++", ["-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I.", "sensor.cpp"], { cwd: folder });
  });

  it("has programs of at most 45 lines", () => {
    for (const source of ["c", "python", "cpp"].flatMap(blocksOf))
      expect(source.split("\n").length).toBeLessThanOrEqual(45);
  });
});
