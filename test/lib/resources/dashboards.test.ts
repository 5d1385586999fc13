import { describe, expect, it } from "vitest";
import { Resources } from "../../../src/index.ts";
import { Dashboards, Widgets } from "../../../src/lib/resources/index.ts";
import { failureOf } from "../../helpers/fault-client.ts";
import { frozen, methodsOf, type Operation, testOperations } from "../../helpers/operations.ts";
import { scripted, success } from "../../helpers/scripted-transport.ts";

const moment = "2024-03-05T10:20:30.000Z";
const date = new Date(moment);
const dashboard = { id: "b1", label: "Plant", created_at: moment, updated_at: moment, last_access: null };
const dashboardWithDates = { ...dashboard, created_at: date, updated_at: date };
const widget = { label: "Level", type: "dial", display: { created_at: moment }, data: [{ origin: "d1" }] };

const dashboards: Operation<Dashboards>[] = [
  {
    method: "list",
    call: (subject, options) => subject.list(undefined, options),
    sends: "GET /dashboard?page=1&fields[0]=id&fields[1]=name&amount=20&orderBy=label,asc",
    answers: [dashboard],
    gives: [dashboardWithDates],
  },
  {
    method: "list",
    when: "with a query",
    call: (subject, options) =>
      subject.list(
        frozen({ page: 2, amount: 9, fields: ["label"], filter: { label: "P*" }, orderBy: ["created_at", "desc"] }),
        options,
      ),
    sends: "GET /dashboard?page=2&fields[0]=label&filter[label]=P*&amount=9&orderBy=created_at,desc",
    answers: [],
  },
  {
    method: "create",
    call: (subject, options) => subject.create(frozen({ label: "Plant", tags: [] }), options),
    sends: "POST /dashboard",
    body: { label: "Plant", tags: [] },
    answers: { dashboard: "b1" },
  },
  {
    method: "edit",
    call: (subject, options) => subject.edit("b1", frozen({ arrangement: [] }), options),
    sends: "PUT /dashboard/b1",
    body: { arrangement: [] },
  },
  { method: "delete", call: (subject, options) => subject.delete("b1", options), sends: "DELETE /dashboard/b1" },
  {
    method: "info",
    call: (subject, options) => subject.info("b1", options),
    sends: "GET /dashboard/b1",
    answers: dashboard,
    gives: dashboardWithDates,
  },
  {
    method: "duplicate",
    call: (subject, options) => subject.duplicate("b1", undefined, options),
    sends: "POST /dashboard/b1/duplicate",
    body: {},
    answers: { dashboard_id: "b2", message: "done" },
  },
  {
    method: "duplicate",
    when: "with a label",
    call: (subject, options) => subject.duplicate("b1", frozen({ new_label: "Copy" }), options),
    sends: "POST /dashboard/b1/duplicate",
    body: { new_label: "Copy" },
    answers: { dashboard_id: "b2", message: "done" },
  },
  {
    method: "getPublicKey",
    call: (subject, options) => subject.getPublicKey("b1", undefined, options),
    sends: "GET /dashboard/b1/share/public?expire_time=never",
    answers: { token: "t1", expire_time: "never" },
  },
  {
    method: "getPublicKey",
    when: "with an end",
    call: (subject, options) => subject.getPublicKey("b1", "2 days", options),
    sends: "GET /dashboard/b1/share/public?expire_time=2 days",
    answers: { token: "t1", expire_time: moment },
    gives: { token: "t1", expire_time: date },
  },
  {
    method: "listDevicesRelated",
    call: (subject, options) => subject.listDevicesRelated("b1", options),
    sends: "GET /dashboard/b1/devices",
    answers: [{ id: "d1", name: "Pump" }],
  },
  {
    method: "listAnalysisRelated",
    call: (subject, options) => subject.listAnalysisRelated("b1", options),
    sends: "GET /dashboard/b1/analysis",
    answers: [{ id: "a1", name: "Report" }],
  },
  {
    method: "runWidgetHeaderButtonAnalysis",
    call: (subject, options) => subject.runWidgetHeaderButtonAnalysis("a1", "b1", "w1", undefined, options),
    sends: "POST /analysis/a1/run/b1/w1",
    body: {},
    answers: { analysis_token: "t1" },
    gives: "t1",
  },
  {
    method: "runWidgetHeaderButtonAnalysis",
    when: "with a scope",
    call: (subject, options) => subject.runWidgetHeaderButtonAnalysis("a1", "b1", "w1", frozen({ a: 1 }), options),
    sends: "POST /analysis/a1/run/b1/w1",
    body: { scope: { a: 1 } },
    answers: { analysis_token: "t1" },
    gives: "t1",
  },
];

const widgets: Operation<Widgets>[] = [
  {
    method: "create",
    call: (subject, options) => subject.create("b1", frozen(widget), options),
    sends: "POST /dashboard/b1/widget/",
    body: widget,
    answers: { widget: "w1" },
  },
  {
    method: "edit",
    call: (subject, options) => subject.edit("b1", "w1", frozen({ label: "New" }), options),
    sends: "PUT /dashboard/b1/widget/w1",
    body: { label: "New" },
  },
  {
    method: "delete",
    call: (subject, options) => subject.delete("b1", "w1", options),
    sends: "DELETE /dashboard/b1/widget/w1",
  },
  {
    method: "info",
    call: (subject, options) => subject.info("b1", "w1", options),
    sends: "GET /dashboard/b1/widget/w1",
    answers: { ...widget, id: "w1", dashboard: "b1" },
  },
  {
    method: "getData",
    call: (subject, options) => subject.getData("b1", "w1", undefined, options),
    sends: "GET /data/b1/w1",
    answers: { widget, content: [{ result: [{ time: moment }] }] },
  },
  {
    method: "getData",
    when: "with params",
    call: (subject, options) =>
      subject.getData("b1", "w1", frozen({ overwrite: { start_date: date, qty: 5 }, filter: { a: 1 } }), options),
    sends: `GET /data/b1/w1?overwrite[start_date]=${moment}&overwrite[qty]=5&filter[a]=1`,
  },
  {
    method: "getData",
    when: "with a page",
    call: (subject, options) => subject.getData("b1", "w1", frozen({ page: 3, amount: 7 }), options),
    sends: "GET /data/b1/w1?page=3&amount=7",
  },
  {
    method: "sendData",
    call: (subject, options) =>
      subject.sendData("b1", "w1", frozen({ variable: "a", origin: "d1" }), undefined, options),
    sends: "POST /data/b1/w1?bypass_bucket=false",
    body: { variable: "a", origin: "d1" },
    answers: ["1 Data Added"],
  },
  {
    method: "sendData",
    when: "to the analysis only",
    call: (subject, options) => subject.sendData("b1", "w1", frozen([{ variable: "a", origin: "d1" }]), true, options),
    sends: "POST /data/b1/w1?bypass_bucket=true",
    body: [{ variable: "a", origin: "d1" }],
  },
  {
    method: "editData",
    call: (subject, options) => subject.editData("b1", "w1", frozen({ id: "r1", origin: "d1" }), undefined, options),
    sends: "PUT /data/b1/w1/data?bypass_bucket=false",
    body: { id: "r1", origin: "d1" },
  },
  {
    method: "editData",
    when: "in the analysis only",
    call: (subject, options) => subject.editData("b1", "w1", frozen([{ id: "r1", origin: "d1" }]), true, options),
    sends: "PUT /data/b1/w1/data?bypass_bucket=true",
    body: [{ id: "r1", origin: "d1" }],
  },
  {
    method: "deleteData",
    call: (subject, options) => subject.deleteData("b1", "w1", frozen(["r1:d1", "r2:d1"]), options),
    sends: "DELETE /data/b1/w1?ids[0]=r1:d1&ids[1]=r2:d1",
  },
  {
    method: "deleteData",
    when: "with one pair",
    call: (subject, options) => subject.deleteData("b1", "w1", "r1:d1", undefined, options),
    sends: "DELETE /data/b1/w1?ids[0]=r1:d1",
  },
  {
    method: "deleteData",
    when: "in the older form",
    call: (subject, options) => subject.deleteData("b1", "w1", "r1", "d1", options),
    sends: "DELETE /data/b1/w1?ids=r1:d1",
  },
  {
    method: "editResource",
    call: (subject, options) => subject.editResource("b1", "w1", frozen({ device: "d1", "tags.site": "a" }), options),
    sends: "PUT /data/b1/w1/resource",
    body: { device: "d1", "tags.site": "a" },
  },
  {
    method: "editResource",
    when: "with an identifier",
    call: (subject, options) =>
      subject.editResource("b1", "w1", frozen([{ device: "d1" }]), { ...options, identifier: "button" }),
    sends: "PUT /data/b1/w1/resource?widget_exec=button",
    body: [{ device: "d1" }],
  },
  {
    method: "tokenGenerate",
    call: (subject, options) => subject.tokenGenerate("b1", "w1", options),
    sends: "GET /dashboard/b1/widget/w1/token",
    answers: { widget_token: "t1" },
  },
];

const named = (operations: readonly { readonly method: string }[]) =>
  [...new Set(operations.map(({ method }) => method))].sort();

describe("Dashboards", () => {
  testOperations((params) => new Resources(params).dashboards, dashboards);

  it("has no method that is not in the table", () => {
    expect(named(dashboards)).toEqual(methodsOf(Dashboards).sort());
  });
});

describe("Widgets", () => {
  testOperations((params) => new Resources(params).dashboards.widgets, widgets);

  it("has no method that is not in the table", () => {
    expect(named(widgets)).toEqual(methodsOf(Widgets).sort());
  });

  it("deletes nothing for an empty list of ids", async () => {
    const transport = scripted(success("done"));
    const { widgets: subject } = new Resources({ token: "t", transport }).dashboards;
    const error = await failureOf(subject.deleteData("b1", "w1", []));
    expect(error).toMatchObject({
      name: "InputError",
      message: "Nothing to delete: the list of ids is empty",
      field: "idPairs",
    });
    expect(transport.requests).toHaveLength(0);
  });
});
