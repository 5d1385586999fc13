import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CliResult } from "./cli.ts";
import { runHere } from "./in-process.ts";
import { type SandboxUnderTest, sandboxUnderTest } from "./sandbox.ts";

/** The seed's dashboard in the present format. */
export const CURRENT = "65a1000000000000000b0002";

type Document = Record<string, unknown> & { id: string; label: string };

/** A sandbox, a folder, and what tests about dashboards as files do with both. */
export interface DashboardPlace {
  readonly here: SandboxUnderTest;
  /** Gives the next test an empty folder to work in. */
  newFolder(): void;
  /** Full path of a file there. */
  path(name: string): string;
  iot(...args: readonly string[]): Promise<CliResult>;
  /** As `iot`, with this text as stdin. */
  iotWith(stdin: string, ...args: readonly string[]): Promise<CliResult>;
  /** Folder of the example dashboards. */
  readonly examples: string;
  /** stdout of a command that must end with 0. */
  ok(...args: readonly string[]): Promise<string>;
  request<T>(method: string, path: string, body?: object): Promise<T>;
  /** A dashboard of the test's own: a copy of the seed's present one. */
  ownDashboard(label?: string): Promise<string>;
  /** Runs something and says what it sent that changes something, as `PUT /dashboard/…`. */
  changesOf(work: () => Promise<unknown>): Promise<readonly string[]>;
  /** The dashboard of the platform, and its widgets in the order of the arrangement. */
  stateOf(id: string): Promise<{ readonly dashboard: Document; readonly widgets: readonly Document[] }>;
  /** Texts of all JSON files below a folder. */
  filesIn(folder: string): Record<string, string>;
  documentOf(path: string): Document;
  change(path: string, members: object): void;
  /** The file of the widget whose file name starts so. */
  widgetFile(folder: string, start: string): string;
  close(): Promise<void>;
}

let copies = 0;

export async function dashboardPlace(): Promise<DashboardPlace> {
  const here = await sandboxUnderTest();
  let cwd = mkdtempSync(join(tmpdir(), "iot-dashboards-"));
  const iot = (...args: readonly string[]): Promise<CliResult> => runHere(args, { env: here.env, cwd });
  const documentOf = (path: string): Document => JSON.parse(readFileSync(join(cwd, path), "utf8")) as Document;

  async function request<T>(method: string, path: string, body?: object): Promise<T> {
    const { url, tokens } = here.sandbox;
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { token: tokens.profile, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { status, result, message } = (await answer.json()) as { status: boolean; result: T; message?: string };
    if (!status) throw new Error(`${method} ${path}: ${message}`);
    return result;
  }

  return {
    here,
    newFolder() {
      cwd = mkdtempSync(join(tmpdir(), "iot-dashboards-"));
    },
    path: (name) => join(cwd, name),
    iot,
    iotWith: (stdin, ...args) => runHere(args, { env: here.env, cwd, stdin }),
    examples: fileURLToPath(new URL("../../examples/dashboards", import.meta.url)),
    async ok(...args) {
      const { code, stdout, stderr } = await iot(...args);
      if (code !== 0) throw new Error(`iot ${args.join(" ")} ended with ${code}:\n${stderr}`);
      return stdout;
    },
    request,
    async ownDashboard(label) {
      copies += 1;
      const body = { new_label: label ?? `Own ${copies}` };
      return (await request<{ dashboard_id: string }>("POST", `/dashboard/${CURRENT}/duplicate`, body)).dashboard_id;
    },
    async changesOf(work) {
      const before = here.sandbox.requestLog().at(-1)?.n ?? 0;
      await work();
      const sent = here.sandbox.requestLog().filter(({ n, method }) => n > before && method !== "GET");
      return sent.map(({ method, url }) => `${method} ${url}`);
    },
    async stateOf(id) {
      const dashboard = await request<Document>("GET", `/dashboard/${id}`);
      const places = dashboard["arrangement"] as { widget_id: string }[];
      const read = (widget: string) => request<Document>("GET", `/dashboard/${id}/widget/${widget}`);
      return { dashboard, widgets: await Promise.all(places.map(({ widget_id }) => read(widget_id))) };
    },
    filesIn(folder) {
      const names = readdirSync(join(cwd, folder), { recursive: true, encoding: "utf8" }).sort();
      const files = names.filter((name) => name.endsWith(".json"));
      return Object.fromEntries(files.map((name) => [name, readFileSync(join(cwd, folder, name), "utf8")]));
    },
    documentOf,
    change(path, members) {
      writeFileSync(join(cwd, path), JSON.stringify({ ...documentOf(path), ...members }));
    },
    widgetFile(folder, start) {
      const names = readdirSync(join(cwd, folder, "widgets"));
      return join(folder, "widgets", names.find((name) => name.startsWith(start)) ?? start);
    },
    close: () => here.close(),
  };
}
