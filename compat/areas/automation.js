import { createRequire } from "node:module";
import { gunzipSync } from "node:zlib";
import { base64, deepEqual, equal, has, ID, match, ok, refused, until } from "../kit.js";

const require = createRequire(import.meta.url);

const SCRIPT = `
const [{ variable, value } = {}] = JSON.parse(process.env.T_ANALYSIS_DATA ?? "[]");
console.log("script saw", variable, value, JSON.parse(process.env.T_ANALYSIS_ENV).map(({ key, value }) => key + "=" + value).join(","));
`;

export async function run(row, world) {
  const { resources } = world;
  const { actions, analysis } = resources;
  const made = {};
  const consoleOf = async (id) => (await analysis.info(id)).console ?? [];
  const { id: device, device: own } = await world.newDevice("Compat watched");

  await row("analysis.create", async () => {
    const result = await analysis.create({
      name: "Compat script",
      run_on: "tago",
      runtime: "node-rt2025",
      active: true,
      variables: [{ key: "limit", value: "8" }],
      tags: [{ key: "compat", value: "1" }],
    });
    has(result, { id: ID, token: "" });
    made.id = result.id;
    made.token = result.token;
  });
  await row("analysis.info", async () =>
    has(await analysis.info(made.id), {
      id: made.id,
      name: "Compat script",
      active: true,
      run_on: "tago",
      runtime: "node-rt2025",
      variables: [{ key: "limit", value: "8" }],
      created_at: Date,
    }),
  );
  await row("analysis.list", async () => {
    const found = await analysis.list({ filter: { name: "compat*" }, fields: ["id", "name", "run_on"] });
    equal(found.length, 1);
    has(found[0], { id: made.id, run_on: "tago" });
  });
  await row("analysis.edit", async () => {
    equal(await analysis.edit(made.id, { description: "counts" }), "Successfully Updated");
    has(await analysis.info(made.id), { description: "counts", name: "Compat script" });
  });
  await row("analysis.uploadScript", async () => {
    const result = await analysis.uploadScript(made.id, {
      content: base64(SCRIPT),
      language: "node-rt2025",
      name: "script.cjs",
    });
    match(String(result), /./);
    has(await analysis.info(made.id), { file_name: "script.cjs" });
  });
  await row("analysis.downloadScript", async () => {
    const result = await analysis.downloadScript(made.id);
    has(result, { url: /^http/, expire_at: Date });
    ok(result.size > 0);
    equal(gunzipSync(await (await fetch(result.url)).arrayBuffer()).toString(), SCRIPT);
  });
  await row("analysis.run on the sandbox", async () => {
    const result = await analysis.run(made.id, [{ variable: "heat", value: 9 }]);
    has(result, { analysis_token: /./ });
    await until(
      async () => (await consoleOf(made.id)).some((line) => String(line).includes("script saw heat 9 limit=8")),
      "the line of the script",
      20_000,
    );
    ok((await analysis.info(made.id)).last_run instanceof Date);
  });
  await row("actions.create", async () => {
    const result = await actions.create({
      name: "Compat heat",
      type: "condition",
      active: true,
      tags: [{ key: "compat", value: "1" }],
      trigger: [
        { device, variable: "heat", is: ">", value: "8", value_type: "number" },
        { device, variable: "heat", is: "<", value: "5", value_type: "number", unlock: true },
      ],
      action: { type: "script", script: [made.id] },
    });
    has(result, { action: ID });
    made.action = result.action;
  });
  await row("actions.info, list", async () => {
    const info = await actions.info(made.action);
    has(info, { id: made.action, name: "Compat heat", type: "condition", active: true });
    deepEqual(info.action, { type: "script", script: [made.id] });
    equal(info.trigger.length, 2);
    deepEqual(
      (await actions.list({ filter: { name: "Compat heat" } })).map(({ id }) => id),
      [made.action],
    );
  });
  await row("a condition runs its analysis, locks and unlocks", async () => {
    const runs = async (text) => (await consoleOf(made.id)).filter((line) => String(line).includes(text)).length;
    await own.sendData({ variable: "heat", value: 6 });
    await own.sendData({ variable: "heat", value: 11 });
    await until(async () => (await runs("script saw heat 11")) === 1, "the first run", 20_000);
    const lines = await consoleOf(made.id);
    ok(
      lines.some((line) => String(line).includes(`_action_id=${made.action}`)),
      lines.join("\n"),
    );
    await own.sendData({ variable: "heat", value: 12 });
    await own.sendData({ variable: "heat", value: 4 });
    await own.sendData({ variable: "heat", value: 13 });
    await until(async () => (await runs("script saw heat 13")) === 1, "the run after the lock opened", 20_000);
    equal(await runs("script saw heat 12"), 0);
    equal(await runs("script saw heat 6"), 0);
    ok((await actions.info(made.action)).last_triggered instanceof Date);
  });
  await row("an action that sends a mail leaves it in the outbox", async () => {
    await actions.create({
      name: "Compat mail",
      type: "condition",
      active: true,
      trigger: [{ device, variable: "smoke", is: "=", value: "yes", value_type: "string" }],
      action: { type: "email", to: "fire@example.test", subject: "Smoke", message: "at $VARIABLE$ $VALUE$" },
    });
    await own.sendData({ variable: "smoke", value: "yes" });
    const mail = await until(
      async () => (await world.outbox()).find((each) => JSON.stringify(each).includes("fire@example.test")),
      "the mail",
    );
    match(JSON.stringify(mail), /at smoke yes/);
  });
  await row("actions.edit", async () => {
    equal(await actions.edit(made.action, { active: false }), "Successfully Updated");
    has(await actions.info(made.action), { active: false, name: "Compat heat" });
  });
  await row("actions.delete", async () => {
    equal(await actions.delete(made.action), "Successfully Removed");
    await refused(actions.info(made.action), "Action Not Found");
  });
  await row("a button in the head of a widget runs an analysis", async () => {
    const { dashboard } = await resources.dashboards.create({ label: "Buttons of compat" });
    const { widget } = await resources.dashboards.widgets.create(dashboard, { label: "B", type: "card", display: {} });
    const result = await resources.dashboards.runWidgetHeaderButtonAnalysis(made.id, dashboard, widget, [
      { variable: "pressed", value: 1 },
    ]);
    has(result, { analysis_token: /./ });
    await until(
      async () => (await consoleOf(made.id)).some((line) => String(line).includes("script saw pressed 1")),
      "the line of the run",
      20_000,
    );
  });
  await row("a form runs the analysis of its widget", async () => {
    const { dashboard } = await resources.dashboards.create({ label: "Form of compat" });
    const widget = { label: "F", type: "form", display: {}, analysis_run: made.id };
    const { widget: id } = await resources.dashboards.widgets.create(dashboard, widget);
    await resources.dashboards.widgets.sendData(dashboard, id, [{ origin: device, variable: "task", value: "wash" }]);
    await until(
      async () =>
        (await consoleOf(made.id)).some((line) => /script saw task wash.*_widget_exec=insert/.test(String(line))),
      "the line of the run",
      20_000,
    );
  });
  // A program that uses a package from elsewhere: only where one is at hand.
  const { COMPAT_PEER: peer } = process.env;
  const peerRow = peer === undefined ? () => undefined : row;
  await peerRow("an uploaded script uses the package itself", async () => {
    const source = `
      require(${JSON.stringify(require.resolve("../guard.cjs"))});
      const { Analysis, Resources, Services } = require(${JSON.stringify(require.resolve(peer))});
      Analysis.use(async (context, scope) => {
        const [found] = await Resources.devices.list({ filter: { name: "Freezer 1" } });
        await new Services({ token: context.token }).email.send({ to: "script@example.test", subject: "s", message: found.name });
        context.log("package saw", found.name, scope[0].variable, context.environment.map(({ key }) => key).join());
      });`;
    const { id } = await analysis.create({
      name: "Package of compat",
      run_on: "tago",
      runtime: "node-rt2025",
      active: true,
    });
    await analysis.uploadScript(id, { content: base64(source), language: "node-rt2025", name: "package.cjs" });
    await analysis.run(id, [{ variable: "package", value: 1 }]);
    await until(
      async () => (await consoleOf(id)).some((line) => String(line).includes("package saw Freezer 1 package")),
      "the line of the script",
      30_000,
    );
    ok((await world.outbox()).some((each) => JSON.stringify(each).includes("script@example.test")));
  });
  await row("analysis.tokenGenerate", async () => {
    const result = await analysis.tokenGenerate(made.id);
    has(result, { analysis_token: /^a-/ });
    ok(result.analysis_token !== made.token);
  });
  await row("analysis.delete", async () => {
    equal(await analysis.delete(made.id), "Successfully Removed");
    await refused(analysis.info(made.id), "Analysis can't be found");
  });
}
