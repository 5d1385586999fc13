import { isRecord } from "../../lib/core/json.ts";
import type { QueryObject } from "../core/query.ts";
import type { Subject } from "./rules.ts";

/** What the policy can read of a request. */
export interface PolicyRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryObject;
  readonly body: unknown;
}

/** Finds records by the ids in a path, for their tags. */
export interface Lookup {
  /** Profile of the caller. */
  readonly profile: string;
  /** The record with this id, with its tags. */
  record(id: string): Subject;
  /** The record a token belongs to. */
  ownerOf(token: string): Subject;
  /** Paths of the files of the caller's profile under a folder. */
  filesUnder(folder: string): readonly string[];
}

/** What a route requires of the access rules. */
export interface Demand {
  readonly resource: string;
  /** Replaces `resource` where it depends on the request. */
  readonly resourceFor?: (request: PolicyRequest) => string;
  readonly actions: readonly string[];
  /** Replaces `actions` where they depend on the request. */
  readonly actionsFor?: (request: PolicyRequest) => readonly string[];
  /** A second demand that must be met too. */
  readonly also?: Demand;
  /** Every one of these must be allowed; empty means the resource type as a whole. */
  readonly subjects: (request: PolicyRequest, lookup: Lookup) => readonly Subject[];
  /** Kind of record of a list: only the allowed rows are returned. */
  readonly listed?: string;
  /** Portal users can call the route if rules allow it. */
  readonly portal?: boolean;
}

/**
 * Permission to call a route that access rules do not cover. `own`: the handler touches only what belongs to the token;
 * `free`: the route is what every token of these kinds is made for; `owner`: profile tokens only; `anyone`: no token
 * required.
 */
export type Openness = "own" | "free" | "owner" | "anyone";

/**
 * Permission to call a route for tokens other than profile tokens; both forms when rules cover only some kinds of
 * token.
 */
export type RouteRule = Demand | Openness | readonly [Demand, "own" | "free"];

/** Names that rules give to running an analysis. */
export const RUN_ACTIONS: readonly string[] = ["run", "run_analysis"];

const noSubject = (): readonly Subject[] => [];

/** The record that a path parameter identifies. */
export function record(resource: string, part: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: ({ params }, { record: find }) => [find(params[part] ?? "")] };
}

/** A new record: rules check the tags it will have. */
export function creation(resource: string, ...actions: readonly string[]): Demand {
  const subjects: Demand["subjects"] = ({ body }) => [isRecord(body) ? { tags: tagsOf(body["tags"]) } : {}];
  return { resource, actions, subjects };
}

/** A list whose rows are records of `kind`. */
export function list(resource: string, kind: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: noSubject, listed: kind };
}

/** No single record: settings, or a list that is not filtered. */
export function whole(resource: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: noSubject };
}

/** The owner of the token in a path. */
export function tokenOwner(resource: string, part: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: ({ params }, { ownerOf }) => [ownerOf(params[part] ?? "")] };
}

/** The record whose id is in a property of the body. */
export function named(resource: string, member: string, ...actions: readonly string[]): Demand {
  const subjects: Demand["subjects"] = ({ body }, { record: find }) => {
    const value = isRecord(body) ? body[member] : undefined;
    const ids = (Array.isArray(value) ? value : [value]).filter((id): id is string => typeof id === "string");
    return ids.length === 0 ? [{}] : ids.map(find);
  };
  return { resource, actions, subjects };
}

/** Opens the route to portal users too. */
export const portal = (demand: Demand): Demand => ({ ...demand, portal: true });

/** Tags of a record; an invalid value counts as no tags. */
export function tagsOf(value: unknown): { key: string; value: string }[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isRecord)
    .flatMap(({ key, value: text }) =>
      typeof key === "string" && typeof text === "string" ? [{ key, value: text }] : [],
    );
}
