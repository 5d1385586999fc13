import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { Services } from "../../../src/index.ts";
import { createSandbox, type Sandbox } from "../../../src/sandbox/index.ts";
import { call, newDevice, ok } from "../client.ts";
import { consoleOf, newAnalysis, ranToEnd, run } from "./helpers.ts";

let sandbox: Sandbox;
let services: Services;

beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty" });
  const region = { api: sandbox.url, sse: sandbox.eventsUrl };
  services = new Services({ token: sandbox.tokens.analysis, region, pdfAddress: `${sandbox.url}/pdf` });
});
beforeEach(() => ok(sandbox, "DELETE", "/__sandbox/outbox"));
afterAll(() => sandbox.close());

const kinds = () => sandbox.outbox().map(({ kind }) => kind);
const profile = () => ({ token: sandbox.tokens.profile });

describe("the services of an analysis", () => {
  it("put what would leave the machine into the outbox, each under its own kind", async () => {
    const { device_id: device } = await newDevice(sandbox);
    const mail = { to: "a@example.test", subject: "s", message: "m" };
    const twilio = { to: "+1", from: "+2", twilio_sid: "sid", twilio_token: "very secret" };
    await services.email.send(mail);
    await services.sms.send({ to: "+15550100", message: "hot" });
    await services.smtp.send({ ...mail, smtp_secret: { host: "h", password: "very secret" } });
    await services.sendgrid.send({ ...mail, sendgrid_api_key: "very secret" });
    await services.twilio.send({ ...twilio, message: "m" });
    await services.twilio_whatsapp.send({ ...twilio, content_sid: "c" });
    await services.aws_sqs.sendMessage({ sqs_secret: { key: "very secret" }, data: [{ a: 1 }, { a: 2 }] });
    await services.mqtt.publish({ topic: "plant/1", message: { on: true }, device });
    await services.notification.send({ title: "Tank", message: "It is full" });
    await services.attachment.upload({
      name: "report.txt",
      content: Buffer.from("report").toString("base64"),
      type: "base64",
    });
    await services.tagotip.cmd({ serial: "1", protocol: "mqtt", body: "b" });
    expect(kinds()).toEqual([
      ...["email", "sms", "email-smtp", "email-sendgrid", "sms-twilio", "whatsapp-twilio", "queue-sqs", "mqtt"],
      ...["notification", "attachment", "tagotip"],
    ]);
    expect(JSON.stringify(sandbox.outbox())).not.toContain("very secret");
    expect(sandbox.outbox()).toMatchObject([
      mail,
      { to: "+15550100" },
      ...[{}, {}, {}, {}],
      { dataList: [{ a: 1 }, { a: 2 }], batch_enabled: true },
      { topic: "plant/1", message: { on: true }, device },
      { title: "Tank" },
      { attachment: [{ filename: "report.txt", size: 6, md5: "e98d2f001da5678b39482efbdf5770dc" }] },
      { serial: "1" },
    ]);
    expect(sandbox.outbox({ analysis: String(sandbox.outbox()[0]?.["analysis"]) })).toHaveLength(11);
    expect(await ok(sandbox, "GET", "/notification/", profile())).toMatchObject([
      { title: "Tank", message: "It is full" },
    ]);
  });

  it("publish for a bucket too, with the nested options of older programs", async () => {
    const { device_id: bucket } = await newDevice(sandbox);
    const { analysis: token } = sandbox.tokens;
    const publish = (body: object) => call(sandbox, "POST", "/analysis/services/mqtt/publish", { token, body });
    const message = { topic: "plant/1", message: "on" };
    expect((await publish({ ...message, bucket, options: { qos: 1, retain: false } })).status).toBe(200);
    expect(sandbox.outbox()).toMatchObject([{ ...message, device: bucket, qos: 1, retain: false }]);
    expect((await publish(message)).body.field_errors).toHaveProperty("device");
    expect((await publish({ ...message, bucket, options: { qos: 3 } })).status).toBe(400);
  });

  it("count a message once for each receiver, nothing for an administrator's phone, and runs by the second", async () => {
    const own = await createSandbox({ seed: "empty" });
    const to = "a@example.test; b@example.test,c@example.test";
    const sender = new Services({ token: own.tokens.analysis, region: { api: own.url, sse: own.eventsUrl } });
    await sender.email.send({ to, subject: "s", message: "m" });
    const phone = { token: own.tokens.profile, body: { device_token: "phone", platform: "ios" } };
    await ok(own, "POST", "/notification/push/register", phone);
    await sender.notification.send({ title: "t", message: "m" });
    expect(own.outbox({ kind: "push" })).toHaveLength(1);
    const { id } = await newAnalysis(own, {}, "console.log(1)");
    await run(own, id);
    await consoleOf(own, id, ranToEnd, "the end of the run");
    const used = await ok<object[]>(own, "GET", "/profile/current/statistics", { token: own.tokens.profile });
    await own.close();
    expect(used.at(-1)).not.toHaveProperty("push_notification");
    // A second is 0.02 minutes; a slow machine needs two.
    expect(used.at(-1)).toMatchObject({
      email: 3,
      analysis: expect.toSatisfy((minutes) => minutes > 0 && minutes < 0.5),
    });
  });

  it("list the outbox by what a message holds", async () => {
    await services.email.send({ to: "a@example.test", subject: "1", message: "m" });
    await services.email.send({ to: "b@example.test", subject: "2", message: "m" });
    await services.sms.send({ to: "+1", message: "m" });
    const subjects = async (query: string) =>
      (await ok<{ subject?: string }[]>(sandbox, "GET", `/__sandbox/outbox?${query}`)).map(({ subject }) => subject);
    expect(await subjects("kind=email")).toEqual(["1", "2"]);
    expect(await subjects("kind=email&to=b@example.test")).toEqual(["2"]);
    expect(await subjects("since=2999-01-01")).toEqual([]);
    expect(sandbox.outbox({ kind: "sms" })).toHaveLength(1);
  });

  it("refuse what the platform refuses, and other tokens", async () => {
    const send = async (service: string, body: unknown, token = sandbox.tokens.analysis) => {
      const answer = await call(sandbox, "POST", `/analysis/services/${service}`, { token, body });
      return [answer.status, Object.keys(answer.body.field_errors ?? {})];
    };
    expect(await send("sms/send", { to: "+1", message: "x".repeat(141) })).toEqual([400, ["message"]]);
    expect(await send("email/send", { to: "a@b.test", message: "m" })).toEqual([400, ["subject"]]);
    const attachment = { archive: "x".repeat(5 * 1024 * 1024 + 1), filename: "big.txt" };
    expect(await send("email/send", { to: "a@b.test", subject: "s", attachment })).toEqual([400, ["attachment"]]);
    expect(await send("mqtt/publish", { topic: "t", message: "m", device: "65a1000000000000000d9999" })).toEqual([
      404,
      [],
    ]);
    expect(await send("sms/send", { to: "+1", message: "m" }, sandbox.tokens.profile)).toEqual([401, []]);
    expect(await send("sms/send", [])).toEqual([400, ["body"]]);
    expect(kinds()).toEqual([]);
  });

  it("print a page as a file, which tells its text", async () => {
    const { status, result } = await services.pdf.generate({ html: "<h1>Report (1)</h1><p>Tank &amp; pump</p>" });
    expect(status).toBe(true);
    const file = Buffer.from(result, "base64").toString("latin1");
    expect(file.startsWith("%PDF-1.")).toBe(true);
    expect(file).toContain("(Report \\(1\\)) Tj");
    expect(file).toContain("(Tank & pump) Tj");
    // The table of places leads to the objects.
    const table = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(file)?.[1]);
    expect(file.slice(table, table + 4)).toBe("xref");
    const places = [...file.slice(table).matchAll(/^(\d{10}) 00000 n /gm)].map(([, place]) => Number(place));
    expect(places).toHaveLength(5);
    places.forEach((place, index) => {
      expect(file.slice(place).startsWith(`${index + 1} 0 obj`)).toBe(true);
    });
    const body = { base64: Buffer.from("<p>x</p>").toString("base64"), fileName: "a/b.pdf" };
    const named = await call(sandbox, "POST", "/pdf", { token: sandbox.tokens.analysis, body });
    expect(named.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": 'attachment; filename="a_b.pdf"',
    });
    expect(named.text.startsWith("%PDF-1.")).toBe(true);
    expect((await call(sandbox, "POST", "/pdf", { body })).status).toBe(401);
    expect((await call(sandbox, "POST", "/pdf", { token: sandbox.tokens.analysis, body: {} })).status).toBe(400);
  });
});

describe("notifications", () => {
  const create = async (members: object = {}) => {
    const body = { title: "Tank", message: "It is full", ...members };
    return (await ok<{ id: string }>(sandbox, "POST", "/notification", { ...profile(), body })).id;
  };
  const list = (query = "") =>
    ok<{ id: string; read: boolean; buttons_enabled: boolean }[]>(sandbox, "GET", `/notification/${query}`, profile());
  const clear = async () => {
    for (const { id } of await list("?amount=1000")) await ok(sandbox, "DELETE", `/notification/${id}`, profile());
  };

  it("are marked as read and unread, some or all", async () => {
    await clear();
    const [first, second] = [await create(), await create()];
    const unread = async () => (await list("?filter[read]=false")).map(({ id }) => id).sort();
    const mark = (body: object) => ok(sandbox, "PUT", "/notification/read", { ...profile(), body });
    expect(await mark({ notification_ids: [first], read: true })).toBe("TagoIO Notification Run Successfully Updated");
    expect(await unread()).toEqual([second]);
    await mark({ notification_ids: [first, "65a1000000000000000c9999"], read: false });
    expect(await unread()).toEqual([first, second].sort());
    expect(await ok(sandbox, "PUT", "/notification/markallread", profile())).toBe(
      "All TagoIO Notification Run Successfully Updated",
    );
    expect(await unread()).toEqual([]);
    expect(await ok(sandbox, "DELETE", `/notification/${first}`, profile())).toBe("Successfully Removed");
    expect((await list()).map(({ id }) => id)).toEqual([second]);
  });

  it("have buttons that run what they are for, once when asked", async () => {
    const triggers = [{ url: "https://example.test/hook", method: "put", body: { a: 1 } }, { share_profile: "accept" }];
    const id = await create({ buttons: [{ id: "yes", label: "Yes", triggers }], buttons_autodisable: true });
    const press = (button: string) => call(sandbox, "PUT", `/notification/${id}/${button}`, profile());
    expect((await press("no")).body.message).toBe("Button Not Found");
    expect((await press("yes")).body.result).toBe("Notification button executed");
    expect((await press("yes")).status).toBe(400);
    expect(sandbox.outbox({ kind: "http" })).toMatchObject([
      { method: "PUT", url: "https://example.test/hook", body: '{"a":1}' },
    ]);
    expect(sandbox.outbox({ kind: "share_profile" })).toMatchObject([{ notification: id, answer: "accept" }]);
  });

  it("are refused with more than four buttons, or one whose id has spaces", async () => {
    const refused = async (buttons: unknown) =>
      (await call(sandbox, "POST", "/notification", { ...profile(), body: { title: "t", message: "m", buttons } }))
        .status;
    expect(await refused(Array(5).fill({ id: "a", label: "A" }))).toBe(400);
    expect(await refused([{ id: "a b", label: "A" }])).toBe(400);
  });
});

describe("service authorizations", () => {
  it("are made, listed, given another parameter, and taken away", async () => {
    const body = { name: "Network", permission: "full", verification_code: "1234" };
    const made = await ok<{ token: string }>(sandbox, "POST", "/serviceauth", { ...profile(), body });
    expect(made).toEqual({
      token: expect.stringMatching(/^at[0-9a-f]{32}$/),
      name: "Network",
      profile: sandbox.profileId,
      additional_parameters: "1234",
    });
    const code = async () =>
      (
        await ok<{ token: string; verification_code: string }[]>(
          sandbox,
          "GET",
          "/serviceauth?fields[]=token&fields[]=verification_code",
          profile(),
        )
      )
        .filter(({ token }) => token === made.token)
        .map((row) => row.verification_code);
    expect(await code()).toEqual(["1234"]);
    const put = await ok(sandbox, "PUT", `/serviceauth/${made.token}`, {
      ...profile(),
      body: { verification_code: "99" },
    });
    expect(put).toBe("Authorization Code Successfully Updated");
    expect(await code()).toEqual(["99"]);
    expect(await ok(sandbox, "GET", "/info", { token: made.token })).toMatchObject({
      type: "serviceauth",
      name: "Network",
    });
    expect(await ok(sandbox, "DELETE", `/serviceauth/${made.token}`, profile())).toBe("Token Successfully Removed");
    expect(await code()).toEqual([]);
    expect((await call(sandbox, "DELETE", `/serviceauth/${made.token}`, profile())).status).toBe(404);
    expect((await call(sandbox, "DELETE", `/serviceauth/${sandbox.tokens.profile}`, profile())).status).toBe(404);
  });
});
