import { html } from "hono/html";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { listedGaps } from "../gaps.ts";
import type { RequestLog, RequestLogEntry } from "../http/request-log.ts";
import type { EntityDocument } from "../store/document.ts";
import type { OutboxMessage } from "../store/outbox.ts";
import { frame, type Markup, moment, type PageColumn, searchBox, table } from "./frame.ts";

const MAX_ROWS = 200;
const MAX_DATA_ROWS = 50;

/** What a view may look at. */
export interface PageParts {
  readonly app: App;
  readonly requestLog: RequestLog;
}

/** What the address asks for. */
export interface PageQuery {
  readonly view: string;
  readonly id: string;
  readonly search: string;
}

const text = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

const deviceLink = (id: string, name: unknown): Markup =>
  html`<a href="/__sandbox/?view=device&amp;id=${id}">${text(name)}</a>`;

const tagsOf = (device: EntityDocument): Markup[] => {
  const tags: readonly unknown[] = Array.isArray(device["tags"]) ? device["tags"] : [];
  return tags.map((tag) => {
    const { key, value }: { key?: unknown; value?: unknown } = typeof tag === "object" && tag !== null ? tag : {};
    return html`<span class="tag">${text(key)}: ${text(value)}</span>`;
  });
};

const activeText = (device: EntityDocument): Markup =>
  device["active"] === false
    ? html`<span class="state warn">inactive</span>`
    : html`<span class="state good">active</span>`;

/** Devices of every profile by name; only those whose name or id has the text. */
function findDevices({ db }: App, search: string): EntityDocument[] {
  const rows = db.all<{ doc: string }>(
    `SELECT doc FROM entity WHERE kind = 'device' AND (?1 = '' OR id = ?1 OR instr(lower(doc ->> '$.name'), lower(?1)) > 0)
     ORDER BY lower(doc ->> '$.name'), id LIMIT ?2`,
    search,
    MAX_ROWS + 1,
  );
  // Only the store writes the column.
  return rows.map(({ doc }) => JSON.parse(doc) as EntityDocument);
}

function devicesView({ app }: PageParts, { search }: PageQuery): Markup {
  const found = findDevices(app, search);
  const shown = found.slice(0, MAX_ROWS);
  const columns: PageColumn<EntityDocument>[] = [
    { title: "Name", isName: true, cell: (device) => deviceLink(device.id, device["name"]) },
    { title: "State", cell: activeText },
    { title: "Storage", cell: (device) => text(device["type"]) },
    { title: "Records", kind: "number", cell: ({ id }) => app.data.amount(id).toLocaleString("en-US") },
    { title: "Last data", kind: "time", cell: (device) => moment(device["last_input"]) },
    { title: "Tags", kind: "wide", cell: (device) => html`${tagsOf(device)}` },
    { title: "Id", kind: "id", cell: ({ id }) => id },
  ];
  const caption = found.length > MAX_ROWS ? `The first ${MAX_ROWS} devices` : `${shown.length} devices`;
  return html`<h1>Devices</h1>
<p class="about">Devices of every profile in this sandbox. Times are UTC.</p>
${searchBox("devices", "Name or id", search)}
${table(caption, columns, shown, "No devices match.")}`;
}

interface DataRow {
  readonly variable?: unknown;
  readonly value?: unknown;
  readonly unit?: unknown;
  readonly time?: unknown;
  readonly group?: unknown;
  readonly location?: unknown;
  readonly metadata?: unknown;
}

const DATA_COLUMNS: readonly PageColumn<DataRow>[] = [
  { title: "Time", kind: "time", cell: ({ time }) => moment(time) },
  { title: "Variable", isName: true, cell: ({ variable }) => text(variable) },
  { title: "Value", kind: "number", cell: ({ value }) => text(value) },
  { title: "Unit", cell: ({ unit }) => text(unit) },
  { title: "Location", cell: ({ location }) => text(location) },
  { title: "Group", kind: "id", cell: ({ group }) => text(group) },
  { title: "Metadata", kind: "code", cell: ({ metadata }) => text(metadata) },
];

function deviceView({ app }: PageParts, { id }: PageQuery): { title: string; content: Markup } {
  const device = app.collection("device").get(id);
  if (device === undefined) throw new PlatformError(404, "Device Not Found");
  // Only the store of device data writes the column.
  const rows = app.db
    .all<{ wire: string }>(
      "SELECT wire FROM device_data WHERE device = ? ORDER BY time DESC, seq DESC LIMIT ?",
      id,
      MAX_DATA_ROWS,
    )
    .map(({ wire }) => JSON.parse(wire) as DataRow);
  const facts = [
    ["Id", id],
    ["Profile", device.profile],
    ["Storage", text(device["type"])],
    ["Connector", text(device["connector"])],
    ["Network", text(device["network"])],
    ["Created", moment(device["created_at"])],
    ["Last data", moment(device["last_input"])],
    ["Records", app.data.amount(id).toLocaleString("en-US")],
  ] as const;
  const params = app.params.list(id);
  const name = text(device["name"]);
  const content = html`<p><a href="/__sandbox/?view=devices">All devices</a></p>
<h1>${name}</h1>
<p class="about">${activeText(device)} ${tagsOf(device)}</p>
<dl>${facts.map(([term, value]) => html`<dt>${term}</dt><dd class="code">${value}</dd>`)}</dl>
<p><a href="/__sandbox/?view=live&amp;id=${id}">Watch its data as it arrives</a></p>
<h2>Last data</h2>
${table(`The last ${rows.length} records, newest first, times in UTC`, DATA_COLUMNS, rows, "The device has no data.")}
<h2>Parameters</h2>
${table(
  `${params.length} parameters`,
  [
    { title: "Key", isName: true, cell: ({ key }) => key },
    { title: "Value", kind: "wide", cell: ({ value }) => value },
    { title: "Sent", cell: ({ sent }) => (sent ? "yes" : "no") },
  ],
  params,
  "The device has no parameters.",
)}`;
  return { title: name, content };
}

function liveView({ app }: PageParts, { id }: PageQuery): Markup {
  const device = id === "" ? undefined : app.collection("device").get(id);
  const about =
    device === undefined
      ? html`Data of all devices as it arrives, newest first.`
      : html`Data of ${deviceLink(device.id, device["name"])} as it arrives, newest first. <a href="/__sandbox/?view=live">Show all devices</a>`;
  const stream = device === undefined ? "/__sandbox/stream" : `/__sandbox/stream?device=${device.id}`;
  return html`<h1>Live data</h1>
<p class="about">${about} Times are UTC.</p>
<div class="tools"><p id="live-state" class="state" role="status">Connecting</p><p id="live-count" class="state"></p>
<button id="live-pause" type="button" aria-pressed="false" hidden>Pause</button></div>
<noscript><p class="none">Live data needs JavaScript. The last data of each device is on its own page.</p></noscript>
<div class="scroll" tabindex="0" role="region" aria-label="Live data"><table id="live" data-stream="${stream}">
<caption>At most 200 records are kept here</caption>
<thead><tr><th scope="col">Time</th><th scope="col">Device</th><th scope="col">Variable</th><th scope="col" class="number">Value</th><th scope="col">Unit</th></tr></thead>
<tbody></tbody></table></div>`;
}

const fits = (search: string, ...values: readonly unknown[]): boolean =>
  search === "" || values.some((value) => text(value).toLowerCase().includes(search.toLowerCase()));

function outboxView({ app }: PageParts, { search }: PageQuery): Markup {
  const messages = app.outbox.list().filter((message) => fits(search, message));
  const rest = ({ id: _, kind: __, created_at: ___, ...members }: OutboxMessage): Markup =>
    html`<dl>${Object.entries(members).map(([name, value]) => html`<dt>${name}</dt><dd><pre>${text(value)}</pre></dd>`)}</dl>`;
  const columns: PageColumn<OutboxMessage>[] = [
    { title: "Time", kind: "time", cell: ({ created_at }) => moment(created_at) },
    { title: "Kind", isName: true, cell: ({ kind }) => kind },
    { title: "Content", kind: "wide", cell: rest },
  ];
  const shown = messages.slice(-MAX_ROWS).reverse();
  return html`<h1>Outbox</h1>
<p class="about">Mail, texts, push messages and requests that would have left this machine. Nothing was sent.</p>
${searchBox("outbox", "Text in a message", search)}
${table(`The last ${shown.length} messages, newest first, times in UTC`, columns, shown, "Nothing is in the outbox.")}`;
}

function statusText({ status }: RequestLogEntry): Markup {
  const kind = status === 0 || status >= 500 ? "bad" : status >= 400 ? "warn" : "good";
  return html`<span class="state ${kind}">${status === 0 ? "cut off" : status}</span>`;
}

function requestsView({ requestLog }: PageParts, { search }: PageQuery): Markup {
  const entries = requestLog.list().filter(({ url }) => !url.startsWith("/__sandbox"));
  const shown = entries.filter(({ method, url, status }) => fits(search, `${method} ${url}`, status)).slice(-MAX_ROWS);
  const columns: PageColumn<RequestLogEntry>[] = [
    { title: "Time", kind: "time", cell: ({ time }) => moment(time) },
    { title: "Method", cell: ({ method }) => method },
    { title: "Address", kind: "code", isName: true, cell: ({ url }) => url },
    { title: "Status", kind: "number", cell: statusText },
    { title: "ms", kind: "number", cell: ({ durationMs }) => durationMs.toFixed(1) },
    { title: "Token", cell: ({ token }) => token },
    { title: "Gap", kind: "wide", cell: ({ gap }) => gap ?? "" },
  ];
  return html`<h1>Requests</h1>
<p class="about">What programs asked this sandbox, without tokens. Its own inspection is left out.</p>
${searchBox("requests", "Address, method or status", search)}
${table(`The last ${shown.length} requests, newest first, times in UTC`, columns, [...shown].reverse(), "No requests match.")}`;
}

function gapsView(_: PageParts, { search }: PageQuery): Markup {
  const rows = listedGaps.filter(({ subject, choice }) => fits(search, subject, choice));
  return html`<h1>Gaps</h1>
<p class="about">What the sandbox chose because no source shows the platform's behaviour. The platform may do something else.</p>
${searchBox("gaps", "Text", search)}
${table(
  `${rows.length} choices`,
  [
    { title: "Subject", isName: true, kind: "wide", cell: ({ subject }) => subject },
    { title: "Choice", kind: "wide", cell: ({ choice }) => choice },
    { title: "Scope", cell: ({ scope }) => scope },
  ],
  rows,
  "No gaps match.",
)}`;
}

const views: Readonly<
  Record<string, readonly [title: string, render: (parts: PageParts, query: PageQuery) => Markup]>
> = {
  devices: ["Devices", devicesView],
  live: ["Live data", liveView],
  outbox: ["Outbox", outboxView],
  requests: ["Requests", requestsView],
  gaps: ["Gaps", gapsView],
};

/** The document of one view; devices when the address names none. */
export function renderPage(parts: PageParts, query: PageQuery): Markup {
  if (query.view === "device") {
    const { title, content } = deviceView(parts, query);
    return frame("devices", title, content);
  }
  const name = query.view === "" ? "devices" : query.view;
  const view = Object.hasOwn(views, name) ? views[name] : undefined;
  if (view === undefined) throw new PlatformError(404, "Page not found");
  const [title, render] = view;
  return frame(name, title, render(parts, query));
}
