import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../helpers/cli.ts";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";
import { SEED_TOKENS } from "../helpers/seed.ts";

const alert = ["--analysis", "name:alert"];
const to = ["--to", "+15550100"];
const mail = ["--to", "a@x.test", "--to", "b@x.test", "--subject", "Tank"];

let program: ProgramHere;
let folder: string;
beforeAll(async () => {
  program = await programHere();
  folder = temporaryFolder();
});
afterAll(() => program.close());

const sent = () => program.here.sandbox.outbox().at(-1);
function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("service", () => {
  it.each([
    ["email", [...mail, "--message", "Full"], "email", { to: "a@x.test,b@x.test", subject: "Tank", message: "Full" }],
    [
      "email",
      ["--to", "a@x.test", "--template", "report", "--param", "day=Monday"],
      "email",
      { template: { name: "report", params: { day: "Monday" } } },
    ],
    ["sms", [...to, "--message", "Full"], "sms", { to: "+15550100", message: "Full" }],
    [
      "mqtt",
      ["--device", "name:Freezer 1", "--topic", "a/b", "--message", "on", "--qos", "1"],
      "mqtt",
      { topic: "a/b", message: "on", qos: 1 },
    ],
    ["notification", ["--title", "Tank", "--message", "Full"], "notification", { title: "Tank", message: "Full" }],
  ])("sends %s %j with the token of an analysis", async (verb, flags, kind, message) => {
    const answer = await program.json(["service", verb, ...flags, ...alert]);
    expect(answer).toEqual({ service: verb, result: expect.stringMatching(/sent/i) });
    expect(sent()).toMatchObject({ kind, analysis: "65a1000000000000000a0001", ...message });
  });

  it("sends files along byte for byte", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    await program.ok(["service", "email", ...mail, "--message", "Full", "--attach", file("all.bin", bytes), ...alert]);
    const [attached] = (sent()?.["attachment"] ?? []) as { filename: string; archive: string }[];
    expect(attached?.filename).toBe("all.bin");
    expect([...Buffer.from(attached?.archive ?? "", "base64")]).toEqual([...bytes]);
    await program.ok(["service", "attachment", "--file", file("a.csv", "x\n"), "--mime-type", "text/csv", ...alert]);
    expect(sent()).toMatchObject({ kind: "attachment" });
  });

  it("refuses a file that is too large, or not there, before anything is sent", async () => {
    const big = file("big.bin", new Uint8Array(5 * 1024 * 1024 + 1));
    expect((await program.run(["service", "email", ...mail, "--message", "x", "--attach", big, ...alert])).code).toBe(
      3,
    );
    const none = ["service", "email", ...mail, "--html", join(folder, "none.html"), ...alert];
    expect((await program.run(none)).code).toBe(3);
  });

  it("writes to the console of the analysis", async () => {
    await program.ok(["service", "console", "--message", "Hello console", ...alert]);
    expect(await program.ok(["api", "GET", "/analysis/65a1000000000000000a0001"])).toContain("Hello console");
  });

  it("works with the token of an analysis alone, and says what helps with another one", async () => {
    const args = ["service", "sms", ...to, "--message", "Own token"];
    await program.ok(args, { env: { IOT_TOKEN: SEED_TOKENS.analysis } });
    expect(sent()).toMatchObject({ message: "Own token" });
    const refused = await program.run(args);
    expect({ code: refused.code, stderr: refused.stderr }).toEqual({
      code: 5,
      stderr: expect.stringContaining("--analysis"),
    });
    expect((await program.run(args, { env: { IOT_TOKEN: "a-00000000-0000-4000-8000-000000000000" } })).code).toBe(4);
  });

  it.each([
    ["no text", ["email", ...mail]],
    ["no subject", ["email", "--to", "a@x.test", "--message", "x"]],
    ["two texts", ["email", ...mail, "--message", "x", "--html", "-"]],
    ["parameters without a template", ["email", ...mail, "--message", "x", "--param", "a=b"]],
    ["nobody to send to", ["sms", "--message", "x"]],
    ["no device", ["mqtt", "--topic", "a", "--message", "x"]],
  ])("ends with 2 for %s", async (_, flags) => {
    const { code, stdout } = await program.run(["service", ...flags, ...alert], { stdin: "{}" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });
});
