import { SEED_ANALYSIS, SEED_DEVICES } from "../../helpers/seed.ts";
import type { RouteCases, World } from "./case.ts";
import * as model from "./models.ts";
import { anyText, boolean, date, exactly, id, like, list, number, object, text } from "./shape.ts";

const { freezer } = SEED_DEVICES;
const newAction = {
  name: "Made here",
  type: "condition",
  trigger: [{ device: freezer, variable: "temperature", is: ">", value: "8", value_type: "number" }],
  action: { type: "notification", subject: "Warm", message: "$VALUE$" },
};

async function onAction(world: World) {
  const { action } = await world.send<{ action: string }>("POST", "/action", newAction);
  return { params: { actionID: action } };
}

async function onAnalysis(world: World) {
  const { id: analysisID } = await world.send<{ id: string }>("POST", "/analysis", { name: "Made here" });
  return { params: { analysisID } };
}

const script = { file: Buffer.from("console.log(1)").toString("base64"), file_name: "s.js", language: "node-rt2025" };

async function onNotification(world: World) {
  const body = { title: "T", message: "M", buttons: [{ id: "ok", label: "Fine", triggers: [] }] };
  const { id: notificationID } = await world.send<{ id: string }>("POST", "/notification", body);
  return { params: { notificationID } };
}

async function onSecret(world: World) {
  const body = { key: `KEY_${Date.now()}_${Math.trunc(performance.now() * 1000)}`, value: "hidden" };
  return { params: { secretID: (await world.send<{ id: string }>("POST", "/secrets", body)).id } };
}

/** A service of an analysis. Its result is a text that no source shows. */
const service = (body: unknown) => ({ as: "analysis", given: () => ({ body }), result: text }) as const;

export const automationCases: RouteCases = {
  "action.list": { given: onAction, result: list(model.named) },
  "action.create": { given: () => ({ body: newAction }), result: object({ action: id }) },
  "action.edit": {
    given: async (world) => ({ ...(await onAction(world)), body: { name: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "action.delete": { given: onAction, result: exactly("Successfully Removed") },
  "action.info": { given: onAction, result: model.action },
  "analysis.list": { result: list(model.named) },
  "analysis.create": {
    given: () => ({ body: { name: "Another", run_on: "external" } }),
    result: object({ id, token: like(/^a-/) }),
  },
  "analysis.edit": {
    given: async (world) => ({ ...(await onAnalysis(world)), body: { description: "edited" } }),
    result: exactly("Successfully Updated"),
  },
  "analysis.delete": { given: onAnalysis, result: exactly("Successfully Removed") },
  "analysis.info": { given: () => ({ params: { analysisID: SEED_ANALYSIS } }), result: model.analysis },
  "analysis.run": {
    given: () => ({ params: { analysisID: SEED_ANALYSIS }, body: { scope: [{ a: 1 }] } }),
    result: object({ analysis_token: text }),
  },
  "analysis.tokenGenerate": { given: onAnalysis, result: object({ analysis_token: like(/^a-/) }) },
  "analysis.uploadScript": { given: async (world) => ({ ...(await onAnalysis(world)), body: script }), result: text },
  "analysis.downloadScript": {
    given: async (world) => {
      const { params } = await onAnalysis(world);
      await world.send("POST", `/analysis/${params.analysisID}/upload`, script);
      return { params };
    },
    result: object({ url: like(/^http:\/\/127\.0\.0\.1:/), size: number, size_unit: text, expire_at: date }),
  },
  "service.console": service({ message: "line", timestamp: 1_700_000_000_000 }),
  "service.sms": service({ to: "+15550100", message: "m" }),
  "service.email": service({ to: "a@example.test", subject: "s", message: "m" }),
  "service.twilio": service({ to: "+15550100", from: "+15550101", message: "m", twilio_sid: "s", twilio_token: "t" }),
  "service.twilioWhatsapp": service({
    to: "+15550100",
    from: "+15550101",
    content_sid: "c",
    content_variables: [],
    twilio_sid: "s",
    twilio_token: "t",
  }),
  "service.smtp": service({
    to: "a@example.test",
    from: "b@example.test",
    subject: "s",
    message: "m",
    smtp_secret: "x",
  }),
  "service.sendgrid": service({
    to: "a@example.test",
    from: "b@example.test",
    subject: "s",
    message: "m",
    sendgrid_api_key: "k",
  }),
  "service.sqs": service({ sqs_secret: "s", dataList: [{ a: 1 }], batch_enabled: true }),
  "service.mqtt": service({ topic: "t", message: "m", device: freezer, qos: 0 }),
  "service.notification": service({ title: "t", message: "m" }),
  "service.attachment": {
    as: "analysis",
    given: () => ({ body: { archive: "eA==", filename: "a.txt", type: "text/plain" } }),
    result: (value, at) => (value === undefined || value === null ? [`${at} is missing`] : []),
  },
  "service.tagotip": {
    as: "analysis",
    given: () => ({ body: { serial: "0004A30B001C0530", protocol: "http", body: "x" } }),
    result: (value, at) => (value === undefined ? [`${at} is missing`] : []),
  },
  "notification.list": { given: onNotification, result: list(model.notification) },
  "notification.markRead": {
    given: async (world) => ({
      body: { notification_ids: [(await onNotification(world)).params.notificationID], read: true },
    }),
    result: exactly("TagoIO Notification Run Successfully Updated"),
  },
  "notification.markAllAsRead": { result: exactly("All TagoIO Notification Run Successfully Updated") },
  "notification.notificationButton": {
    given: async (world) => ({ params: { ...(await onNotification(world)).params, buttonID: "ok" } }),
    result: text,
  },
  "notification.create": { given: () => ({ body: { title: "T", message: "M" } }), result: object({ id }) },
  "notification.remove": { given: onNotification, result: exactly("Successfully Removed") },
  "notification.registerDevice": { given: () => ({ body: { device_token: "d", platform: "ios" } }), result: text },
  "notification.unRegisterDevice": { given: () => ({ body: { device_token: "d" } }), result: text },
  "secret.list": { given: onSecret, result: list(object({ id, key: text })) },
  "secret.create": { given: () => ({ body: { key: "MADE_HERE", value: "hidden" } }), result: object({ id }) },
  "secret.edit": {
    given: async (world) => ({ ...(await onSecret(world)), body: { value: "another" } }),
    result: exactly("Successfully Updated"),
  },
  "secret.delete": { given: onSecret, result: exactly("Successfully Removed") },
  "secret.info": { given: onSecret, result: model.secret },
  "status.status": { as: "nobody", result: object({ version: anyText }) },
  "file.list": { result: model.fileListing },
  "file.uploadBase64": {
    given: () => ({ body: [{ filename: "a/one.txt", file: "eA==", public: true }] }),
    result: text,
  },
  "file.move": {
    given: onFile((name) => [{ from: name, to: `${name}.moved` }]),
    result: exactly("Successfully Updated"),
  },
  "file.copy": {
    given: onFile((name) => [{ from: name, to: `${name}.copy` }]),
    result: exactly("Successfully Updated"),
  },
  "file.delete": { given: onFile((name) => [name]), result: exactly("Successfully Removed") },
  "file.checkPermission": {
    given: async (world) => {
      await world.send("POST", "/files", [{ filename: "checked.txt", file: "eA==" }]);
      return { query: "file=checked.txt" };
    },
    result: object({ public: boolean }),
  },
  "file.changePermission": {
    given: onFile((name) => [{ file: name, public: true }]),
    result: exactly("Successfully Updated"),
  },
};

/** A file of its own for a call. */
function onFile(body: (name: string) => unknown) {
  return async (world: World) => {
    const filename = `made/${Math.trunc(performance.now() * 1000)}.txt`;
    await world.send("POST", "/files", [{ filename, file: "eA==" }]);
    return { body: body(filename) };
  };
}
