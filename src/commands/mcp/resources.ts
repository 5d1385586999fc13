import { cleanLine } from "../../text/clean.ts";
import { CommandError, notFoundError, usageError } from "../kit/failures/command-error.ts";
import { isObject } from "../kit/files/files.ts";
import type { CallResult } from "./call.ts";
import type { ListedResource, ResourceServer } from "./protocol.ts";
import type { CommandTool } from "./tools.ts";

/** What is served as a resource, besides its tools. */
interface Kind {
  readonly name: "device" | "dashboard";
  /** The field that people know it by. */
  readonly label: "name" | "label";
  readonly description: string;
}

const kinds: readonly Kind[] = [
  { name: "device", label: "name", description: "Device: settings, tags and dates as JSON, without data" },
  { name: "dashboard", label: "label", description: "Dashboard: settings, tabs and arrangement as JSON" },
];

const PAGE_ROWS = 50;
const mimeType = "application/json";

const uriOf = (kind: Kind, id: string): string => `iot://${kind.name}/${id}`;

/** Carries out a tool; secrets in its result are masked. */
export type CallRead = (tool: CommandTool, input: unknown, signal: AbortSignal) => Promise<CallResult>;

/** The JSON of a call; its error as an error. */
async function jsonOf(call: CallRead, tool: CommandTool, input: object, signal: AbortSignal): Promise<string> {
  const { isError, texts } = await call(tool, input, signal);
  const [json = "null"] = texts;
  if (!isError) return json;
  const document: unknown = JSON.parse(json);
  const failure = isObject(document) && isObject(document["error"]) ? document["error"] : {};
  const { message, code, exit } = failure;
  throw new CommandError(String(message), { code: String(code), exit: Number(exit) });
}

/** Devices and dashboards as resources; only those whose `list` and `get` are served as tools, undefined without any. */
export function resourcesOf(tools: readonly CommandTool[], call: CallRead): ResourceServer | undefined {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const served = kinds.flatMap((kind) => {
    const [list, get] = [byName.get(`${kind.name}_list`), byName.get(`${kind.name}_get`)];
    return list === undefined || get === undefined ? [] : [{ kind, list, get }];
  });
  if (served.length === 0) return undefined;
  return {
    templates: served.map(({ kind }) => ({
      uriTemplate: uriOf(kind, "{id}"),
      name: kind.name,
      description: kind.description,
      mimeType,
    })),
    async list(cursor, signal) {
      const { at, page } = placeOf(cursor, served.length);
      const one = served[at];
      if (one === undefined) return { resources: [] };
      const { kind, list } = one;
      const input = { limit: PAGE_ROWS, page, fields: ["id", kind.label] };
      const rows: unknown = JSON.parse(await jsonOf(call, list, input, signal));
      const resources = (Array.isArray(rows) ? rows.filter(isObject) : []).map((row): ListedResource => {
        const id = String(row["id"]);
        const name = cleanLine(String(row[kind.label] ?? ""), 200) || id;
        return { uri: uriOf(kind, id), name, description: kind.description, mimeType };
      });
      const next = resources.length === PAGE_ROWS ? `${at}.${page + 1}` : `${at + 1}.1`;
      return { resources, ...(next === `${served.length}.1` ? {} : { nextCursor: next }) };
    },
    async read(uri, signal) {
      const [, name, id = ""] = /^iot:\/\/(device|dashboard)\/([0-9a-f]{24})$/.exec(uri) ?? [];
      const one = served.find(({ kind }) => kind.name === name);
      if (one === undefined) throw unknownResource(uri);
      return { uri, mimeType, text: await jsonOf(call, one.get, { id }, signal) };
    },
  };
}

/** Where a page starts: the number of the kind, and of its page. */
function placeOf(cursor: string | undefined, count: number): { readonly at: number; readonly page: number } {
  const [, at, page] = /^(\d)\.([1-9]\d{0,5})$/.exec(cursor ?? "0.1") ?? [];
  if (at !== undefined && Number(at) < count) return { at: Number(at), page: Number(page) };
  throw usageError("Invalid cursor.", { next: "Use the nextCursor of the page before, or none." });
}

const unknownResource = (uri: string): Error =>
  notFoundError(`Resource ${JSON.stringify(cleanLine(uri, 200))} not found.`, {
    next: "Use iot://device/<id> or iot://dashboard/<id> with a full id.",
  });
