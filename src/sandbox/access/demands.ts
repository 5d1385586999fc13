import { isRecord } from "../../lib/core/json.ts";
import type { QueryObject } from "../core/query.ts";
import type { Subject } from "./rules.ts";

/** What the policy may look at in a request. */
export interface PolicyRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryObject;
  readonly body: unknown;
}

/** Finds records, for tags of what a path names. */
export interface Lookup {
  /** Profile of the caller. */
  readonly profile: string;
  /** The record with this id, with its tags. */
  record(id: string): Subject;
  /** The record a token opens. */
  ownerOf(token: string): Subject;
  /** Paths of the files of the caller's profile under a folder. */
  filesUnder(folder: string): readonly string[];
}

/** What a route asks of the access rules. */
export interface Demand {
  readonly resource: string;
  /** Instead of `resource`, where it follows from the request. */
  readonly resourceFor?: (request: PolicyRequest) => string;
  readonly actions: readonly string[];
  /** Instead of `actions`, where they follow from the request. */
  readonly actionsFor?: (request: PolicyRequest) => readonly string[];
  /** A second demand that must be met too. */
  readonly also?: Demand;
  /** Every one of these must be allowed; none means the type as a whole. */
  readonly subjects: (request: PolicyRequest, lookup: Lookup) => readonly Subject[];
  /** Kind of record of a list: only the allowed rows are answered. */
  readonly listed?: string;
  /** Portal users may call the route where rules allow it. */
  readonly portal?: boolean;
}

/**
 * Who may call a route where access rules are not asked. `own`: the handler touches only what belongs to the token;
 * `free`: what every token of these kinds is made for; `owner`: profile tokens alone; `anyone`: no token is needed.
 */
export type Openness = "own" | "free" | "owner" | "anyone";

/** Who besides profile tokens may call a route: where rules are asked of some kinds of token only, both are said. */
export type RouteRule = Demand | Openness | readonly [Demand, "own" | "free"];

/** Names that rules give to running an analysis. */
export const RUN_ACTIONS: readonly string[] = ["run", "run_analysis"];

const noSubject = (): readonly Subject[] => [];

/** The record a part of the path names. */
export function record(resource: string, part: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: ({ params }, { record: find }) => [find(params[part] ?? "")] };
}

/** A new record: rules look at the tags it is to have. */
export function creation(resource: string, ...actions: readonly string[]): Demand {
  const subjects: Demand["subjects"] = ({ body }) => [isRecord(body) ? { tags: tagsOf(body["tags"]) } : {}];
  return { resource, actions, subjects };
}

/** A list whose rows are records of `kind`. */
export function list(resource: string, kind: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: noSubject, listed: kind };
}

/** No record of its own: settings, or a list that is not filtered. */
export function whole(resource: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: noSubject };
}

/** The owner of the token a path names. */
export function tokenOwner(resource: string, part: string, ...actions: readonly string[]): Demand {
  return { resource, actions, subjects: ({ params }, { ownerOf }) => [ownerOf(params[part] ?? "")] };
}

/** The record a member of the body names. */
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

/** Tags of a record; anything else counts as none. */
export function tagsOf(value: unknown): { key: string; value: string }[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter(isRecord)
    .flatMap(({ key, value: text }) =>
      typeof key === "string" && typeof text === "string" ? [{ key, value: text }] : [],
    );
}
