import { deepEqual, equal, has, ID, match, ok, refused, until } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { notifications, secrets } = resources;
  const services = new sdk.Services({ token: world.tokens.analysis });
  const made = {};

  /** What a service left in the outbox. */
  const posted = async (work, ...texts) => {
    const before = new Set((await world.outbox()).map(({ id }) => id));
    const result = await work();
    match(String(result), /./);
    const message = await until(
      async () => (await world.outbox()).find(({ id }) => !before.has(id)),
      "the message in the outbox",
    );
    for (const text of texts)
      ok(JSON.stringify(message).includes(text), `${text} is missing in ${JSON.stringify(message)}`);
  };

  await row("notifications.create", async () => {
    const result = await notifications.create({
      title: "Compat",
      message: "Hello",
      buttons: [{ id: "ok", label: "Fine", color: "#fff", triggers: [] }],
      buttons_autodisable: true,
    });
    has(result, { id: ID });
    made.id = result.id;
  });
  await row("notifications.list", async () => {
    const found = (await notifications.list()).find(({ id }) => id === made.id);
    has(found, { title: "Compat", message: "Hello", created_at: Date });
    ok(!found.read);
  });
  await row("notifications.markAsRead, markAsUnread, markAllAsRead", async () => {
    const read = async () => (await notifications.list()).find(({ id }) => id === made.id).read;
    equal(await notifications.markAsRead([made.id]), "TagoIO Notification Run Successfully Updated");
    equal(await read(), true);
    await notifications.markAsUnread(made.id);
    equal(await read(), false);
    await notifications.markAllAsRead();
    equal(await read(), true);
  });
  await row("notifications.notificationButton", async () => {
    match(await notifications.notificationButton(made.id, "ok"), /./);
    const { buttons_enabled } = (await notifications.list()).find(({ id }) => id === made.id);
    equal(buttons_enabled, false);
  });
  await row("notifications.registerDevice, unRegisterDevice", async () => {
    match(String(await notifications.registerDevice("a-device-token", "ios")), /./);
    match(String(await notifications.unRegisterDevice("a-device-token")), /./);
  });
  await row("notifications.remove", async () => {
    equal(await notifications.remove(made.id), "Successfully Removed");
    ok(!(await notifications.list()).some(({ id }) => id === made.id));
  });
  await row("secrets.create", async () => {
    const result = await secrets.create({ key: "COMPAT_KEY", value: "hidden", tags: [{ key: "c", value: "1" }] });
    has(result, { id: ID });
    made.secret = result.id;
  });
  await row("secrets.info, list never tell the value", async () => {
    const info = await secrets.info(made.secret);
    has(info, { id: made.secret, key: "COMPAT_KEY", value_length: 6, created_at: Date });
    const [found] = await secrets.list({ filter: { key: "COMPAT_KEY" }, fields: ["id", "key", "value"] });
    equal(found.key, "COMPAT_KEY");
    ok(!JSON.stringify([info, found]).includes("hidden"));
  });
  await row("secrets.edit", async () => {
    equal(await secrets.edit(made.secret, { value: "longer one" }), "Successfully Updated");
    has(await secrets.info(made.secret), { value_length: 10 });
  });
  await row("secrets.delete", async () => {
    equal(await secrets.delete(made.secret), "Successfully Removed");
    await refused(secrets.info(made.secret), "Secret Not Found");
  });
  await row("services.email", () =>
    posted(
      () => services.email.send({ to: "a@example.test", subject: "Hi", message: "A mail" }),
      "a@example.test",
      "A mail",
    ),
  );
  await row("services.sms", () =>
    posted(() => services.sms.send({ to: "+15550100", message: "A short one" }), "+15550100", "A short one"),
  );
  await row("services.twilio, twilio_whatsapp", async () => {
    const base = { to: "+15550101", from: "+15550102", twilio_sid: "s", twilio_token: "t" };
    await posted(() => services.twilio.send({ ...base, message: "By Twilio" }), "By Twilio");
    await posted(
      () => services.twilio_whatsapp.send({ ...base, content_sid: "c", content_variables: [] }),
      "+15550101",
    );
  });
  await row("services.smtp, sendgrid", async () => {
    const mail = { to: ["b@example.test"], from: "c@example.test", subject: "S", message: "By SMTP" };
    await posted(() => services.smtp.send({ ...mail, smtp_secret: { host: "h", port: 1 } }), "By SMTP");
    await posted(() => services.sendgrid.send({ ...mail, message: "By grid", sendgrid_api_key: "k" }), "By grid");
  });
  await row("services.aws_sqs", () =>
    posted(() => services.aws_sqs.sendMessage({ sqs_secret: { region: "r" }, data: [{ a: "queued" }] }), "queued"),
  );
  await row("services.MQTT.publish", async () => {
    const device = await world.idOf("device", "Freezer 1");
    await posted(
      () => services.MQTT.publish({ device, topic: "compat/topic", message: "By wire", options: { qos: 1 } }),
      "compat/topic",
      "By wire",
    );
  });
  await row("services.Notification.send", async () => {
    match(String(await services.Notification.send({ title: "From analysis", message: "Look" })), /./);
    const found = (await notifications.list()).find(({ title }) => title === "From analysis");
    has(found, { message: "Look" });
  });
  await row("services.Attachment.upload", async () => {
    const result = await services.Attachment.upload({
      archive: "x",
      name: "a.txt",
      content: "eA==",
      type: "text/plain",
    });
    match(String(typeof result === "string" ? result : JSON.stringify(result)), /./);
  });
  await row("services.console.log", async () => {
    await services.console.log("a compat line", new Date().toISOString());
    const { id } = await new sdk.Authorization({ token: world.tokens.analysis }).info();
    await until(
      async () =>
        ((await resources.analysis.info(id)).console ?? []).some((line) => String(line).includes("a compat line")),
      "the line",
    );
  });
  await row("services need an analysis", () =>
    refused(
      new sdk.Services({ token: world.tokens.read }).email.send({ to: "a@b.c", subject: "x", message: "y" }),
      "Authorization Denied",
    ),
  );
  await row("the seed has notifications and secrets", async () => {
    ok((await secrets.list()).length > 0);
    ok((await notifications.list()).length > 1);
    deepEqual(typeof (await notifications.list({ filter: { read: true } })).length, "number");
  });
}
