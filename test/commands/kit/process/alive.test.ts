import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isAlive } from "../../../../src/commands/kit/process/alive.ts";
import { waitFor } from "../../../helpers/wait-for.ts";

it("A process that runs is alive, and so is one of another user", () => {
  expect(isAlive(process.pid)).toBe(true);
  expect(isAlive(1)).toBe(true);
});

it("A process that has ended is not alive, even while its parent has not collected it", {
  tags: ["posix"],
}, async () => {
  // The shell becomes a program that never collects the child it inherits.
  const parent = spawn("sh", ["-c", "sleep 0.1 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString("utf8"));
    await waitFor(() => !isAlive(pid), "the end of the child");
    // The number is still taken, which is all that a signal of 0 tells.
    expect(() => process.kill(pid, 0)).not.toThrow();
  } finally {
    parent.kill("SIGKILL");
  }
});
