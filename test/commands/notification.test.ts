import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ProgramHere, programHere } from "../helpers/program-here.ts";

interface Notification {
  readonly id: string;
  readonly title: string;
  readonly read: boolean;
  readonly buttons?: readonly { readonly id: string; readonly label: string }[];
  readonly buttons_enabled?: boolean;
}

let program: ProgramHere;
beforeAll(async () => {
  program = await programHere();
});
afterAll(() => program.close());

const titles = async (...flags: string[]): Promise<string[]> =>
  (await program.json<Notification[]>(["notification", "list", ...flags])).map(({ title }) => title);

const create = (title: string, ...flags: string[]): Promise<Notification> =>
  program.json(["notification", "create", "--title", title, "--message", "Text", ...flags]);

describe("notification", () => {
  it("marks some as read, and as not read again", async () => {
    const { id } = await create("One");
    expect(await titles("--unread")).toContain("One");
    expect(await program.json(["notification", "read", id, "name:Welcome"])).toEqual([
      { id, read: true },
      { id: "65a1000000000000000a2001", read: true },
    ]);
    expect(await titles("--unread")).not.toContain("One");
    await program.ok(["notification", "read", "name:One", "--unread"]);
    expect(await titles("--unread")).toContain("One");
  });

  it("presses a button by its id or label, and names the buttons there are", async () => {
    const { id, buttons } = await create("Pump", "--button", "now=Restart now", "--button", "later", "--once");
    expect(buttons).toEqual([
      { id: "now", label: "Restart now" },
      { id: "later", label: "later" },
    ]);
    const wrong = await program.run(["notification", "press", id, "never"]);
    expect({ code: wrong.code, stderr: wrong.stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("now, later"),
    });
    const pressed = await program.json<Notification>(["notification", "press", id, "Restart now"]);
    expect(pressed.buttons_enabled).toBe(false);
    expect((await program.run(["notification", "press", id, "now"])).code).toBe(1);
  });

  it("deletes after a confirmation, and says when there is none of this id", async () => {
    const { id } = await create("Gone");
    expect((await program.run(["notification", "delete", id])).code).toBe(2);
    expect((await program.run(["notification", "delete", "name:Gone", "--yes"])).code).toBe(0);
    expect((await program.run(["notification", "delete", id, "--yes"])).code).toBe(6);
  });

  it("refuses a condition the platform would leave out", async () => {
    expect((await program.run(["notification", "list", "--tag", "a=b"])).code).toBe(2);
  });

  it("marks all as read", async () => {
    await create("Last");
    await program.ok(["notification", "read-all"]);
    expect(await titles("--unread")).toEqual([]);
  });
});
