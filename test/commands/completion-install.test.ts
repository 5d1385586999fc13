import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { runHere } from "../helpers/in-process.ts";

const install = (home: string, args: readonly string[], env: Record<string, string> = {}) =>
  runHere(["completion", "install", ...args], { env: { HOME: home, SHELL: "", ...env } });

describe("completion install", () => {
  it.each([
    ["bash", ".bashrc", 'eval "$(iot completion bash)"'],
    ["zsh", ".zshrc", "source <(iot completion zsh)"],
    ["fish", ".config/fish/completions/iot.fish", "iot completion fish | source"],
  ])("adds to the file of %s once, and says to which", async (shell, name, line) => {
    const home = temporaryFolder();
    const file = join(home, name);
    const planned = await install(home, [shell, "--dry-run", "--json"]);
    expect(JSON.parse(planned.stdout)).toMatchObject({ shell, state: "would be added" });
    expect(() => statSync(file)).toThrow();
    const first = await install(home, [shell]);
    expect({ code: first.code, says: first.stderr.includes(line) }).toEqual({ code: 0, says: true });
    const text = readFileSync(file, "utf8");
    expect(text.split("\n")).toContain(line);
    const second = await install(home, [shell, "--json"]);
    expect(JSON.parse(second.stdout)).toMatchObject({ state: "unchanged" });
    expect(readFileSync(file, "utf8")).toBe(text);
  });

  it("keeps what the file holds, its mode and the link to it", { tags: ["posix"] }, async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, "dotfiles"));
    const own = join(home, "dotfiles", "bashrc");
    writeFileSync(own, "# iot completion bash is not set up by a comment\nalias ll='ls -l'", { mode: 0o600 });
    symlinkSync(own, join(home, ".bashrc"));
    expect((await install(home, [], { SHELL: "/usr/bin/bash" })).code).toBe(0);
    expect(readFileSync(own, "utf8")).toBe(
      "# iot completion bash is not set up by a comment\nalias ll='ls -l'\n\n# Tab completion of iot\neval \"$(iot completion bash)\"\n",
    );
    expect(statSync(own).mode & 0o777).toBe(0o600);
  });

  it("asks for the shell where the system does not say it", async () => {
    const { code, stderr } = await install(temporaryFolder(), [], { SHELL: "/bin/tcsh" });
    expect({ code, says: stderr.includes("SHELL names tcsh") }).toEqual({ code: 2, says: true });
  });
});
