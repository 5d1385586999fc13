import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CliResult } from "../helpers/cli.ts";
import { type HereOptions, runHere } from "../helpers/in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "../helpers/sandbox.ts";
import { SEED_RUN_USERS } from "../helpers/seed.ts";

let here: SandboxUnderTest;
beforeAll(async () => {
  here = await sandboxUnderTest();
});
afterAll(() => here.close());

const run = (args: readonly string[], options: HereOptions = {}): Promise<CliResult> =>
  runHere(["run", ...args], { ...options, env: here.env });

async function json<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await run([...args, "--json"]);
  if (code !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as T;
}

const mails = () => here.sandbox.outbox().filter(({ kind }) => kind === "email");

describe("run", () => {
  it("shows the portal without the token of the anonymous user, in any format", async () => {
    const portal = await json<Record<string, unknown>>("get");
    expect(portal).toMatchObject({ name: "Demo Plant portal", active: true });
    expect(JSON.stringify(portal)).not.toContain("5eed0000-0000-4000-8000-0000000014");
  });

  it("changes named members and keeps the other colours and mails", async () => {
    const before = await json<{ email_templates: Record<string, unknown> }>("get");
    const template = JSON.stringify({ welcome_actived: { subject: "Hi", value: "You are in" } });
    const after = await json<typeof before>("update", "--sub-title", "New", "--email-templates", template);
    expect(after).toMatchObject({ sub_title: "New", email_templates: { welcome_actived: { subject: "Hi" } } });
    expect(Object.keys(after.email_templates).sort()).toEqual(Object.keys(before.email_templates).sort());
    expect(await run(["update"])).toMatchObject({ code: 2 });
  });

  it("sends a mail to try, also one of the portal's own", async () => {
    expect(await run(["email-test", "--subject", "Trial", "--body", "Hello"])).toMatchObject({ code: 0 });
    expect(mails().at(-1)).toMatchObject({ subject: "Trial" });
    expect(await run(["email-test", "--template", "password_recover"])).toMatchObject({ code: 0 });
    expect(await run(["email-test", "--template", "nothing"])).toMatchObject({
      code: 6,
      stderr: expect.stringContaining("password_recover"),
    });
  });

  it("sends one notification to several users, and nothing when one is not known", async () => {
    const note = ["--title", "Tank", "--message", "It is full."];
    const wrong = await run(["notify", "name:Oda Operator", "name:Nobody", ...note]);
    expect(wrong.code).toBe(6);
    const sent = await json("notify", "name:Oda Operator", "name:Dirk Driver", ...note);
    expect(sent).toMatchObject({ title: "Tank", users: 2 });
    expect(here.requests().filter((line) => line.startsWith("POST /run/notification"))).toHaveLength(1);
  });

  it("prints a login of a user once, in full, and not in its messages", async () => {
    const { code, stdout, stderr } = await run(["user", "login", "name:Oda Operator", "--expire", "1h"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^u-[0-9a-f-]{34}\n$/) });
    expect(stderr).not.toContain(stdout.trim());
    const before = Date.now();
    const login = await json<Record<string, string>>("user", "login", SEED_RUN_USERS.driver.id, "--expire", "1h");
    expect(login).toMatchObject({ token: expect.stringMatching(/^u-/), run_user: SEED_RUN_USERS.driver.id });
    const made = Date.parse(login["expire_date"] ?? "") - 3_600_000;
    expect(made).toBeGreaterThanOrEqual(before);
    expect(made).toBeLessThanOrEqual(Date.now());
  });

  it("maps claims of an identity provider one by one", async () => {
    await run(["saml", "update", "--map", "email=mail", "--map", "tags.role=department"]);
    expect(await json("saml")).toMatchObject({
      mapping: { email: "mail", firstName: "firstName", tags: { role: "department" } },
    });
    const xml = '<EntityDescriptor entityID="https://idp.example.test"/>';
    expect(await run(["saml", "update", "--metadata", "-"], { stdin: xml })).toMatchObject({ code: 0 });
    expect(await json("saml")).toMatchObject({ idp: { issuer: "https://idp.example.test" } });
    expect(await run(["saml", "update", "--map", "mail=email"])).toMatchObject({ code: 2 });
  });

  it("sets, renews and takes away the portal's own domain", async () => {
    expect(await run(["domain", "delete"])).toMatchObject({ code: 2 });
    expect(await run(["domain", "delete", "--yes"])).toMatchObject({ code: 0 });
    expect(await run(["domain"])).toMatchObject({ code: 6, stderr: expect.stringContaining("run domain create") });
    const domain = ["--domain", "example.test", "--subdomain", "plant", "--email", "it@example.test"];
    const made = await json<Record<string, unknown>>("domain", "create", ...domain);
    expect(made).toMatchObject({ subdomain: "plant", dns_page: { type: "CNAME" } });
    expect(await json("domain", "regenerate", "--yes")).not.toEqual(made);
    const table = await run(["domain"]);
    expect(table.stdout).toContain("CNAME plant.example.test -> portal.example.test (missing)");
  });
});
