import { deepEqual, ID } from "../kit.js";
import { listQuery } from "./devices.js";

const freezer = "65a1000000000000000d0004";

export async function dashboards(call) {
  const { dashboard: id } = await call("dashboards.create", "POST /dashboard", {
    body: { label: "Python board", arrangement: [], visible: true, tags: [{ key: "made", value: "python" }] },
    result: { dashboard: ID },
  });
  await call("dashboards.list", "GET /dashboard", {
    query: { ...listQuery, fields: ["id", "label"], orderBy: "label,asc" },
    result: (rows) => rows.some(({ label }) => label === "Python board"),
  });
  await call("dashboards.info", `GET /dashboard/${id}`, { result: { id, label: "Python board", visible: true } });
  await call("dashboards.edit", `PUT /dashboard/${id}`, {
    body: { label: "Python board 2" },
    result: "Successfully Updated",
  });
  const { widget } = await call("widgets.create", `POST /dashboard/${id}/widget/`, {
    body: {
      label: "Table",
      type: "dynamic_table",
      display: { header_buttons: [] },
      data: [{ origin: freezer, variables: ["temperature"], query: "last_item" }],
    },
    result: { widget: ID },
  });
  await call("widgets.info", `GET /dashboard/${id}/widget/${widget}`, { result: { id: widget, label: "Table" } });
  await call("widgets.edit", `PUT /dashboard/${id}/widget/${widget}`, { body: { label: "Rows" }, result: /Updated/ });
  await call("widgets.getData", `GET /data/${id}/${widget}`, { query: { overwrite: "{}" } });
  await call("widgets.sendData", `POST /data/${id}/${widget}`, {
    body: [
      {
        origin: freezer,
        variable: "temperature",
        value: 1,
        time: new Date().toISOString().replace("T", " ").slice(0, -1),
      },
    ],
  });
  await call("widgets.tokenGenerate", `GET /dashboard/${id}/widget/${widget}/token`, { result: { widget_token: /./ } });
  await call("dashboards.duplicate", `POST /dashboard/${id}/duplicate`, {
    body: { setup: null, new_label: "Python copy" },
    result: { dashboard_id: ID },
  });
  await call("dashboards.getPublicKey", `GET /dashboard/${id}/share/public`, {
    query: { expire_time: "1day" },
    result: { token: /./ },
  });
  await call("dashboards.listDevicesRelated", `GET /dashboard/${id}/devices`, {
    result: (rows) => rows.some((row) => row.id === freezer),
  });
  await call("dashboards.listAnalysisRelated", `GET /dashboard/${id}/analysis`, { result: [] });
  await call("widgets.delete", `DELETE /dashboard/${id}/widget/${widget}`, { result: "Successfully Removed" });
  await call("dashboards.delete", `DELETE /dashboard/${id}`, { result: "Successfully Removed" });

  const { dictionary } = await call("dictionaries.create", "POST /dictionary", {
    body: { name: "Python words", slug: "PYTHON", fallback: "en-US" },
    result: { dictionary: ID },
  });
  await call("dictionaries.languageEdit", `PUT /dictionary/${dictionary}/en-US`, {
    body: { dictionary: { HELLO: "Hello" }, active: true },
    result: "Dictionary language Successfully Updated",
  });
  await call("dictionaries.list", "GET /dictionary", {
    query: { ...listQuery, fields: ["id", "name", "slug"], filter: { slug: "PYTHON" } },
    result: (rows) => rows.length === 1 && rows[0].id === dictionary,
  });
  await call("dictionaries.info", `GET /dictionary/${dictionary}`, { result: { slug: "PYTHON", fallback: "en-US" } });
  await call("dictionaries.edit", `PUT /dictionary/${dictionary}`, {
    body: { name: "Words" },
    result: "Successfully Updated",
  });
  await call("dictionaries.languageInfo", `GET /dictionary/${dictionary}/en-US`, {
    query: { fallback: true },
    result: { HELLO: "Hello" },
  });
  await call("dictionaries.languageInfoBySlug", "GET /dictionary/PYTHON/en-US", {
    query: { fallback: false },
    result: { HELLO: "Hello" },
  });
  await call("dictionaries.languageEdit of another", `PUT /dictionary/${dictionary}/pt-BR`, {
    body: { dictionary: { HELLO: "Olá" }, active: true },
  });
  await call("dictionaries.languageDelete", `DELETE /dictionary/${dictionary}/pt-BR`, { result: /Removed|Deleted/ });
  await call("dictionaries.delete", `DELETE /dictionary/${dictionary}`, { result: /Removed|Deleted/ });
}

export async function entities(call) {
  const { id } = await call("entities.create", "POST /entity", {
    body: {
      name: "python_orders",
      schema: { customer: { type: "string", required: true }, amount: { type: "int", required: false } },
      index: { by_customer: { fields: ["customer"] } },
      tags: [],
    },
    result: { id: ID },
  });
  await call("entities.list", "GET /entity", {
    query: { ...listQuery, filter: { name: "python_*" } },
    result: (rows) => rows.length === 1 && rows[0].id === id,
  });
  await call("entities.info", `GET /entity/${id}`, { result: { id, name: "python_orders" } });
  await call("entities.edit", `PUT /entity/${id}`, {
    body: { tags: [{ key: "a", value: "1" }] },
    result: { message: "Entity Successfully Updated" },
  });
  await call("entities.sendEntityData", `POST /entity/${id}/data`, {
    body: [
      { customer: "Ann", amount: 3 },
      { customer: "Bob", amount: null },
    ],
  });
  const rows = await call("entities.getEntityData", `GET /entity/${id}/data`, {
    query: { index: "by_customer", filter: { customer: "Ann" }, page: 1, amount: 10, order_by: "asc" },
    result: (found) => found.length === 1 && found[0].amount === 3,
  });
  await call("entities.editEntityData", `PUT /entity/${id}/data`, {
    body: { id: rows[0]?.id, amount: 4 },
    result: "1 item(s) updated",
  });
  await call("entities.amount", `GET /entity/${id}/data_amount`, { result: 2 });
  await call("entities.deleteEntityData", `DELETE /entity/${id}/data`, {
    body: { ids: [rows[0]?.id] },
    result: "1 item(s) deleted",
  });
  await call("entities.editSchemaIndex", `PUT /entity/${id}/schema`, {
    body: { schema: { city: { action: "create", type: "string" } } },
  });
  await call("entities.emptyEntityData", `POST /entity/${id}/empty`, { result: /Removed/ });
  await call("entities.delete", `DELETE /entity/${id}`, { result: "Entity Successfully Removed" });
}

export async function files(call) {
  await call("files.uploadBase64", "POST /files", {
    body: [
      { filename: "python/a.txt", file: Buffer.from("first").toString("base64"), public: true },
      { filename: "python/b.txt", file: Buffer.from("second").toString("base64"), public: false },
    ],
    result: /upload/i,
  });
  await call("files.list", "GET /files", {
    query: { path: "/python/", pagination_token: null, quantity: 300 },
    result: (found) => found.files.length === 2,
  });
  const filename = "/python/part.bin";
  const uploaded = await call("files.uploadFile starts with None for what is not given", "POST /files", {
    body: { multipart_action: "start", filename, public: null, contentType: null },
    result: /./,
  });
  const form = new FormData();
  for (const [name, value] of Object.entries({
    filename,
    upload_id: uploaded,
    multipart_action: "upload",
    part: "1",
  })) {
    form.append(name, String(value));
  }
  form.append("file", new Blob([Buffer.alloc(100, 7)]), filename);
  const part = await call("files.uploadFile sends a part", "POST /files", { body: form, result: { ETag: /./ } });
  await call("files.uploadFile ends", "POST /files", {
    body: { multipart_action: "end", upload_id: uploaded, filename, parts: [{ ETag: part.ETag, PartNumber: 1 }] },
    result: (result) => JSON.stringify(result).includes("part.bin"),
  });
  await call("files.checkPermission", "GET /files/permission", {
    query: { file: "python/a.txt" },
    result: { public: true },
  });
  await call("files.changePermission", "PUT /files/permission", { body: [{ file: "python/a.txt", public: false }] });
  await call("files.copy", "PUT /files/copy", { body: [{ from: "python/a.txt", to: "python/c.txt" }] });
  await call("files.move", "PUT /files", { body: [{ from: "python/c.txt", to: "python/d.txt" }] });
  await call("files.delete", "DELETE /files", { body: ["python/d.txt"], result: /./ });
  await call("files.list after that", "GET /files", {
    query: { path: "/python/", quantity: 300 },
    result: ({ files: found }) => {
      const names = found.map((file) => file.filename).sort();
      deepEqual(names, ["python/a.txt", "python/b.txt", "python/part.bin"]);
      return true;
    },
  });
}
