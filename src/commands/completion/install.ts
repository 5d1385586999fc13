import { appendFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { readTextIfThere, writeWhole } from "../kit/files/files.ts";
import { showPath } from "../kit/settings/paths.ts";

const shells = ["bash", "zsh", "fish"] as const;
type Shell = (typeof shells)[number];

/** What a shell reads at its start, and what to put there. */
interface Startup {
  readonly path: string;
  readonly lines: readonly string[];
}

/** Where each shell looks. The scripts are made at each start, so they fit the installed version. */
function startupOf(shell: Shell, { env }: Pick<CommandContext, "env">): Startup {
  const home = env["HOME"] || homedir();
  if (shell === "fish") {
    const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
    return { path: join(config, "fish", "completions", "iot.fish"), lines: ["iot completion fish | source"] };
  }
  if (shell === "zsh") {
    const compinit = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }";
    return { path: join(env["ZDOTDIR"] || home, ".zshrc"), lines: [compinit, "source <(iot completion zsh)"] };
  }
  // The bash of macOS cannot source a process substitution.
  return { path: join(home, ".bashrc"), lines: ['eval "$(iot completion bash)"'] };
}

/** The shell of the user, as the system says. */
function usualShell({ env }: Pick<CommandContext, "env">): Shell {
  const name = basename(env["SHELL"] ?? "");
  const shell = shells.find((known) => known === name);
  if (shell !== undefined) return shell;
  throw usageError("The shell is not known.", {
    code: "usage.missing_argument",
    why:
      name === "" ? "SHELL is not set." : `SHELL names ${name}; completion can be installed for ${shells.join(", ")}.`,
    next: 'Name it, as in "iot completion install bash". For PowerShell: iot completion powershell.',
  });
}

/** Adds the lines at the end of a file that the user may have written, or have linked from elsewhere. */
function append({ path, lines }: Startup, before: string): void {
  const gap = before === "" ? "" : before.endsWith("\n") ? "\n" : "\n\n";
  const text = `${gap}# Tab completion of iot\n${lines.join("\n")}\n`;
  if (before === "") writeWhole(path, text, { file: 0o644, folder: 0o755 });
  else appendFileSync(path, text);
}

const columns = [{ key: "shell" }, { key: "file" }, { key: "state" }] as const;

export const install = defineCommand({
  path: ["install"],
  asks: "nothing",
  result: one(columns),
  effect: "local",
  summary: "Set up completion in the files of a shell",
  details:
    "Adds lines to ~/.bashrc, ~/.zshrc (or that of ZDOTDIR), or writes ~/.config/fish/completions/iot.fish. " +
    "Nothing is changed if the file has such a line already. To remove it, delete the lines below the comment.",
  args: [{ name: "shell", summary: "bash, zsh or fish (default: the one in SHELL)", values: shells }],
  options: [{ name: "dry-run", summary: "print the lines and where they would go, without writing" }],
  examples: ["iot completion install bash", "iot completion install fish --dry-run"],
  related: ["iot completion bash"],
  async run(ctx, { args, options }) {
    const shell = shells.find((known) => known === args.shell) ?? usualShell(ctx);
    const startup = startupOf(shell, ctx);
    const before = readTextIfThere(startup.path) ?? "";
    const file = showPath(startup.path);
    const isThere = new RegExp(`^[^#]*\\biot completion ${shell}\\b`, "m").test(before);
    const state = isThere ? "unchanged" : options.dryRun ? "would be added" : "added";
    if (state === "added") {
      makeFolder(dirname(startup.path), 0o755);
      append(startup, before);
    }
    await ctx.out.item({ shell, file, state }, { columns, idKey: "file" });
    if (isThere) return ctx.say.info(`${file} sets up completion already.`);
    ctx.say.info(`${options.dryRun ? "Would add" : "Added"} to ${file}: ${startup.lines.join("; ")}`);
    if (!options.dryRun) ctx.say.hint("Open a new terminal, then press Tab after iot.");
  },
});
