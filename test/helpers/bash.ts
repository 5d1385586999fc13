import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { cliEnvironment, cliPath, runCli, temporaryFolder } from "./cli.ts";
import { waitFor } from "./wait-for.ts";

/** A real bash on a pseudo-terminal, with the completion script loaded. */
export interface Bash {
  /** Types the text and Tab, and resolves to the line as it stands then. */
  complete(typed: string): Promise<string>;
  close(): void;
}

const mark = "@@@";

/** Starts it in `cwd`; `iot` is the program under test. */
export async function startBash(env: Readonly<Record<string, string>>, cwd: string): Promise<Bash> {
  const programs = temporaryFolder();
  writeFileSync(join(programs, "iot"), `#!/bin/sh\nexec "${process.execPath}" "${await cliPath()}" "$@"\n`, {
    mode: 0o755,
  });
  const { stdout } = await runCli(["completion", "bash"]);
  const script = join(programs, "completion.sh");
  writeFileSync(script, stdout);
  // What stands on the line is shown as bash itself sees it, not as the screen does.
  const rc = join(programs, "rc");
  writeFileSync(
    rc,
    `PS1='$ '\nset +o history\nsource ${script}\nbind 'set bell-style none' 2>/dev/null\n_show() { printf '\\n${mark}%s${mark}\\n' "$READLINE_LINE"; READLINE_LINE=; }\nbind -x '"\\C-g": _show'\necho ready\n`,
  );
  const variables = cliEnvironment(env);
  const child: IPty = spawn("bash", ["--norc", "--noprofile", "--rcfile", rc, "-i"], {
    cols: 300,
    rows: 50,
    cwd,
    env: { ...variables, PATH: `${programs}:${variables["PATH"] ?? ""}` },
  });
  let text = "";
  child.onData((data) => {
    text += data;
  });
  const printed = async (pattern: RegExp): Promise<RegExpExecArray | null> => {
    await waitFor(
      () => pattern.test(text),
      () => `${pattern} from bash, which printed:\n${text}`,
    );
    return pattern.exec(text);
  };
  child.write(`source ${rc}\r`);
  await printed(/^ready/m);
  return {
    async complete(typed) {
      text = "";
      child.write(`${typed}\t\u0007`);
      return (await printed(new RegExp(`${mark}(.*?)${mark}`, "s")))?.[1] ?? "";
    },
    close: () => child.kill("SIGKILL"),
  };
}
