import { afterEach, describe, expect, it, vi } from "vitest";
import { InputError, Services } from "../../../src/index.ts";
import { failureOf, token } from "../../helpers/fault-client.ts";
import { ok, startFaultServer } from "../../helpers/fault-server.ts";
import { frozen, type Operation, testOperations } from "../../helpers/operations.ts";
import { scripted, success } from "../../helpers/scripted-transport.ts";

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const wrong = <T>(value: unknown) => value as T;
const moment = new Date("2024-05-01T08:00:00.000Z");
const path = "/analysis/services";

const operations: Operation<Services>[] = [
  {
    method: "console.log",
    call: ({ console }, options) => console.log("hello", moment, options),
    sends: `POST ${path}/console/send`,
    body: { message: "hello", timestamp: 1714550400000 },
  },
  {
    method: "sms.send",
    call: ({ sms }, options) => sms.send(frozen({ to: "+1", message: "m" }), options),
    sends: `POST ${path}/sms/send`,
    body: { to: "+1", message: "m" },
  },
  {
    method: "email.send",
    call: ({ email }, options) =>
      email.send(frozen({ to: "a@b.co", subject: "s", template: { name: "t", params: { a: 1 } } }), options),
    sends: `POST ${path}/email/send`,
    body: { to: "a@b.co", subject: "s", template: { name: "t", params: { a: 1 } } },
  },
  {
    method: "twilio.send",
    call: ({ twilio }, options) =>
      twilio.send(frozen({ to: "+1", from: "+2", message: "m", twilio_sid: "s", twilio_token: "t" }), options),
    sends: `POST ${path}/sms-twilio/send`,
    body: { to: "+1", from: "+2", message: "m", twilio_sid: "s", twilio_token: "t" },
  },
  {
    method: "twilio_whatsapp.send",
    call: ({ twilio_whatsapp }, options) =>
      twilio_whatsapp.send(
        frozen({ to: "+1", from: "+2", twilio_sid: "s", twilio_token: "t", content_variables: { a: "b" } }),
        options,
      ),
    sends: `POST ${path}/whatsapp-twilio/send`,
    body: { to: "+1", from: "+2", twilio_sid: "s", twilio_token: "t", content_variables: { a: "b" } },
  },
  {
    method: "smtp.send",
    when: "with several addresses",
    call: ({ smtp }, options) =>
      smtp.send(frozen({ to: ["a@b.co", "c@d.co"], subject: "s", smtp_secret: '{"host":"h"}' }), options),
    sends: `POST ${path}/email-smtp/send`,
    body: { to: "a@b.co,c@d.co", subject: "s", smtp_secret: '{"host":"h"}' },
  },
  {
    method: "sendgrid.send",
    when: "with several addresses",
    call: ({ sendgrid }, options) =>
      sendgrid.send(frozen({ to: ["a@b.co", "c@d.co"], html: "h", sendgrid_api_key: "k" }), options),
    sends: `POST ${path}/email-sendgrid/send`,
    body: { to: "a@b.co,c@d.co", html: "h", sendgrid_api_key: "k" },
  },
  {
    method: "aws_sqs.sendMessage",
    when: "with one message",
    call: ({ aws_sqs }, options) => aws_sqs.sendMessage(frozen({ sqs_secret: { a: 1 }, data: { v: 1 } }), options),
    sends: `POST ${path}/queue-sqs/send`,
    body: { sqs_secret: { a: 1 }, dataList: [{ v: 1 }], batch_enabled: true },
  },
  {
    method: "aws_sqs.sendMessage",
    when: "with several messages",
    call: ({ aws_sqs }, options) => aws_sqs.sendMessage(frozen({ sqs_secret: "{}", data: [1, 2] }), options),
    sends: `POST ${path}/queue-sqs/send`,
    body: { sqs_secret: "{}", dataList: [1, 2], batch_enabled: true },
  },
  {
    method: "aws_sqs.sendMessage",
    when: "without a message",
    call: ({ aws_sqs }, options) => aws_sqs.sendMessage(frozen({ sqs_secret: "{}" }), options),
    sends: `POST ${path}/queue-sqs/send`,
    body: { sqs_secret: "{}", dataList: [null], batch_enabled: true },
  },
  {
    method: "mqtt.publish",
    when: "with options that name what is given already",
    call: ({ mqtt }, options) =>
      mqtt.publish(
        frozen({ topic: "t", message: "m", device: "d", options: { qos: 1, topic: "x", device: "y" } }),
        options,
      ),
    sends: `POST ${path}/mqtt/publish`,
    body: { topic: "t", message: "m", device: "d", qos: 1 },
  },
  {
    method: "MQTT.publish",
    when: "with a bucket",
    call: ({ MQTT }, options) => MQTT.publish(frozen({ topic: "t", message: "m", bucket: "b" }), options),
    sends: `POST ${path}/mqtt/publish`,
    body: { topic: "t", message: "m", device: "b" },
  },
  {
    method: "notification.send",
    call: ({ notification }, options) => notification.send(frozen({ title: "t", message: "m" }), options),
    sends: `POST ${path}/notification/send`,
    body: { title: "t", message: "m" },
  },
  {
    method: "attachment.upload",
    call: ({ attachment }, options) =>
      attachment.upload(frozen({ name: "a.txt", content: "YQ==", type: "text/plain" }), options),
    sends: `POST ${path}/attachment/upload`,
    body: { archive: "YQ==", filename: "a.txt", type: "text/plain" },
  },
  {
    method: "tagotip.cmd",
    call: ({ tagotip }, options) =>
      tagotip.cmd(frozen({ serial: "s", protocol: "p", body: "b", extra: "dropped" }), options),
    sends: "POST /tip/cmd",
    body: { serial: "s", protocol: "p", body: "b" },
  },
];

describe("a service", () => {
  testOperations((params) => new Services(params), operations);
});

function services(): { made: Services; sent: () => unknown[] } {
  const transport = scripted(success("done"));
  const made = new Services({ token, transport });
  return { made, sent: () => transport.requests.map(({ body }) => JSON.parse(String(body)) as unknown) };
}

describe("the older names", () => {
  it("are the same services", () => {
    const { made } = services();
    expect(made.MQTT).toBe(made.mqtt);
    expect(made.Notification).toBe(made.notification);
    expect(made.Attachment).toBe(made.attachment);
    expect(made.PDF).toBe(made.pdf);
  });
});

describe("the static getters", () => {
  const names = [
    ...["console", "sms", "email", "twilio", "twilio_whatsapp", "smtp", "sendgrid", "aws_sqs", "mqtt"],
    ...["notification", "attachment", "pdf", "tagotip"],
  ] as readonly (keyof typeof Services & string)[];

  it("use the token of the running analysis", async () => {
    const server = await startFaultServer(ok("done"));
    try {
      vi.stubEnv("T_ANALYSIS_TOKEN", token);
      vi.stubEnv("TAGOIO_API", server.url);
      await Services.sms.send({ to: "1", message: "m" });
      expect(server.requests.map(({ headers }) => headers["token"])).toEqual([token]);
    } finally {
      await server.close();
    }
  });

  it.each(names)("give %s as an object does", (name) => {
    vi.stubEnv("T_ANALYSIS_TOKEN", token);
    const { made } = services();
    const own = made as unknown as Record<string, object>;
    expect(Services[name]).toBeInstanceOf(own[name]?.constructor);
  });

  it("need the token", () => {
    vi.stubEnv("T_ANALYSIS_TOKEN", undefined);
    expect(() => Services.sms).toThrow("Invalid Token");
    expect(() => new Services()).toThrow("Invalid Token");
  });
});

describe("the console", () => {
  it("takes now as the time of a line without one", async () => {
    const before = Date.now();
    const { made, sent } = services();
    await made.console.log("now");
    const [{ timestamp }] = sent() as [{ timestamp: number }];
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Date.now());
  });

  it("refuses a time that is none", async () => {
    const error = await failureOf(services().made.console.log("x", new Date("no date")));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe("Invalid time: it must be a date");
  });
});

describe("an email with html and message", () => {
  const text = { to: "a@b.co", html: "<b/>", message: "m" };

  it.each<[string, (made: Services) => Promise<string>]>([
    ["email", ({ email }) => email.send(text)],
    ["smtp", ({ smtp }) => smtp.send({ ...text, smtp_secret: "{}" })],
    ["sendgrid", ({ sendgrid }) => sendgrid.send({ ...text, sendgrid_api_key: "k" })],
  ])("is sent by %s with a warning", async (_name, send) => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    const { made, sent } = services();
    await expect(send(made)).resolves.toBe("done");
    expect(warn.mock.calls).toEqual([["HTML field will overwrite message field"]]);
    expect(sent()).toMatchObject([text]);
  });

  it("is the only one that warns", async () => {
    const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
    await services().made.email.send({ to: "a", html: "h" });
    await services().made.email.send({ to: "a", message: "m" });
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("a wrong argument", () => {
  it.each<[string, string, (made: Services) => Promise<unknown>]>([
    [
      "an SQS secret that is no JSON",
      "SQS Secret is not a valid JSON",
      ({ aws_sqs }) => aws_sqs.sendMessage({ sqs_secret: "oops", data: [] }),
    ],
    [
      "an SMTP secret that is no JSON",
      "SMTP Secret is not a valid JSON",
      ({ smtp }) => smtp.send({ to: "a", smtp_secret: "{" }),
    ],
    ["an empty SMTP secret", "SMTP Secret is not a valid JSON", ({ smtp }) => smtp.send({ to: "a", smtp_secret: "" })],
    [
      "a message of no device",
      "Either bucket or device must be provided",
      ({ mqtt }) => mqtt.publish({ topic: "t", message: "m" }),
    ],
    ["no email", "Invalid email: it must be an object", ({ email }) => email.send(wrong(undefined))],
    ["no SMTP email", "Invalid email: it must be an object", ({ smtp }) => smtp.send(wrong(null))],
    ["no queue", "Invalid sqsData: it must be an object", ({ aws_sqs }) => aws_sqs.sendMessage(wrong("x"))],
    ["no file", "Invalid archive: it must be an object", ({ attachment }) => attachment.upload(wrong(undefined))],
    ["no command", "Invalid command: it must be an object", ({ tagotip }) => tagotip.cmd(wrong(5))],
    ["no page", "Invalid params: it must be an object", ({ pdf }) => pdf.generate(wrong(undefined))],
  ])("such as %s is refused before anything is sent", async (_what, message, send) => {
    const { made, sent } = services();
    const error = await failureOf(send(made));
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(message);
    expect(sent()).toEqual([]);
  });
});
