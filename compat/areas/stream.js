import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { deepEqual, equal, has, match, ok, until } from "../kit.js";

const SCRIPT = fileURLToPath(new URL("../analysis.js", import.meta.url));

/** `device_data.id` as the peers take it. */
function channelOf(name) {
  const [channel, resource_id] = name.split(".");
  return { channel, ...(resource_id && { resource_id }) };
}

/** The events a channel, or several, send while `work` runs. */
async function listening(world, names, token, work) {
  const events = [];
  const channels = Array.isArray(names) ? names.map(channelOf) : channelOf(names);
  const source = await world.sdk.SSE.openSSEListening(channels, { token, region: "env" });
  source.onmessage = (event) => events.push(JSON.parse(event.data));
  try {
    await until(() => source.readyState === 1, "the stream");
    return await work(events);
  } finally {
    source.close();
  }
}

export async function run(row, world) {
  const { resources, tokens } = world;
  const { id, token, device } = await world.newDevice("Compat live");

  await row("SSE device_data", () =>
    listening(world, `device_data.${id}`, tokens.profile, async (events) => {
      await device.sendData([{ variable: "live", value: 1 }]);
      const { payload, channel } = await until(() => events[0], "the event");
      equal(channel, `device_data.${id}`);
      const [first] = [payload].flat();
      has(first, { variable: "live", value: 1, device: id });
    }),
  );
  await row("SSE device_data with the device's own token", () =>
    listening(world, `device_data.${id}`, token, async (events) => {
      await device.sendData({ variable: "own", value: 2 });
      await until(() => events.some(({ payload }) => JSON.stringify(payload).includes('"own"')), "the event");
    }),
  );
  await row("SSE device_inspector", () =>
    listening(world, `device_inspector.${id}`, tokens.profile, async (events) => {
      await until(async () => (await resources.devices.info(id)).inspected_at !== null, "inspected_at");
      await device.sendData({ variable: "seen", value: 3 });
      const titles = () => events.flatMap(({ payload }) => [payload].flat().map(({ title }) => title));
      await until(() => titles().some((title) => /HTTP Request/.test(title)), "the request");
      await until(() => titles().includes("Raw Payload"), "the raw payload");
    }),
  );
  await row("SSE of several channels at once", async () => {
    const { dashboard } = await resources.dashboards.create({ label: "Stream of compat" });
    const data = [{ origin: id, variables: ["drawn"] }];
    await resources.dashboards.widgets.create(dashboard, { label: "W", type: "card", display: {}, data });
    await listening(world, [`device_data.${id}`, `ui_dashboard.${dashboard}`], tokens.profile, async (events) => {
      await device.sendData({ variable: "drawn", value: 4 });
      const of = (name) => events.find(({ channel }) => channel.startsWith(name));
      await until(() => of("device_data") && of("ui_dashboard"), "both events");
      const { payload } = of("ui_dashboard");
      match(JSON.stringify(payload), /"drawn"/);
    });
  });
  await row("SSE notification", () =>
    listening(world, "notification", tokens.profile, async (events) => {
      await resources.notifications.create({ title: "Compat", message: "heard" });
      const { payload } = await until(() => events[0], "the event");
      match(JSON.stringify(payload), /heard/);
    }),
  );
  await row("SSE ui", () =>
    listening(world, "ui", tokens.profile, async (events) => {
      const made = await world.newDevice("Compat announced");
      await until(() => events.some(({ payload }) => JSON.stringify(payload).includes(made.id)), "the event");
    }),
  );
  // Version 11 does not know this channel.
  const entityRow = world.version >= 12 ? row : () => undefined;
  await entityRow("SSE entity_data", async () => {
    const { id: entity } = await resources.entities.create({ name: "live_of_compat", schema: { a: { type: "int" } } });
    await listening(world, `entity_data.${entity}`, tokens.profile, async (events) => {
      await resources.entities.sendEntityData(entity, { a: 5 });
      match(JSON.stringify((await until(() => events[0], "the event")).payload), /"a":5/);
    });
  });

  const { id: analysis, token: analysisToken } = await resources.analysis.create({
    name: "External of compat",
    run_on: "external",
    active: true,
    variables: [{ key: "who", value: "me" }],
  });
  const script = fork(SCRIPT, [process.env.COMPAT_PEER ?? ""], {
    env: { ...process.env, COMPAT_ANALYSIS_TOKEN: analysisToken, COMPAT_DEVICE: id },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const told = [];
  script.on("message", (message) => told.push(message));
  try {
    await row("Analysis.use connects and is triggered", async () => {
      const connected = async () => {
        await resources.analysis.run(analysis, [{ variable: "probe", value: 0 }]);
        return told.some(({ scope }) => scope);
      };
      await until(connected, "the first trigger", 20_000);
      told.length = 0;
      await resources.analysis.run(analysis, [{ variable: "heat", value: 7 }]);
      const { scope, environment, analysis_id } = await until(
        () => told.find((each) => each.scope?.[0]?.variable === "heat"),
        "the trigger",
      );
      deepEqual(scope, [{ variable: "heat", value: 7 }]);
      equal(analysis_id, analysis);
      has(
        environment.find(({ key }) => key === "who"),
        { value: "me" },
      );
    });
    await row("context.log reaches the console", () =>
      until(
        async () =>
          ((await resources.analysis.info(analysis)).console ?? []).some((line) => String(line).includes("saw heat")),
        "the line",
      ),
    );
    await row("SSE analysis_console", () =>
      listening(world, `analysis_console.${analysis}`, tokens.profile, async (events) => {
        await resources.analysis.run(analysis, [{ variable: "again", value: 8 }]);
        const { payload } = await until(
          () => events.find((event) => JSON.stringify(event.payload).includes("saw again")),
          "the event",
        );
        has([payload].flat()[0], { message: /saw again/, timestamp: /./ });
      }),
    );
    await row("the analysis writes data with its token", () =>
      until(async () => (await device.getData({ variables: "from_analysis" })).length > 0, "the data"),
    );
    await row("an analysis is triggered by stored data, through an action", async () => {
      await resources.actions.create({
        name: "External action of compat",
        type: "condition",
        active: true,
        trigger: [{ device: id, variable: "fire", is: "*", value_type: "*" }],
        action: { type: "script", script: [analysis] },
      });
      await device.sendData({ variable: "fire", value: "now" });
      const { scope, environment } = await until(
        () => told.find((each) => each.scope?.[0]?.variable === "fire"),
        "the trigger",
      );
      has(scope[0], { value: "now", device: id });
      ok(environment.some(({ key }) => key === "_action_id"));
    });
  } finally {
    script.kill();
  }
}
