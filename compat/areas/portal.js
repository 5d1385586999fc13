import { deepEqual, equal, has, ID, match, ok, refused, until } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { run: portal } = resources;
  const { RunUser } = sdk;
  const made = {};
  let url;

  await row("run.info", async () => {
    const info = await portal.info();
    has(info, { profile: world.profileId, active: true });
    for (const member of ["name", "signin_buttons", "signup_fields", "email_templates", "theme", "security"])
      ok(member in info, `${member} is missing`);
    url = info.url;
    match(url, /./);
  });
  await row("run.edit", async () => {
    equal(await portal.edit({ name: "Compat portal" }), "TagoIO Run Successfully Updated");
    has(await portal.info(), { name: "Compat portal" });
  });
  await row("run.userCreate", async () => {
    const result = await portal.userCreate({
      name: "Compat Una",
      email: "una@example.test",
      password: "Secret-123",
      timezone: "UTC",
      active: true,
      tags: [{ key: "site", value: "plant" }],
    });
    has(result, { user: ID });
    made.user = result.user;
    await refused(
      portal.userCreate({ name: "Twin", email: "una@example.test", password: "Secret-123", timezone: "UTC" }),
      /./,
    );
  });
  await row("run.userInfo", async () => {
    const info = await portal.userInfo(made.user);
    has(info, {
      id: made.user,
      name: "Compat Una",
      email: "una@example.test",
      active: true,
      tags: [{ key: "site", value: "plant" }],
      created_at: Date,
    });
    equal(info.password, undefined);
  });
  await row("run.listUsers", async () => {
    const found = await portal.listUsers({ filter: { email: "una@*" }, fields: ["id", "email"] });
    equal(found.length, 1);
    has(found[0], { id: made.user, email: "una@example.test" });
    ok((await portal.listUsers({})).length >= 4);
  });
  await row("run.userEdit", async () => {
    equal(await portal.userEdit(made.user, { name: "Compat Una 2" }), "TagoIO Run User Successfully Updated");
    has(await portal.userInfo(made.user), { name: "Compat Una 2" });
  });
  await row("RunUser.login", async () => {
    const result = await RunUser.login(url, { email: "una@example.test", password: "Secret-123" });
    has(result, { token: /^u-/, expire_date: Date });
    made.login = new RunUser({ token: result.token });
    await refused(RunUser.login(url, { email: "una@example.test", password: "wrong" }), /Invalid credentials|Denied/);
  });
  await row("RunUser.info, edit", async () => {
    has(await made.login.info(url), { id: made.user, email: "una@example.test", created_at: Date });
    match(await made.login.edit(url, { name: "Una herself" }), /updated/i);
    has(await portal.userInfo(made.user), { name: "Una herself" });
  });
  await row("RunUser SDB", async () => {
    equal(await made.login.SDB.getItem(url, "colour"), null);
    await made.login.SDB.setItem(url, "colour", "deep red");
    equal(await made.login.SDB.getItem(url, "colour"), "deep red");
    await made.login.SDB.removeItem(url, "colour");
    equal(await made.login.SDB.getItem(url, "colour"), null);
  });
  await row("run.loginAsUser", async () => {
    const { token, expire_date } = await portal.loginAsUser(made.user, { expire_time: "1 hour" });
    match(token, /^u-/);
    ok(Math.abs(+expire_date - Date.now() - 3_600_000) < 60_000);
    has(await new RunUser({ token }).info(url), { id: made.user });
  });
  await row("run.notificationCreate, notificationList", async () => {
    const result = await portal.notificationCreate(made.user, {
      title: "Hot",
      message: "The boiler is hot",
      buttons: [{ id: "ok", label: "Seen" }],
    });
    has(result, { id: ID });
    made.notification = result.id;
    const [found] = await portal.notificationList(made.user);
    has(found, { id: made.notification, title: "Hot", message: "The boiler is hot" });
  });
  await row("run.notificationEdit", async () => {
    match(await portal.notificationEdit(made.notification, { title: "Hotter" }), /updated/i);
    equal((await portal.notificationList(made.user))[0].title, "Hotter");
  });
  await row("RunUser notifications", async () => {
    const own = () => made.login.notificationList(url);
    has((await own())[0], { id: made.notification, title: "Hotter", created_at: Date });
    await made.login.notificationMarkRead(url, [made.notification]);
    equal((await own())[0].read, true);
    await made.login.notificationMarkUnread(url, made.notification);
    equal((await own())[0].read, false);
    await made.login.notificationMarkAllRead(url);
    equal((await own())[0].read, true);
    ok(await made.login.notificationButton(url, made.notification, "ok"));
    await made.login.notificationDelete(url, made.notification);
    deepEqual(await own(), []);
  });
  await row("run.notificationDelete", async () => {
    const { id } = await portal.notificationCreate(made.user, { title: "Twice", message: "told" });
    match(await portal.notificationDelete(id), /removed/i);
    deepEqual(await portal.notificationList(made.user), []);
  });
  await row("RunUser.passwordChange", async () => {
    await made.login.passwordChange(url, "Other-456");
    await refused(RunUser.login(url, { email: "una@example.test", password: "Secret-123" }), /./);
    has(await RunUser.login(url, { email: "una@example.test", password: "Other-456" }), { token: /^u-/ });
  });
  await row("RunUser.passwordRecover mails a link", async () => {
    const before = (await world.outbox()).length;
    await RunUser.passwordRecover(url, "una@example.test");
    await until(async () => (await world.outbox()).length > before, "the mail");
  });
  await row("RunUser.create, confirmUser", async () => {
    const { user } = await RunUser.create(url, {
      name: "Sue Signs",
      email: "sue@example.test",
      password: "Secret-123",
      timezone: "UTC",
    });
    match(user, ID);
    has(await portal.userInfo(user), { email: "sue@example.test" });
    const mail = await until(
      async () => (await world.outbox()).find((each) => JSON.stringify(each).includes("sue@example.test")),
      "the mail to confirm",
    );
    const [token] = /(u-|[0-9a-f]{8}-)[0-9a-f-]{20,}/.exec(JSON.stringify({ ...mail, id: "" })) ?? [];
    ok(token, `no token in ${JSON.stringify(mail)}`);
    ok(await RunUser.confirmUser(url, token));
    has(await RunUser.login(url, { email: "sue@example.test", password: "Secret-123" }), { token: /^u-/ });
  });
  await row("a second factor by mail", async () => {
    const credentials = { email: "una@example.test", password: "Other-456" };
    await made.login.enableOTP(url, credentials, "email");
    const codeOf = async (after) => {
      const mail = await until(async () => (await world.outbox()).slice(after).at(-1), "the mail with the code");
      return /\b\d{6}\b/.exec(JSON.stringify({ ...mail, id: "", created_at: "" }))?.[0];
    };
    const start = (await world.outbox()).length;
    const first = await codeOf(Math.max(0, start - 1));
    await made.login.confirmOTP(url, first, "email");
    await refused(RunUser.login(url, credentials), /otp_enabled/);
    const sent = (await world.outbox()).length;
    await RunUser.requestLoginPINCode(url, credentials, "email");
    const pin_code = await codeOf(sent);
    has(await RunUser.login(url, { ...credentials, otp_type: "email", pin_code }), { token: /^u-/ });
    await made.login.disableOTP(url, credentials, "email");
    has(await RunUser.login(url, credentials), { token: /^u-/ });
  });
  await row("run.emailTest", async () => {
    const before = (await world.outbox()).length;
    const result = await portal.emailTest({ subject: "Test", body: "Hello $name$" });
    match(String(result), /./);
    await until(async () => (await world.outbox()).length > before, "the mail");
  });
  await row("run.ssoSAMLInfo, ssoSAMLEdit", async () => {
    const info = await portal.ssoSAMLInfo();
    ok(info.sp && "mapping" in info);
    equal(
      await portal.ssoSAMLEdit({ mapping: { email: "mail", firstName: "given" } }),
      "TagoIO Run SAML SSO Successfully Updated",
    );
    equal((await portal.ssoSAMLInfo()).mapping.email, "mail");
  });
  await row("run custom domain", async () => {
    const domain = { domain: "example.test", subdomain: "plant", email: "a@example.test" };
    match(await portal.createCustomDomain(world.profileId, domain), /created/i);
    has(await portal.getCustomDomain(world.profileId), {
      domain: "example.test",
      subdomain: "plant",
      created_at: Date,
    });
    match(await portal.regenerateCustomDomain(world.profileId), /regenerated/i);
    match(await portal.deleteCustomDomain(world.profileId), /deleted/i);
  });
  await row("RunUser.delete", async () => ok(await made.login.delete(url)));
  await row("run.userDelete", async () => {
    const { user } = await portal.userCreate({
      name: "Short Lived",
      email: "short@example.test",
      password: "Secret-123",
      timezone: "UTC",
    });
    equal(await portal.userDelete(user), "Successfully Removed");
    await refused(portal.userInfo(user), "User Not Found");
  });
}
