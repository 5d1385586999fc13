import type { Route } from "../../lib/api/route.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { type BodySchema, created } from "../http/handler.ts";
import type { ResourceEvent } from "../signals.ts";
import type { Collection, EntityDocument } from "../store/document.ts";
import { clientMembers, refuseProtected } from "./kit.ts";

/** The five routes of an ordinary resource; those left out are bound by hand or not at all. */
export interface CrudRoutes {
  readonly list?: Route;
  readonly info?: Route;
  readonly create?: Route;
  readonly edit?: Route;
  readonly delete?: Route;
}

export interface CrudOptions<Create, Edit> {
  readonly create?: BodySchema<Create>;
  readonly edit?: BodySchema<Edit>;
  /** Members of a new record that the body does not name. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Answer to a create; default `{id}`. */
  readonly created?: (document: EntityDocument) => unknown;
  /** HTTP status of that answer. Default 201. */
  readonly createdStatus?: 200 | 201;
  /** Answers to an edit and a deletion. */
  readonly edited?: string;
  readonly removed?: string;
  /** False for records without tags. */
  readonly tagged?: boolean;
  /** Checks and completes what is to be stored; `document` is the record that is edited. */
  readonly prepare?: (
    body: Create | Edit,
    about: { readonly profile: string; readonly document?: EntityDocument },
  ) => object;
  /** The record as clients and listeners see it. */
  readonly present?: (document: EntityDocument) => EntityDocument;
  /** Records of the catalogue can be read, but neither edited nor deleted. */
  readonly onlyOwn?: boolean;
  /** Runs before a record goes, for what belongs to it. */
  readonly removing?: (document: EntityDocument) => void;
}

/** The path's own part: routes of a resource name exactly one. */
function partOf(params: Readonly<Record<string, string>>): string {
  return Object.values(params)[0] ?? "";
}

/** Serves list, info, create, edit and delete of a collection. */
export function crud<Create extends object, Edit extends object = Create>(
  app: App,
  routes: CrudRoutes,
  name: string,
  options: CrudOptions<Create, Edit> = {},
): Collection {
  const records = app.collection(name);
  const present = options.present ?? ((document: EntityDocument) => document);
  const prepare = options.prepare ?? ((body: Create | Edit): object => body);

  const tell = (event: ResourceEvent, document: EntityDocument, principal: Principal): void => {
    const { profile } = principal;
    app.signals.emit("resourceChanged", { profile, kind: name, event, document: present(document), principal });
  };

  const needOwn = (id: string, profile: string): EntityDocument => {
    const document = records.need(id, profile);
    if (options.onlyOwn !== true || document.profile === profile) return document;
    throw new PlatformError(404, `${records.thing} Not Found`);
  };

  if (routes.list !== undefined)
    app.handle(routes.list, ({ profile, query }) => records.list(profile, query, { present }));
  if (routes.info !== undefined)
    app.handle(routes.info, ({ params, profile }) => present(records.need(partOf(params), profile)));
  if (routes.create !== undefined && options.create !== undefined) {
    app.handle(routes.create, { body: options.create }, ({ body, principal, profile }) => {
      const tags = options.tagged === false ? {} : { tags: [] };
      const members = clientMembers(prepare(body, { profile }));
      const document = records.insert(profile, { ...tags, ...options.defaults, ...members });
      tell("create", document, principal);
      const result = options.created?.(document) ?? { id: document.id };
      return options.createdStatus === 200 ? result : created(result);
    });
  }
  if (routes.edit !== undefined && options.edit !== undefined) {
    app.handle(routes.edit, { body: options.edit }, ({ body, params, principal, profile }) => {
      const before = needOwn(partOf(params), profile);
      const document = records.update(before.id, clientMembers(prepare(body, { profile, document: before })));
      tell("edit", document, principal);
      return options.edited ?? "Successfully Updated";
    });
  }
  if (routes.delete !== undefined) {
    app.handle(routes.delete, ({ params, principal, profile }) => {
      const document = needOwn(partOf(params), profile);
      refuseProtected(document);
      options.removing?.(document);
      records.remove(document.id);
      tell("delete", document, principal);
      return options.removed ?? "Successfully Removed";
    });
  }
  return records;
}
