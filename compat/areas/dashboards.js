import { deepEqual, equal, has, ID, match, ok, refused, UUID } from "../kit.js";

export async function run(row, world) {
  const { resources, sdk } = world;
  const { dashboards } = resources;
  const { widgets } = dashboards;
  const { id: device, device: own } = await world.newDevice("Compat shown", { tags: [{ key: "shown", value: "yes" }] });
  await own.sendData([1, 2, 3].map((value) => ({ variable: "a", value, group: `g${value}` })));
  const made = {};
  const tabs = [
    { key: "1", value: "One" },
    { key: "2", value: "Hidden", hidden: true },
    { key: "3", value: "Manual", link: "https://example.test" },
  ];

  await row("dashboards.create", async () => {
    const result = await dashboards.create({
      label: "Compat board",
      arrangement: [],
      tabs,
      tags: [{ key: "c", value: "1" }],
    });
    has(result, { dashboard: ID });
    made.id = result.dashboard;
  });
  await row("dashboards.info", async () =>
    has(await dashboards.info(made.id), {
      id: made.id,
      label: "Compat board",
      type: "dashboard",
      visible: true,
      tabs,
      tags: [{ key: "c", value: "1" }],
      last_access: null,
      created_at: Date,
      updated_at: Date,
    }),
  );
  await row("dashboards.list", async () => {
    const found = await dashboards.list({ filter: { label: "compat*" }, fields: ["id", "label", "created_at"] });
    equal(found.length, 1);
    has(found[0], { id: made.id, label: "Compat board", created_at: Date });
    ok((await dashboards.list()).some(({ id }) => id === made.id));
  });
  await row("widgets.create", async () => {
    const result = await widgets.create(made.id, {
      label: "Table",
      type: "dynamic_table",
      display: { header_buttons: [] },
      data: [
        { origin: device, variables: ["a"], qty: 2 },
        { origin: device, variables: ["a"], query: "count" },
      ],
    });
    has(result, { widget: ID });
    made.widget = result.widget;
  });
  await row("dashboards.edit places widgets", async () => {
    const arrangement = [{ widget_id: made.widget, x: 0, y: 1, width: 2, height: 3, tab: "1" }];
    equal(await dashboards.edit(made.id, { arrangement, label: "Compat board 2" }), "Successfully Updated");
    has(await dashboards.info(made.id), { arrangement, label: "Compat board 2" });
  });
  await row("widgets.info", async () =>
    has(await widgets.info(made.id, made.widget), {
      id: made.widget,
      dashboard: made.id,
      label: "Table",
      type: "dynamic_table",
      display: { header_buttons: [] },
    }),
  );
  await row("widgets.getData", async () => {
    const { widget, content } = await widgets.getData(made.id, made.widget);
    has(widget, { id: made.widget, label: "Table" });
    equal(content.length, 2);
    deepEqual(
      content[0].result.map(({ value }) => value),
      [3, 2],
    );
    has(content[0].result[0], { device, origin: device, variable: "a", group: "g3", serie: "g3" });
    equal(content[1].result[0].value, 3);
  });
  await row("widgets.getData by pages and dates", async () => {
    const { content } = await widgets.getData(made.id, made.widget, { page: 2, amount: 1 });
    deepEqual(
      content[0].result.map(({ value }) => value),
      [2],
    );
    const overwrite = { start_date: "2020-01-01", end_date: "2020-02-01" };
    deepEqual((await widgets.getData(made.id, made.widget, { overwrite })).content[0].result, []);
  });
  await row("widgets.sendData", async () => {
    deepEqual(await widgets.sendData(made.id, made.widget, [{ origin: device, variable: "b", value: "x" }]), [
      "1 Data Added",
    ]);
    equal((await own.getData({ variables: "b" }))[0].value, "x");
    await widgets.sendData(made.id, made.widget, { origin: device, variable: "b", value: "y" }, true);
    equal((await own.getData({ variables: "b", query: "count" }))[0].value, 1);
  });
  await row("widgets.editData", async () => {
    const [found] = await own.getData({ variables: "b" });
    equal(
      await widgets.editData(made.id, made.widget, [{ origin: device, id: found.id, value: "z" }]),
      "Device Data Updated",
    );
    has((await own.getData({ variables: "b" }))[0], { value: "z", metadata: { old_value: "x" } });
  });
  await row("widgets.deleteData", async () => {
    const [found] = await own.getData({ variables: "b" });
    const result =
      world.version === 11
        ? await widgets.deleteData(made.id, made.widget, found.id, device)
        : await widgets.deleteData(made.id, made.widget, [`${found.id}:${device}`]);
    equal(result, "Successfully Removed");
    deepEqual(await own.getData({ variables: "b" }), []);
  });
  await row("widgets.editResource", async () => {
    const change = { device, name: "Compat renamed", "tags.shown": "no", "param.size": "7" };
    equal(await widgets.editResource(made.id, made.widget, [change], { identifier: "row" }), "Resource Updated");
    has(await resources.devices.info(device), { name: "Compat renamed", tags: [{ key: "shown", value: "no" }] });
    has((await resources.devices.paramList(device))[0], { key: "size", value: "7" });
  });
  await row("widgets.getData of a device list", async () => {
    const filter = [{ key: "shown", value: "no" }];
    const resource = ["name", "tags.shown", "param.size"].map((view) => ({ type: "device", filter, view }));
    const { widget } = await widgets.create(made.id, { label: "List", type: "dynamic_table", display: {}, resource });
    const { content } = await widgets.getData(made.id, widget);
    deepEqual(content[0].result, [{ device, name: "Compat renamed", "tags.shown": "no", "param.size": "7" }]);
  });
  await row("widgets.edit", async () => {
    equal(await widgets.edit(made.id, made.widget, { display: { help: "me" } }), "Successfully Updated");
    has(await widgets.info(made.id, made.widget), { label: "Table", display: { help: "me" } });
  });
  await row("widgets.tokenGenerate", async () => {
    const { widget_token: token } = await widgets.tokenGenerate(made.id, made.widget);
    match(token, UUID);
    const embedded = new sdk.Resources({ token });
    equal((await embedded.dashboards.widgets.getData(made.id, made.widget)).content.length, 2);
    await refused(embedded.dashboards.info(made.id), "Authorization Denied");
  });
  await row("dashboards.getPublicKey", async () => {
    const { token, expire_time } = await dashboards.getPublicKey(made.id, "1 day");
    match(token, UUID);
    ok(expire_time instanceof Date && Math.abs(+expire_time - Date.now() - 86_400_000) < 60_000);
    const viewer = new sdk.Resources({ token });
    equal((await viewer.dashboards.widgets.getData(made.id, made.widget)).content.length, 2);
    await refused(viewer.devices.list(), "Authorization Denied");
    equal((await dashboards.getPublicKey(made.id)).expire_time, "never");
  });
  await row("dashboards.listDevicesRelated", async () => {
    deepEqual(await dashboards.listDevicesRelated(made.id), [{ id: device, name: "Compat renamed", bucket: device }]);
  });
  await row("dashboards.listAnalysisRelated", async () => {
    const analysis = await world.idOf("dashboard", "Plant overview", "label");
    const related = await dashboards.listAnalysisRelated(analysis);
    deepEqual(
      related.map(({ name }) => name),
      ["alert"],
    );
    match(related[0].id, ID);
  });
  await row("dashboards.duplicate", async () => {
    const result = await dashboards.duplicate(made.id, { new_label: "Compat copy" });
    has(result, { dashboard_id: ID, message: "Copy sent" });
    const copy = await dashboards.info(result.dashboard_id);
    has(copy, { label: "Compat copy", tabs });
    equal(copy.arrangement.length, 1);
    ok(copy.arrangement[0].widget_id !== made.widget);
    has(await widgets.info(copy.id, copy.arrangement[0].widget_id), { label: "Table", dashboard: copy.id });
  });
  await row("a blueprint dashboard of the seed", async () => {
    const id = await world.idOf("dashboard", "Silo, any of them", "label");
    const { type, blueprint_devices: placeholders, arrangement } = await dashboards.info(id);
    equal(type, "blueprint");
    const silo = await world.idOf("device", "Silo north");
    const [{ widget_id }] = arrangement;
    deepEqual((await widgets.getData(id, widget_id)).content[0].result, []);
    const blueprint_devices = [{ origin: placeholders[0].id, id: silo }];
    const { content } = await widgets.getData(id, widget_id, { blueprint_devices });
    ok(content[0].result.length > 10);
    ok(content[0].result.every((each) => each.device === silo && each.variable === "level"));
  });
  await row("every widget of the seed answers", async () => {
    for (const label of ["Plant overview", "Plant, old widgets"]) {
      const id = await world.idOf("dashboard", label, "label");
      const { arrangement } = await dashboards.info(id);
      ok(arrangement.length > 20);
      for (const { widget_id } of arrangement) {
        const { widget, content } = await widgets.getData(id, widget_id);
        equal(widget.id, widget_id);
        equal(content.length, (widget.data?.length ?? 0) + (widget.resource?.length ?? 0));
        for (const { data, result } of content)
          ok(Array.isArray(result) && (!data?.query || result.length > 0), widget.label);
      }
    }
  });
  await row("template.generateTemplate, getTemplate", async () => {
    const id = await resources.template.generateTemplate({
      name: "Compat template",
      dashboard: made.id,
      setup: { config: [] },
    });
    match(id, ID);
    made.template = id;
    has(await resources.template.getTemplate(id), {
      name: "Compat template",
      type: "dashboard",
      created_at: Date,
      updated_at: Date,
    });
  });
  await row("template.installTemplate", async () => {
    const other = await world.idOf("device", "Freezer 1");
    const { dashboard } = await resources.template.installTemplate(made.template, { replace: { [device]: other } });
    const { arrangement, label } = await dashboards.info(dashboard);
    equal(label, "Compat board 2");
    const { data } = await widgets.info(dashboard, arrangement[0].widget_id);
    ok(data.every(({ origin }) => origin === other));
  });
  await row("widgets.delete", async () => {
    equal(await widgets.delete(made.id, made.widget), "Successfully Removed");
    await refused(widgets.info(made.id, made.widget), "Widget Not Found");
    // The platform leaves the place of a deleted widget in the arrangement.
    deepEqual(
      (await dashboards.info(made.id)).arrangement.map(({ widget_id }) => widget_id),
      [made.widget],
    );
  });
  await row("dashboards.delete", async () => {
    equal(await dashboards.delete(made.id), "Successfully Removed");
    await refused(dashboards.info(made.id), "Dashboard Not Found");
  });
}
