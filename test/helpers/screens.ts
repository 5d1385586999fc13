import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { cliEnvironment } from "./cli.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** What `scripts/screens.js --check` says of stale pictures: nothing when there are none. */
export async function checkScreens(env: Readonly<Record<string, string>>, ...flags: string[]): Promise<string> {
  const child = spawn(process.execPath, ["scripts/screens.js", "--check", ...flags], {
    cwd: root,
    env: cliEnvironment(env),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let text = "";
  child.stderr.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  return code === 0 ? text : `${text}ended with ${code}`;
}
