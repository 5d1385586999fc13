import { deepEqual, equal, has, ID, match, ok, refused, until } from "../kit.js";

const demo = { email: "demo@example.test", password: "demo-password" };

export async function run(row, world) {
  const { resources, sdk, profileId } = world;
  const { account, profiles } = resources;
  const { Account } = sdk;
  const made = {};

  await row("account.info", async () =>
    has(await account.info(), {
      id: ID,
      email: demo.email,
      active: true,
      type: "user",
      plan: "scale",
      created_at: Date,
    }),
  );
  await row("account.edit", async () => {
    equal(await account.edit({ company: "Compat Ltd" }), "Account Successfully Updated");
    has(await account.info(), { company: "Compat Ltd", email: demo.email });
  });
  await row("Account.login", async () => {
    const result = await Account.login(demo);
    has(result, { type: "user", id: ID, email: demo.email });
    ok(result.profiles.some(({ id, name }) => id === profileId && name === "Demo Plant"));
    await refused(Account.login({ ...demo, password: "wrong" }), "Invalid credentials");
  });
  await row("Account.tokenCreate", async () => {
    const result = await Account.tokenCreate({ ...demo, profile_id: profileId, name: "Compat session" });
    has(result, { token: /^p-/, profile: profileId, permission: "full", name: "Compat session" });
    has(await new Account({ token: result.token }).info(), { email: demo.email });
  });
  await row("a second factor is asked for", () =>
    refused(Account.login({ email: "otp@example.test", password: "otp-password" }), /otp_enabled/),
  );
  await row("account.enableOTP, confirmOTP, requestLoginPINCode, disableOTP", async () => {
    const codeAfter = async (count) => {
      const mail = await until(async () => (await world.outbox())[count], "the mail with the code");
      return /\b\d{6}\b/.exec(JSON.stringify({ ...mail, id: "", created_at: "" }))?.[0];
    };
    let sent = (await world.outbox()).length;
    await account.enableOTP(demo, "email");
    await account.confirmOTP(await codeAfter(sent), "email");
    has((await account.info()).otp, { email: true });
    await refused(Account.login(demo), /otp_enabled/);
    sent = (await world.outbox()).length;
    await Account.requestLoginPINCode(demo, "email");
    has(await Account.login({ ...demo, otp_type: "email", pin_code: await codeAfter(sent) }), { email: demo.email });
    await account.disableOTP(demo, "email");
    has(await Account.login(demo), { email: demo.email });
  });
  await row("Account.create, confirmAccount, login", async () => {
    const sent = (await world.outbox()).length;
    const person = { name: "New One", email: "new@example.test", password: "Secret-123", cpassword: "Secret-123" };
    match(String(await Account.create({ ...person, timezone: "UTC", country: "IT" })), /./);
    const mail = await until(async () => (await world.outbox())[sent], "the mail to confirm");
    const [token] = /[0-9a-f]{8}-[0-9a-f-]{20,}|[0-9a-f]{32,}/.exec(JSON.stringify({ ...mail, id: "" })) ?? [];
    ok(token, `no token in ${JSON.stringify(mail)}`);
    ok(await Account.confirmAccount(token));
    has(await Account.login({ email: person.email, password: person.password }), { email: person.email });
  });
  await row("Account.passwordRecover mails a link", async () => {
    const sent = (await world.outbox()).length;
    ok(await Account.passwordRecover("shared@example.test"));
    match(JSON.stringify(await until(async () => (await world.outbox())[sent], "the mail")), /shared@example\.test/);
  });
  await row("account.passwordChange", async () => {
    match(String(await account.passwordChange("Changed-123")), /./);
    await refused(Account.login(demo), "Invalid credentials");
    has(await Account.login({ ...demo, password: "Changed-123" }), { email: demo.email });
    await account.passwordChange(demo.password);
  });
  await row("profiles.list", async () => {
    const names = (await profiles.list()).map(({ name }) => name);
    ok(names.includes("Demo Plant") && names.includes("Empty"), names.join());
  });
  await row("profiles.info", async () => {
    const result = await profiles.info("current");
    has(result, { account_plan: "scale" });
    has(result.info, { id: profileId, name: "Demo Plant", created_at: Date });
    ok(result.allocation.input > 0 && "mobile" in result.addons);
  });
  await row("profiles.summary", async () => {
    const { amount, limit, limit_used: used } = await profiles.summary(profileId);
    ok(amount.device >= 12 && amount.dashboard >= 3, JSON.stringify(amount));
    ok(limit.data_records >= used.data_records && used.data_records > 70_000, JSON.stringify(used));
  });
  await row("profiles.create, edit, delete", async () => {
    const { id } = await profiles.create({ name: "Compat plant" });
    match(id, ID);
    equal(await profiles.edit(id, { name: "Compat plant 2" }), "Successfully Updated");
    has((await profiles.info(id)).info, { name: "Compat plant 2" });
    await refused(profiles.delete(id, { password: "wrong" }), /./);
    equal(await profiles.delete(id, { password: demo.password }), "Successfully Removed");
    await refused(profiles.info(id), "Profile Not Found");
  });
  await row("profiles.tokenCreate, tokenList, tokenDelete", async () => {
    const result = await profiles.tokenCreate(profileId, {
      name: "Compat token",
      permission: "read",
      expire_time: "1 day",
    });
    has(result, { token: /^p-/, permission: "read", expire_date: Date });
    const found = (await profiles.tokenList(profileId, { amount: 100 })).find(({ name }) => name === "Compat token");
    has(found, { token: result.token, permission: "read" });
    const reader = new sdk.Resources({ token: result.token });
    ok((await reader.devices.list()).length > 0);
    await refused(reader.devices.create({ name: "No" }), "Authorization Denied");
    equal(await profiles.tokenDelete(profileId, result.token), "Token Successfully Removed");
    await refused(reader.devices.list(), "Authorization Denied");
  });
  await row("Authorization.info", async () => {
    has(await new sdk.Authorization({ token: world.tokens.profile }).info(), {
      name: "Demo full",
      permission: "full",
      type: "profile",
      created_at: Date,
    });
    await refused(new sdk.Authorization({ token: world.tokens.expired }).info(), "Authorization Denied");
  });
  await row("profiles.usageStatisticList", async () => {
    const list = await profiles.usageStatisticList(profileId);
    ok(list.length > 0);
    has(list[0], { time: Date });
    ok(typeof list[0].input === "number");
  });
  await row("profiles.auditLog", async () => {
    await resources.devices.edit(await world.idOf("device", "Silo east"), { description: "audited" });
    const log = await profiles.auditLog(profileId);
    match(log.queryId, /./);
    const complete = await until(async () => {
      const found = await profiles.auditLogQuery(profileId, log.queryId);
      return found.events && found.status !== "Running" ? found : undefined;
    }, "the audit log");
    ok(complete.events.length > 0);
    has(complete.events[0], { date: Date, message: /./, resourceName: /./ });
  });
  await row("profiles.addonList, addonEdit, serviceEdit", async () => {
    ok(await profiles.addonList(profileId));
    ok(await profiles.addonEdit(profileId, { mobile: true }));
    ok(await profiles.serviceEdit(profileId, { input: { limit: 100_000 } }));
  });
  await row("profiles.addTeamMember, teamList, deleteTeamMember", async () => {
    equal(await profiles.addTeamMember(profileId, "otp@example.test"), "User invited");
    const team = await profiles.teamList(profileId);
    const shared = team.find(({ email }) => email === "shared@example.test");
    has(shared, { id: ID, active: true });
    equal(await profiles.deleteTeamMember(profileId, shared.id), "Account Successfully Removed");
    ok(!(await profiles.teamList(profileId)).some(({ id }) => id === shared.id));
  });
  await row("profiles.transferTokenToAnotherProfile", async () => {
    const other = (await profiles.list()).find(({ name }) => name === "Empty").id;
    const { token } = await profiles.tokenCreate(profileId, { name: "Compat traveller", permission: "full" });
    const traveller = new sdk.Resources({ token });
    ok((await traveller.devices.list()).length > 0);
    match(await traveller.profiles.transferTokenToAnotherProfile(other), /Transferred/);
    deepEqual(await traveller.devices.list(), []);
  });
  await row("serviceAuthorization.tokenCreate, tokenList, tokenEdit, tokenDelete", async () => {
    const { serviceAuthorization } = resources;
    const { token } = await serviceAuthorization.tokenCreate({ name: "Compat service", permission: "full" });
    match(token, /^at[0-9a-f]{32}$/);
    ok((await serviceAuthorization.tokenList({ amount: 100 })).some((each) => each.token === token));
    equal(await serviceAuthorization.tokenEdit(token, "code"), "Authorization Code Successfully Updated");
    const listed = await serviceAuthorization.tokenList({ amount: 100, fields: ["token", "verification_code"] });
    has(
      listed.find((each) => each.token === token),
      { verification_code: "code" },
    );
    equal(await serviceAuthorization.tokenDelete(token), "Token Successfully Removed");
  });
  await row("Utils.getAPIVersion", async () => match(await sdk.Utils.getAPIVersion(), /\d/));
  made.done = true;
}
