import type { Route } from "../lib/api/route.ts";
import type { AccessEntry } from "./access/catalogue.ts";
import { creation, type Demand, list, portal, record } from "./access/demands.ts";
import type { App } from "./app.ts";
import type { Gap } from "./core/gap.ts";
import { PlatformError } from "./core/platform-error.ts";
import { type BodySchema, created, type HandlerContext } from "./http/handler.ts";
import { withoutHidden } from "./store/collection.ts";
import type { Collection, EntityDocument } from "./store/document.ts";
import type { Kind, RecordKind } from "./store/kinds.ts";

/** A part of the platform: its kinds of record, its assumptions, and its routes. */
export interface Resource {
  readonly records?: readonly RecordKind[];
  /** Kinds that change like records, but are stored in separate tables. */
  readonly kinds?: readonly Kind[];
  readonly gaps?: Readonly<Record<string, Gap>>;
  /** What access rules can refer to, by the name they use. */
  readonly access?: Readonly<Record<string, AccessEntry>>;
  /** Tables of the client with its routes. Their names, and those of their routes, are the names of the operations. */
  readonly tables?: Readonly<Record<string, Readonly<Record<string, Route>>>>;
  /** Binds the routes. */
  readonly serve: (app: App) => void;
}

/** The five basic routes; omitted ones are bound in `more`, or not at all. */
interface OrdinaryRoutes {
  readonly list?: Route;
  readonly info?: Route;
  readonly create?: Route;
  readonly edit?: Route;
  readonly delete?: Route;
}

type Request = Pick<HandlerContext, "query" | "request" | "assume">;

/** Context in which a record is prepared: the caller's profile and, for an edit, the current record. */
interface About extends Pick<HandlerContext, "profile" | "assume"> {
  readonly document?: EntityDocument;
}
type Shown = (document: EntityDocument, request: Request) => Readonly<Record<string, unknown>>;

/** A kind of record with its basic routes. */
interface ResourceSpec<Create extends object, Edit extends object> extends RecordKind {
  /** Tables of the client, like in `Resource`. */
  readonly tables?: Resource["tables"];
  readonly routes: OrdinaryRoutes;
  /** Name in access rules. The action is that of the route: access, create, edit or delete. */
  readonly rule: string;
  /** What access rules can refer to. */
  readonly access?: AccessEntry;
  /** Rules can open the list and the records to portal users. */
  readonly portal?: boolean;
  /** The list is public. */
  readonly openList?: boolean;
  readonly create?: {
    readonly body: BodySchema<Create>;
    /** Default 201. */
    readonly status?: 200 | 201;
    /** Default `{id}`. */
    readonly answer?: (document: EntityDocument) => unknown;
  };
  readonly edit?: { readonly body: BodySchema<Edit>; readonly answer?: string };
  /** Result of a deletion. */
  readonly removed?: string;
  /** Default fields of a new record. */
  readonly initial?: Readonly<Record<string, unknown>>;
  /** False for records created without a list of tags. */
  readonly withTags?: boolean;
  /** Checks and completes the record to store. */
  readonly prepare?: (app: App, body: Create | Edit, about: About) => object;
  /** The record in the format of lists, before fields are picked, and in the format of its own route. */
  readonly listed?: Shown;
  readonly shown?: Shown;
  /** Records of the catalogue can be read, but neither edited nor deleted. The platform's error for that is unknown. */
  readonly onlyOwn?: Gap;
  /** Runs before a record is removed, for what belongs to it. */
  readonly removing?: (app: App, document: EntityDocument) => void;
  readonly gaps?: Readonly<Record<string, Gap>>;
  /** Binds further routes of this resource. */
  readonly more?: (app: App, records: Collection) => void;
}

/** Fields only the server sets. */
const SERVER_MADE: readonly string[] = ["id", "profile", "created_at", "updated_at"];

const DELETE_PROTECTION = "_delete_protection_";

/** Assumptions about every kind of record. */
export const kitGaps = {
  protected: { subject: "Delete-protected resource", choice: "400 with the value of the tag" },
} as const;

/** The fields of a body that a client can set. */
export function clientMembers(body: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(body).filter(([name]) => !SERVER_MADE.includes(name) && name !== "__proto__"),
  );
}

/** Rejects the deletion of a record with the protecting tag; its value is the message. */
export function refuseProtected(document: EntityDocument): void {
  const tags = Array.isArray(document["tags"]) ? document["tags"] : [];
  for (const tag of tags) {
    if (typeof tag !== "object" || tag === null || !("key" in tag) || tag.key !== DELETE_PROTECTION) continue;
    const text = "value" in tag && typeof tag.value === "string" ? tag.value : "";
    const message = text === "" ? "This resource is protected against deletion" : text;
    throw new PlatformError(400, message).assumed(kitGaps.protected);
  }
}

/** The first parameter of a path, which identifies the record. */
const partOf = (params: Readonly<Record<string, string>>): string => Object.values(params)[0] ?? "";

const partName = ({ path }: Route): string => /:([A-Za-z_]+)/.exec(path)?.[1] ?? "";

/** The properties of a kind, without what only its routes need. */
function kindOf<Create extends object, Edit extends object>(spec: ResourceSpec<Create, Edit>): RecordKind {
  const { tables, routes, rule, portal, openList, create, edit, removed, initial, withTags, prepare, ...rest } = spec;
  const { listed, shown, onlyOwn, removing, access, gaps, more, ...kind } = rest;
  return kind;
}

/** Creates the resource of a kind of record: its list, info, create, edit and delete, and its further routes. */
export function resource<Create extends object, Edit extends object = Create>(
  spec: ResourceSpec<Create, Edit>,
): Resource {
  const { access, gaps, rule, tables } = spec;
  return {
    records: [kindOf(spec)],
    ...(gaps !== undefined && { gaps }),
    ...(tables !== undefined && { tables }),
    ...(access !== undefined && { access: { [rule]: access } }),
    serve: (app) => {
      serveReading(app, spec);
      serveWriting(app, spec);
      spec.more?.(app, app.collection(spec.kind));
    },
  };
}

/** Common parts of the five routes of one kind of record. */
function partsOf<Create extends object, Edit extends object>(app: App, spec: ResourceSpec<Create, Edit>) {
  const records = app.collection(spec.kind);
  const show = (document: EntityDocument, as: Shown | undefined, request: Request) => {
    const visible = withoutHidden(document, spec.hidden);
    return as === undefined ? visible : as(visible, request);
  };
  const prepare = (body: Create | Edit, about: About): Record<string, unknown> =>
    clientMembers(spec.prepare?.(app, body, about) ?? body);
  const on = (route: Route, action: string): Demand => record(spec.rule, partName(route), action);
  const needOwn = (id: string, profile: string): EntityDocument => {
    const document = records.need(id, profile);
    if (spec.onlyOwn === undefined || document.profile === profile) return document;
    throw new PlatformError(404, `${records.thing} Not Found`).assumed(spec.onlyOwn);
  };
  return { records, show, prepare, on, needOwn };
}

function serveReading<Create extends object, Edit extends object>(app: App, spec: ResourceSpec<Create, Edit>): void {
  const { records, show, on } = partsOf(app, spec);
  const opened = (demand: Demand): Demand => (spec.portal === true ? portal(demand) : demand);
  if (spec.routes.list !== undefined) {
    const open = spec.openList === true ? { tokenOptional: true } : {};
    const options = { rule: opened(list(spec.rule, spec.kind, "access")), ...open };
    app.on(spec.routes.list, options, (request) =>
      records.list(request.profile, request.query, { present: (document) => show(document, spec.listed, request) }),
    );
  }
  if (spec.routes.info !== undefined) {
    const options = { rule: opened(on(spec.routes.info, "access")) };
    app.on(spec.routes.info, options, (request) =>
      show(records.need(partOf(request.params), request.profile), spec.shown, request),
    );
  }
}

function serveWriting<Create extends object, Edit extends object>(app: App, spec: ResourceSpec<Create, Edit>): void {
  const { routes, create, edit } = spec;
  const { records, prepare, on, needOwn } = partsOf(app, spec);
  if (routes.create !== undefined && create !== undefined) {
    const { body, status, answer = ({ id }) => ({ id }) } = create;
    const result = create.answer === undefined && { result: "id" as const };
    const options = { body, rule: creation(spec.rule, "create"), creates: spec.kind, ...result };
    app.on(routes.create, options, (context) => {
      const tags = spec.withTags === false ? {} : { tags: [] };
      const members = prepare(context.body, context);
      const document = records.insert(context.profile, { ...tags, ...spec.initial, ...members });
      return status === 200 ? answer(document) : created(answer(document));
    });
  }
  if (routes.edit !== undefined && edit !== undefined) {
    const options = { body: edit.body, rule: on(routes.edit, "edit"), result: "text" as const };
    app.on(routes.edit, options, ({ assume, body, params, profile }) => {
      const document = needOwn(partOf(params), profile);
      records.update(document.id, prepare(body, { assume, profile, document }));
      return edit.answer ?? "Successfully Updated";
    });
  }
  if (routes.delete !== undefined) {
    const options = { rule: on(routes.delete, "delete"), result: "text" as const };
    app.on(routes.delete, options, ({ params, profile }) => {
      const document = needOwn(partOf(params), profile);
      refuseProtected(document);
      spec.removing?.(app, document);
      records.remove(document.id);
      return spec.removed ?? "Successfully Removed";
    });
  }
}
