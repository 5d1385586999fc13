// A place of its own for the program: settings, a sandbox it is logged in to, and a date that moves only when told to.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The date of all pictures. */
export const NOW_MS = Date.parse("2026-03-02T14:03:00Z");
const program = process.env.IOT_TEST_CLI ?? fileURLToPath(new URL("../../bin/iot.js", import.meta.url));
/** How the program is started: its date is the one of the place. */
export const programArgs = ["--import", new URL("./fixed-date.js", import.meta.url).href, program];

export async function openPlace({ url, tokens }) {
  const folder = mkdtempSync(join(tmpdir(), "iot-screens-"));
  const dateFile = join(folder, "date");
  writeFileSync(dateFile, "");
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    TZ: "UTC",
    TERM: "xterm-256color",
    NO_PROXY: "127.0.0.1",
    IOT_CONFIG_DIR: join(folder, "config"),
    IOT_NO_UPDATE_CHECK: "1",
    SCREENS_DATE_OF: dateFile,
  };
  const place = {
    folder,
    env,
    setDate: (ms) => utimesSync(dateFile, new Date(ms), new Date(ms)),
    iot: (args, stdin) => runProgram(place, args, stdin),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
  place.setDate(NOW_MS);
  await place.iot(["env", "add", "plant", "--api-url", url, "--use"]);
  await place.iot(["auth", "login", "--with-token"], tokens.profile);
  return place;
}

/** Runs a command that is not in a picture. */
async function runProgram({ folder, env }, args, stdin = "") {
  const child = spawn(process.execPath, [...programArgs, ...args], { cwd: folder, env });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (part) => (text += part));
  child.stdin.end(stdin);
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${text}`);
}
