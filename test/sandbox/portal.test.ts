import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authenticatorCode } from "../../src/sandbox/core/one-time-code.ts";
import { createSandbox, manualClock, type Sandbox } from "../../src/sandbox/index.ts";
import { type Answer, call, ok } from "./client.ts";

const clock = manualClock(Date.parse("2026-05-14T10:00:00Z"));
const HOUR_MS = 3_600_000;

let sandbox: Sandbox;
let url: string;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock });
  const portal = await admin<{ url: string; anonymous_token: null }>("GET", "/run");
  expect(portal).toMatchObject({
    profile: sandbox.profileId,
    url: `${sandbox.profileId}.tago.run`,
    anonymous_token: null,
  });
  url = portal.url;
});
afterAll(() => sandbox.close());

const admin = <T = unknown>(method: string, path: string, body?: unknown): Promise<T> =>
  ok<T>(sandbox, method, path, { token: sandbox.tokens.profile, ...(body !== undefined && { body }) });

const at = (method: string, path: string, token?: string, body?: unknown): Promise<Answer> =>
  call(sandbox, method, `/run/${url}${path}`, {
    ...(token !== undefined && { token }),
    ...(body !== undefined && { body }),
  });

const refusal = ({ status, body }: Answer): readonly unknown[] => [status, body.message];
const sent = (member: string): string => String(sandbox.outbox().at(-1)?.[member]);

interface Person {
  readonly id: string;
  readonly email: string;
  readonly password: string;
}

/** An active user made by the administrator. */
async function person(name: string, members: object = {}): Promise<Person> {
  const who = { email: `${name}@example.test`, password: `${name}-password` };
  const body = { ...who, name, timezone: "UTC", active: true, ...members };
  const { user } = await admin<{ user: string }>("POST", "/run/users", body);
  return { id: user, ...who };
}

async function login({ email, password }: Person, more: object = {}): Promise<string> {
  const answer = await at("POST", "/login", undefined, { email, password, ...more });
  expect(answer.body.status, answer.text).toBe(true);
  return (answer.body.result as { token: string }).token;
}

describe("a user who signs up", () => {
  it("logs in once the mail is answered, with only the tags the form asks for", async () => {
    await admin("PUT", "/run", {
      signup_fields: [{ name: "site", placeholder: "Site", type: "text", required: false }],
    });
    const who = { email: "self@example.test", password: "secret" };
    const tags = [
      { key: "site", value: "north" },
      { key: "role", value: "manager" },
    ];
    const answer = await at("POST", "/signup", undefined, {
      ...who,
      name: "Self",
      timezone: "UTC",
      tags,
      active: true,
    });
    const { user } = answer.body.result as { user: string };
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "email", to: who.email, template: "welcome_autoconfirm" });
    expect(refusal(await at("POST", "/login", undefined, who))).toEqual([401, "The user is not active"]);
    const link = sent("token");
    expect((await at("GET", `/confirm/${link}`)).status).toBe(200);
    expect((await at("GET", `/confirm/${link}`)).status).toBe(404);
    const token = await login({ id: user, ...who });
    const info = (await at("GET", "/info", token)).body.result;
    expect(info).toMatchObject({ id: user, email: who.email, active: true, tags: [{ key: "site", value: "north" }] });
    expect(JSON.stringify(info)).not.toContain("secret");
  });

  it("waits for the administrator when the portal says so, and is refused when it takes nobody", async () => {
    const who = { email: "waits@example.test", password: "secret", name: "Waits", timezone: "UTC" };
    await admin("PUT", "/run", { signup_method: "admin" });
    const { user } = (await at("POST", "/signup", undefined, who)).body.result as { user: string };
    await at("GET", `/confirm/${sent("token")}`);
    expect((await at("POST", "/login", undefined, who)).status).toBe(401);
    await admin("PUT", `/run/users/${user}`, { active: true });
    expect(sandbox.outbox().at(-1)).toMatchObject({ template: "welcome_actived" });
    expect((await at("POST", "/login", undefined, who)).status).toBe(200);
    await admin("PUT", "/run", { signup_method: "disabled" });
    const late = await at("POST", "/signup", undefined, { ...who, email: "late@example.test" });
    expect(refusal(late)).toEqual([403, "Sign up is disabled"]);
    await admin("PUT", "/run", { signup_method: "auto" });
  });
});

interface Logged {
  readonly events: readonly { readonly message: string; readonly who: string }[];
}

/** What the log of changes holds of a resource, oldest first. */
async function logged(id: string): Promise<readonly (readonly [message: string, who: string])[]> {
  const { queryId } = await admin<{ queryId: string }>("GET", `/profile/current/auditlog?resourceID=${id}`);
  const { events } = await admin<Logged>("GET", `/profile/current/auditlog/${queryId}`);
  return events.map(({ message, who }) => [message, who] as const).reverse();
}

describe("the log of changes", () => {
  it("holds what users of a portal do themselves, once each, from signing up to leaving", async () => {
    const who = { email: "logged@example.test", password: "secret", name: "Logged", timezone: "UTC", phone: "+300" };
    const { user } = (await at("POST", "/signup", undefined, who)).body.result as { user: string };
    const steps: string[] = [];
    const expectLog = async (...added: readonly string[]): Promise<void> => {
      steps.push(...added);
      expect(await logged(user)).toEqual(steps.map((message) => [message, user]));
      clock.advance(1_000);
    };
    await expectLog("Portal user Logged was created");
    await at("GET", `/confirm/${sent("token")}`);
    await expectLog("Portal user Logged was updated");
    const token = await login({ id: user, ...who });
    await expectLog(`${who.email} logged in`);
    await at("POST", "/otp/sms/enable", token, { email: who.email, password: who.password });
    await expectLog();
    await at("POST", "/otp/sms/confirm", token, { pin_code: sent("pin_code") });
    await expectLog("Portal user Logged was updated");
    await at("PUT", "/info", token, { company: "Acme" });
    await expectLog("Portal user Logged was updated");
    await at("DELETE", "/delete", token);
    await expectLog("Portal user Logged was deleted");
  });

  it("holds what the administrator does, once each", async () => {
    const { id } = await person("managed");
    await admin("PUT", `/run/users/${id}`, { name: "Managed", active: false });
    clock.advance(1_000);
    await admin("DELETE", `/run/users/${id}`);
    expect((await logged(id)).map(([message]) => message)).toEqual([
      "Portal user managed was created",
      "Portal user Managed was updated",
      "Portal user Managed was deleted",
    ]);
  });
});

describe("responses that rest on an assumption", () => {
  it("name it in a header, others do not", async () => {
    const gapOf = ({ headers }: Answer) => headers["x-sandbox-gap"];
    const token = await login(await person("leaver"));
    expect(gapOf(await at("GET", "/info", token))).toBeUndefined();
    const [text, form] = ["text/plain", "application/x-www-form-urlencoded"].map((type) =>
      call(sandbox, "POST", `/run/${url}/sdb/key`, { token, raw: "v", headers: { "content-type": type } }),
    );
    expect([await text, await form].map((answer) => answer && gapOf(answer))).toEqual([
      undefined,
      "Values stored for portal users",
    ]);
    expect(gapOf(await at("DELETE", "/delete", token))).toBe("DELETE /run/{url}/delete");
    expect(gapOf(await call(sandbox, "GET", "/run/nowhere.example.test"))).toBe(
      "Portal that does not exist or is not active",
    );
    const saml = await call(sandbox, "GET", "/run/sso/saml", { token: sandbox.tokens.profile });
    expect(gapOf(saml)).toBe("SAML sign-on of portals");
  });
});

describe("the users of a portal", () => {
  it("are made, listed, changed and removed by the administrator", async () => {
    const who = await person("crud", { tags: [{ key: "team", value: "blue" }] });
    const path = `/run/users/${who.id}`;
    expect(await admin("GET", path)).toMatchObject({ name: "crud", email: who.email, last_login: null, otp: {} });
    const listed = await admin("GET", "/run/users?filter[tags][0][key]=team&fields[0]=email");
    expect(listed).toEqual([{ id: who.id, email: who.email, tags: [{ key: "team", value: "blue" }] }]);
    const again = await call(sandbox, "POST", "/run/users", {
      token: sandbox.tokens.profile,
      body: { name: "x", email: "CRUD@example.test", password: "x", timezone: "UTC" },
    });
    expect(again.body.field_errors).toEqual({ email: ["This e-mail is already in use"] });
    const change = { name: "Crud", email: "other@example.test", password: "changed" };
    expect(await admin("PUT", path, change)).toBe("TagoIO Run User Successfully Updated");
    expect(await admin("GET", path)).toMatchObject({ name: "Crud", email: who.email });
    const token = await login({ ...who, password: "changed" });
    expect(await admin("DELETE", path)).toBe("Successfully Removed");
    expect((await at("GET", "/info", token)).status).toBe(401);
    expect((await at("POST", "/login", undefined, { ...who, password: "changed" })).status).toBe(401);
  });

  it("are not active unless they are made so", async () => {
    const who = await person("sleepy", { active: undefined });
    expect((await at("POST", "/login", undefined, who)).status).toBe(401);
  });

  it("log in for the time the portal gives, and the administrator for them for eight hours", async () => {
    await admin("PUT", "/run", { auth_token_ttl: "2 hours" });
    const who = await person("timed");
    const result = (await at("POST", "/login", undefined, who)).body.result;
    const end = new Date(clock.now() + 2 * HOUR_MS).toISOString();
    expect(result).toMatchObject({ run_user: who.id, expire_time: end, expire_date: end });
    const asUser = await admin<Record<string, string>>("GET", `/run/users/${who.id}/login`);
    expect(asUser["token"]).toMatch(/^u-/);
    expect(asUser).toMatchObject({ name: "Login by Run Administrator(demo@example.test)" });
    expect(asUser["expire_date"]).toBe(new Date(clock.now() + 8 * HOUR_MS).toISOString());
    const never = await admin<Record<string, string>>("GET", `/run/users/${who.id}/login?expire_time=never`);
    expect(never["expire_date"]).toBe("never");
    const token = String((result as Record<string, unknown>)["token"]);
    clock.advance(2 * HOUR_MS);
    expect((await at("GET", "/info", token)).status).toBe(401);
    await admin("PUT", "/run", { auth_token_ttl: "3 months" });
    const read = await call(sandbox, "GET", `/run/users/${who.id}/login`, { token: sandbox.tokens.read });
    expect(read.status).toBe(401);
  });

  it("change themselves, but neither their tags nor whether they are active, and can go", async () => {
    const who = await person("self-made", { tags: [{ key: "role", value: "viewer" }] });
    const token = await login(who);
    const body = { company: "Acme", tags: [{ key: "role", value: "manager" }], active: false, email: "x@example.test" };
    expect((await at("PUT", "/info", token, body)).status).toBe(200);
    expect(await admin("GET", `/run/users/${who.id}`)).toMatchObject({
      company: "Acme",
      active: true,
      email: who.email,
      tags: [{ key: "role", value: "viewer" }],
    });
    expect((await at("POST", "/passwordreset", token, { password: "newer" })).status).toBe(200);
    await login({ ...who, password: "newer" });
    expect((await at("DELETE", "/delete", token)).status).toBe(200);
    expect((await call(sandbox, "GET", `/run/users/${who.id}`, { token: sandbox.tokens.profile })).status).toBe(404);
  });

  it("recover a password by a mail that works once", async () => {
    const who = await person("lost");
    await at("GET", `/passwordreset/${who.email}`);
    expect(sandbox.outbox().at(-1)).toMatchObject({ template: "password_recover", to: who.email });
    const link = sent("token");
    expect((await at("POST", "/passwordreset", link, { password: "found" })).status).toBe(200);
    expect((await at("POST", "/passwordreset", link, { password: "again" })).status).toBe(401);
    await login({ ...who, password: "found" });
  });

  it("use a second factor of each kind", async () => {
    const who = await person("factor", { phone: "+200" });
    const token = await login(who);
    const { email, password } = who;
    for (const type of ["email", "sms"]) {
      expect((await at("POST", `/otp/${type}/enable`, token, { email, password })).status).toBe(200);
      expect((await at("POST", `/otp/${type}/confirm`, token, { pin_code: sent("pin_code") })).status).toBe(200);
      const asked = await at("POST", "/login", undefined, { email, password });
      expect(JSON.parse(asked.body.message ?? "")).toEqual({ otp_enabled: true, otp_autosend: type });
      expect(sandbox.outbox().at(-1)).toMatchObject({ kind: type, to: type === "sms" ? "+200" : email });
      await login(who, { pin_code: sent("pin_code"), otp_type: type });
      expect((await at("POST", `/otp/${type}/disable`, token, { email, password })).status).toBe(200);
    }
    const link = (await at("POST", "/otp/authenticator/enable", token, { email, password })).body.result;
    const secret = new URL(String(link)).searchParams.get("secret") ?? "";
    await at("POST", "/otp/authenticator/confirm", token, { pin_code: authenticatorCode(secret, clock.now()) });
    expect((await at("GET", "/info", token)).body.result).toMatchObject({ otp: { authenticator: true } });
    await login(who, { pin_code: authenticatorCode(secret, clock.now()) });
    expect((await at("POST", "/login/otp", undefined, { email, password, otp_type: "sms" })).status).toBe(400);
  });

  it("of another portal are strangers here", async () => {
    const token = await login(await person("local"));
    const other = await admin<{ id: string }>("POST", "/profile", { name: "Other" });
    const answer = await call(sandbox, "GET", `/run/${other.id}.tago.run/info`, { token });
    expect(refusal(answer)).toEqual([401, "Authorization Denied"]);
    expect((await call(sandbox, "GET", "/run/nowhere.example.test/info", { token })).status).toBe(404);
  });
});

describe("the anonymous user", () => {
  it("is one, opens what rules allow with the portal's token, and cannot be taken over", async () => {
    const { user } = await admin<{ user: string }>("POST", "/run/users", { type: "anonymous", name: "Anybody" });
    const { anonymous_token: token } = await admin<{ anonymous_token: string }>("GET", "/run");
    const second = await call(sandbox, "POST", "/run/users", {
      token: sandbox.tokens.profile,
      body: { type: "anonymous", name: "More" },
    });
    expect(second.body.message).toMatch(/^You have exceeded the maximum limit/);
    const { dashboard } = await admin<{ dashboard: string }>("POST", "/dashboard", { label: "Public" });
    const look = (): Promise<Answer> => call(sandbox, "GET", `/dashboard/${dashboard}`, { token });
    expect((await look()).status).toBe(401);
    await admin("POST", "/am", {
      name: "public",
      targets: [["run_user", "id", user]],
      permissions: [{ effect: "allow", action: ["access"], resource: ["dashboard", "id", dashboard] }],
    });
    expect((await look()).status).toBe(200);
    expect((await at("POST", "/passwordreset", token, { password: "mine" })).status).toBe(401);
    expect((await at("DELETE", "/delete", token)).status).toBe(401);
    await admin("DELETE", `/run/users/${user}`);
    expect(await admin("GET", "/run")).toMatchObject({ anonymous_token: null });
  });
});

describe("notifications of portal users", () => {
  it("reach one or several users, are read, pressed and removed by their own user only", async () => {
    const [one, two] = [await person("one"), await person("two")];
    const buttons = [{ id: "go", label: "Go", triggers: [] }];
    const body = {
      run_user: [one.id, two.id],
      title: "Hello",
      message: "x".repeat(200),
      buttons,
      buttons_autodisable: true,
    };
    const { id } = await admin<{ id: string }>("POST", "/run/notification", body);
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "push", message: "x".repeat(140) });
    expect(await admin<unknown[]>("GET", `/run/notification/${two.id}`)).toHaveLength(1);

    const [token, strange] = [await login(one), await login(two)];
    const list = async (query = ""): Promise<unknown> => (await at("GET", `/notification${query}`, token)).body.result;
    expect(await list()).toMatchObject([{ id, run_user: one.id, title: "Hello", read: false, buttons_enabled: true }]);
    expect((await at("PUT", "/notification", strange, { notification_ids: [id], read: true })).status).toBe(404);
    expect((await at("PUT", "/notification", token, { notification_ids: [id], read: true })).status).toBe(200);
    expect(await list("?filter[read]=true")).toMatchObject([{ read: true }]);
    expect((await at("PUT", `/notification/${id}/none`, token)).status).toBe(404);
    expect((await at("PUT", `/notification/${id}/go`, token)).status).toBe(200);
    expect((await at("PUT", `/notification/${id}/go`, token)).status).toBe(400);
    await admin("PUT", `/run/notification/${id}`, { read: false, title: "Changed" });
    expect((await at("PUT", "/notification/markallread", token)).status).toBe(200);
    expect(await list()).toMatchObject([{ title: "Changed", read: true }]);
    expect((await at("DELETE", `/notification/${id}`, strange)).status).toBe(404);
    expect((await at("DELETE", `/notification/${id}`, token)).status).toBe(200);
    expect(await list()).toEqual([]);
  });
});

describe("values kept for a user", () => {
  it("come back as the text that was sent, whatever it is called, and are nobody else's", async () => {
    const token = await login(await person("keeper"));
    const strange = await login(await person("peeker"));
    const value = async (key: string): Promise<unknown> => (await at("GET", `/sdb/${key}`, token)).body.result;
    const keep = (raw: string, type: string): Promise<Answer> =>
      call(sandbox, "POST", `/run/${url}/sdb/key`, { token, raw, headers: { "content-type": type } });
    expect(await value("key")).toBeNull();
    for (const [raw, type] of [
      ["plain text", "text/plain;charset=UTF-8"],
      ["not = a form", "application/x-www-form-urlencoded"],
      ['{"a":1}', "application/json"],
      ["{broken", "application/json"],
    ] as const) {
      expect((await keep(raw, type)).status).toBe(200);
      expect(await value("key")).toBe(raw);
    }
    expect((await at("GET", "/sdb/key", strange)).body.result).toBeNull();
    expect((await at("DELETE", "/sdb/key", token)).status).toBe(200);
    expect(await value("key")).toBeNull();
  });
});

describe("the portal", () => {
  it("is changed member by member, and answers at its new host", async () => {
    expect(
      await admin("PUT", "/run", { name: "Plant", url: "plant.example.test", anonymous_token: "x", profile: "y" }),
    ).toBe("TagoIO Run Successfully Updated");
    const info = await admin<Record<string, unknown>>("GET", "/run");
    expect(info).toMatchObject({ name: "Plant", active: true, profile: sandbox.profileId, anonymous_token: null });
    const status = await ok<Record<string, unknown>>(sandbox, "GET", "/run/plant.example.test");
    expect(status).toMatchObject({ name: "Plant", url: "plant.example.test" });
    expect(status).not.toHaveProperty("anonymous_token");
    await admin("PUT", "/run", { active: false });
    expect((await call(sandbox, "GET", "/run/plant.example.test")).status).toBe(404);
    await admin("PUT", "/run", { active: true, url });
    expect(
      (await call(sandbox, "PUT", "/run", { token: sandbox.tokens.profile, body: { auth_token_ttl: "soon" } })).status,
    ).toBe(400);
  });

  it("sends a mail to try, knows identity providers and domains of its own", async () => {
    expect(await admin("POST", "/run/email_test", { subject: "Hi", body: "Text" })).toBe(
      "E-mail sent to demo@example.test",
    );
    expect(sandbox.outbox().at(-1)).toMatchObject({ kind: "email", subject: "Hi", message: "Text" });

    const xml = Buffer.from('<EntityDescriptor entityID="https://idp.example.test"/>').toString("base64");
    expect(await admin("PUT", "/run/sso/saml", { idp_metadata: xml, mapping: { email: "mail" } })).toBe(
      "TagoIO Run SAML SSO Successfully Updated",
    );
    expect(await admin("GET", "/run/sso/saml")).toMatchObject({
      idp: { issuer: "https://idp.example.test" },
      mapping: { email: "mail", firstName: "firstName" },
    });
    const bad = { idp_metadata: Buffer.from("<x/>").toString("base64") };
    expect((await call(sandbox, "PUT", "/run/sso/saml", { token: sandbox.tokens.profile, body: bad })).status).toBe(
      400,
    );

    const path = `/run/customdomain/${sandbox.profileId}`;
    const domain = { domain: "example.test", subdomain: "plant", email: "it@example.test" };
    expect((await call(sandbox, "GET", path, { token: sandbox.tokens.profile })).status).toBe(404);
    expect(await admin("POST", path, domain)).toBe("Custom domain created successfully");
    const shown = await admin<Record<string, unknown>>("GET", path);
    expect(shown).toMatchObject({ ...domain, active: false, dns_ssl: { status: false, type: "CNAME" } });
    expect((await call(sandbox, "GET", "/run/plant.example.test")).status).toBe(200);
    await admin("PUT", `/run/customdomain/regenerate/${sandbox.profileId}`);
    expect(await admin<Record<string, unknown>>("GET", path)).not.toEqual(shown);
    expect(await admin("DELETE", path)).toBe("Custom domain deleted successfully");
  });
});

describe("the administrator of a portal", () => {
  it("sees preferences and agreements of a user, changes the password, and never the email", async () => {
    const user = await person("Pia");
    const path = `/run/users/${user.id}`;
    expect(await admin("GET", path)).toMatchObject({ custom_preferences: {}, agreements: [], otp: {} });
    await admin("PUT", path, { password: "another one", email: "else@example.test" });
    expect(await login({ ...user, password: "another one" })).toMatch(/^u-/);
    expect(await admin("GET", path)).toMatchObject({ email: user.email });
  });

  it("makes no more users than the profile may have", async () => {
    const most = (await admin<unknown[]>("GET", "/run/users?amount=1000")).length;
    const { allocation } = await admin<{ allocation: object }>("GET", "/profile/current");
    await admin("POST", "/profile/current/services", { run_users: most });
    const body = { name: "More", email: "more@example.test", password: "secret-1", timezone: "UTC" };
    const answer = await call(sandbox, "POST", "/run/users", { token: sandbox.tokens.profile, body });
    expect(refusal(answer)).toEqual([400, expect.stringContaining(`maximum limit of Run Users (${most})`)]);
    await admin("POST", "/profile/current/services", { run_users: 1_000 });
    expect(allocation).toMatchObject({ run_users: 1_000 });
  });
});
