import { ID } from "../kit.js";
import { listQuery } from "./devices.js";

const freezer = "65a1000000000000000d0004";

export async function services(call, { tokens }) {
  const post = (name, path, body) =>
    call(name, `POST /analysis/services/${path}`, { token: tokens.analysis, body, result: /./ });
  await post("Services.email.send", "email/send", {
    to: "a@example.test",
    subject: "Hi",
    message: "A mail",
    html: null,
    from: null,
    attachment: null,
  });
  await post("Services.sms.send", "sms/send", { to: "+15550100", message: "A short one" });
  await post("Services.MQTT.publish with a bucket and options", "mqtt/publish", {
    topic: "python/topic",
    message: "By wire",
    bucket: freezer,
    options: { qos: 0 },
  });
  await post("Services.notification.send", "notification/send", { title: "Python", message: "Look", ref_id: null });
  await post("Services.console.log", "console/send", {
    message: "a python line",
    timestamp: "2026-01-02 03:04:05.000001",
  });
  await post("Services.sendgrid.send", "email-sendgrid/send", {
    to: "b@example.test",
    from: "c@example.test",
    subject: "S",
    message: "By grid",
    sendgrid_api_key: "k",
  });
  await post("Services.twilio.send", "sms-twilio/send", {
    to: "+15550101",
    from: "+15550102",
    message: "By Twilio",
    twilio_sid: "s",
    twilio_token: "t",
  });
  await call("Services.email.send with a profile token", "POST /analysis/services/email/send", {
    body: { to: "a@example.test", subject: "Hi", message: "A mail" },
    refused: /Authorization Denied/i,
  });

  const { id } = await call("notifications.create", "POST /notification", {
    body: { title: "Python", message: "Hello", buttons: [{ id: "ok", label: "Fine", color: "#fff", triggers: [] }] },
    result: { id: ID },
  });
  await call("notifications.list", "GET /notification/", { result: (rows) => rows.some((row) => row.id === id) });
  await call("notifications.markAsRead", "PUT /notification/read", { body: { notification_ids: [id], read: true } });
  await call("notifications.markAllAsRead", "PUT /notification/markallread");
  await call("notifications.notificationButton", `PUT /notification/${id}/ok`);
  await call("notifications.remove", `DELETE /notification/${id}`, { result: "Successfully Removed" });

  const { id: secret } = await call("secrets.create", "POST /secrets", {
    body: { key: "PYTHON_KEY", value: "hidden", tags: [] },
    result: { id: ID },
  });
  await call("secrets.list", "GET /secrets", {
    query: { ...listQuery, fields: ["id", "key"], orderBy: "key,asc" },
    result: (rows) => rows.some(({ key }) => key === "PYTHON_KEY"),
  });
  await call("secrets.info", `GET /secrets/${secret}`, { result: { key: "PYTHON_KEY", value_length: 6 } });
  await call("secrets.edit", `PUT /secrets/${secret}`, {
    body: { value: "longer one" },
    result: "Successfully Updated",
  });
  await call("secrets.delete", `DELETE /secrets/${secret}`, { result: "Successfully Removed" });
}
