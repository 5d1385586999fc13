import { ID } from "../kit.js";
import { listQuery } from "./devices.js";

const named = (name) => (rows) => rows.some((row) => row.name === name);
const freezer = "65a1000000000000000d0004";

export async function automation(call, { tokens }) {
  const { id } = await call("analyses.create", "POST /analysis", {
    body: {
      name: "Python analysis",
      runtime: "python",
      run_on: "tago",
      active: true,
      variables: [{ key: "a", value: "1" }],
    },
    result: { id: ID },
  });
  await call("analyses.list", "GET /analysis/", {
    query: { ...listQuery, filter: { name: "Python*" } },
    result: named("Python analysis"),
  });
  await call("analyses.uploadScript", `POST /analysis/${id}/upload`, {
    body: { file_name: "script.py", file: Buffer.from("print(1)").toString("base64"), language: "python" },
    result: /^Successfully (Updated|Uploaded)$/,
  });
  await call("analyses.info", `GET /analysis/${id}`, { result: { id, name: "Python analysis", run_on: "tago" } });
  await call("analyses.edit", `PUT /analysis/${id}`, { body: { description: "edited" }, result: /Updated/ });
  await call("analyses.downloadScript", `GET /analysis/${id}/download`, { result: { url: /^https?:/, size: /\d/ } });
  await call("analyses.tokenGenerate", `GET /analysis/${id}/token`, { result: { analysis_token: /./ } });
  await call("analyses.run", `POST /analysis/${id}/run`, {
    body: { scope: [{ environment: "x" }] },
    result: { analysis_token: /^a-/ },
  });
  const { action } = await call("actions.create", "POST /action", {
    body: {
      name: "Python action",
      type: "condition",
      active: true,
      trigger: [{ device: freezer, variable: "heat", is: ">", value: "8", value_type: "number", second_value: null }],
      action: { type: "script", script: [id] },
      description: null,
    },
    result: { action: ID },
  });
  await call("actions.list", "GET /action", { query: listQuery, result: named("Python action") });
  await call("actions.info", `GET /action/${action}`, { result: { id: action, type: "condition" } });
  await call("actions.edit", `PUT /action/${action}`, { body: { active: false }, result: /Updated/ });
  await call("actions.delete", `DELETE /action/${action}`, { result: /Removed/ });
  await call("analyses.delete", `DELETE /analysis/${id}`, { result: /Removed/ });
  const { am_id } = await call("access.create", "POST /am", {
    body: {
      name: "Python rule",
      permissions: [{ effect: "allow", action: ["access"], resource: ["device"] }],
      targets: [["run_user", "tag", "site", "plant"]],
      active: true,
    },
    result: { am_id: ID },
  });
  await call("access.list", "GET /am", { query: listQuery, result: named("Python rule") });
  await call("access.info", `GET /am/${am_id}`, { result: { id: am_id, name: "Python rule" } });
  await call("access.edit", `PUT /am/${am_id}`, { body: { active: false }, result: /Updated/ });
  await call("access.delete", `DELETE /am/${am_id}`, { result: /Removed|Deleted/ });
  await call("(an analysis by its token)", "GET /info", { token: tokens.analysis, result: { id: ID } });
}
