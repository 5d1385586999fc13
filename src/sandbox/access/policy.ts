import type { Route } from "../../lib/api/route.ts";
import { isRecord } from "../../lib/core/json.ts";
import { denied } from "../core/platform-error.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import type { Tokens } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { type Demand, type Lookup, type Openness, type PolicyRequest, type RouteRule, tagsOf } from "./demands.ts";
import {
  type Actor,
  isAllowed,
  mayConcern,
  type Permission,
  type Question,
  type Rule,
  rulesFor,
  type Subject,
} from "./rules.ts";

/**
 * How far access rules reach. By default portal users need a rule for everything, and an analysis needs one as soon as
 * any active rule names it. `enforced` requires a rule for every analysis; `open` checks no rules.
 */
export type AccessMode = "open" | "enforced";

const DEFAULT_KINDS: readonly TokenKind[] = ["profile", "analysis"];

/** Rules apply to analyses and portal users only. */
const isRuled = (kind: Principal["kind"]): boolean => kind === "analysis" || kind === "run_user";

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

function permissionsOf(value: unknown): Permission[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map(({ effect, action, resource }) => ({
    effect: String(effect),
    action: texts(action),
    resource: texts(resource),
  }));
}

/** A stored rule as the evaluation reads it. */
function ruleOf(document: Readonly<Record<string, unknown>>): Rule {
  const targets = Array.isArray(document["targets"]) ? document["targets"].map(texts) : [];
  return { targets, permissions: permissionsOf(document["permissions"]) };
}

/** Permission to call a route, as stated when it was registered. */
interface Statement {
  readonly demand: Demand | undefined;
  readonly openness: Openness | undefined;
}

function statementOf(rule: RouteRule): Statement {
  if (typeof rule === "string") return { demand: undefined, openness: rule };
  if (!isPair(rule)) return { demand: rule, openness: undefined };
  return { demand: rule[0], openness: rule[1] };
}

function isPair(rule: Exclude<RouteRule, string>): rule is readonly [Demand, "own" | "free"] {
  return Array.isArray(rule);
}

/** Kinds of token that a route accepts. */
function kindsFor({ demand, openness }: Statement, tokens: readonly TokenKind[] | undefined): readonly TokenKind[] {
  if (openness === "anyone") return [];
  if (openness === "owner") return ["profile"];
  const kinds = tokens ?? DEFAULT_KINDS;
  return demand?.portal === true ? [...kinds, "run_user"] : kinds;
}

/** A principal that access rules apply to, with the rules that name it. */
interface Bond {
  readonly actor: Actor;
  readonly rules: readonly Rule[];
}

interface Scope {
  readonly demand: Demand;
  readonly principal: Principal;
}

/** Access rules, enforced only here: the server calls this before every handler. */
export class Policy {
  readonly #db: SandboxDatabase;
  readonly #tokens: Tokens;
  readonly #mode: AccessMode | undefined;
  #scope: Scope | undefined;
  readonly #statements = new Map<Route, Statement>();

  constructor(db: SandboxDatabase, tokens: Tokens, mode: AccessMode | undefined) {
    this.#db = db;
    this.#tokens = tokens;
    this.#mode = mode;
  }

  /**
   * Kinds of token a route accepts: those given, and portal users if its rule opens it to them.
   *
   * @throws Error when the rule does not say what one of these kinds may do there
   */
  register(route: Route, tokens: readonly TokenKind[] | undefined, rule: RouteRule): readonly TokenKind[] {
    const stated = statementOf(rule);
    const { demand, openness } = stated;
    const name = `${route.method} ${route.path}`;
    if (demand === undefined && openness === undefined) throw new Error(`${name} has no rule`);
    if ((openness === "anyone") !== (route.anonymous === true))
      throw new Error(`${name}: the rule "anyone" goes with a route marked anonymous, and with no other`);
    const kinds = kindsFor(stated, tokens);
    const open = kinds.filter((kind) => kind !== "profile" && !(demand !== undefined && isRuled(kind)));
    if (open.length > 0 && openness !== "own" && openness !== "free")
      throw new Error(`${name} lets in ${open.join(", ")} tokens, and its rule does not say what they may do`);
    this.#statements.set(route, stated);
    return kinds;
  }

  /** Rejects what the rules do not allow. Profile tokens and calls of anonymous routes pass. */
  check(principal: Principal, route: Route, request: PolicyRequest): void {
    if (principal.kind === "profile" || principal.kind === "anonymous") return;
    const demand = this.#demandOf(principal, route);
    if (demand === undefined) {
      if (this.#statements.get(route)?.openness === undefined) throw denied();
      return;
    }
    const bound = this.#bond(principal);
    if (bound !== undefined) this.#requireDemand(demand, bound, request, this.#lookupIn(principal.profile));
  }

  /** Ids of a kind of record that the current request may list; `undefined` for all. */
  visible(kind: string, profile: string): readonly string[] | undefined {
    if (this.#scope === undefined || this.#scope.demand.listed !== kind) return undefined;
    const bound = this.#bond(this.#scope.principal);
    if (bound === undefined) return undefined;
    const { resource, actions } = this.#scope.demand;
    return this.#db
      .all<{ id: string; doc: string }>(
        "SELECT id, doc FROM entity WHERE kind = ? AND profile IN (?, 'public')",
        kind,
        profile,
      )
      .filter(({ id, doc }) => {
        const parsed: unknown = JSON.parse(doc);
        const subject = { id, tags: tagsOf(isRecord(parsed) ? parsed["tags"] : undefined) };
        return isAllowed(bound.rules, bound.actor, { resource, actions, subject });
      })
      .map(({ id }) => id);
  }

  /** Runs a handler; its lists contain only the rows the principal may see. */
  within<T>(principal: Principal, route: Route, work: () => T): T {
    const demand = this.#demandOf(principal, route);
    if (demand === undefined) return work();
    const outer = this.#scope;
    this.#scope = { demand, principal };
    try {
      return work();
    } finally {
      this.#scope = outer;
    }
  }

  /** A single check, for what is not served through routes: files, streams, blueprint devices. */
  allows(principal: Principal, resource: string, actions: readonly string[], subject?: Subject): boolean {
    const bound = this.#bond(principal);
    return bound === undefined || isAllowed(bound.rules, bound.actor, { resource, actions, subject });
  }

  /** True when access rules apply to the principal. */
  binds(principal: Principal): boolean {
    return this.#bond(principal) !== undefined;
  }

  #documentOf(id: string): Record<string, unknown> | undefined {
    const row = this.#db.get<{ doc: string }>("SELECT doc FROM entity WHERE id = ?", id);
    const parsed: unknown = row === undefined ? undefined : JSON.parse(row.doc);
    return isRecord(parsed) ? parsed : undefined;
  }

  #subjectOf(id: string): Subject {
    return { id, tags: tagsOf(this.#documentOf(id)?.["tags"]) };
  }

  #lookupIn(profile: string): Lookup {
    return {
      profile,
      record: (id) => this.#subjectOf(id),
      ownerOf: (token) => {
        const found = this.#tokens.find(token);
        return found === undefined ? {} : this.#subjectOf(found.refId);
      },
      filesUnder: (folder) =>
        this.#db
          // "0" is the character after the slash.
          .all<{ path: string }>(
            "SELECT path FROM file WHERE profile = ? AND path > ? AND path < ?",
            profile,
            `${folder}/`,
            `${folder}0`,
          )
          .map(({ path }) => path),
    };
  }

  #requireDemand(demand: Demand, { actor, rules }: Bond, request: PolicyRequest, lookup: Lookup): void {
    const resource = demand.resourceFor?.(request) ?? demand.resource;
    const question: Question = { resource, actions: demand.actionsFor?.(request) ?? demand.actions };
    if (demand.listed !== undefined) {
      // A portal user without a grant sees an empty list.
      if (actor.type === "run_user" || mayConcern(rules, question)) return;
      throw denied();
    }
    const subjects = demand.subjects(request, lookup);
    const asked: readonly (Subject | undefined)[] = subjects.length === 0 ? [undefined] : subjects;
    if (!asked.every((subject) => isAllowed(rules, actor, { ...question, subject }))) throw denied();
    if (demand.also !== undefined) this.#requireDemand(demand.also, { actor, rules }, request, lookup);
  }

  #actorOf({ kind, refId }: Principal): Actor | undefined {
    if (kind !== "analysis" && kind !== "run_user") return undefined;
    return { type: kind, id: refId, tags: tagsOf(this.#documentOf(refId)?.["tags"]) };
  }

  #activeRules(profile: string): Rule[] {
    return this.#db
      .all<{ doc: string }>("SELECT doc FROM entity WHERE kind = 'am' AND profile = ?", profile)
      .map((row): unknown => JSON.parse(row.doc))
      .filter(isRecord)
      .filter(({ active }) => active !== false)
      .map(ruleOf);
  }

  /** The rules that apply to a principal; `undefined` when its calls are not checked. */
  #bond(principal: Principal): Bond | undefined {
    if (this.#mode === "open") return undefined;
    const actor = this.#actorOf(principal);
    if (actor === undefined) return undefined;
    const rules = rulesFor(this.#activeRules(principal.profile), actor);
    const isOpen = actor.type === "analysis" && this.#mode === undefined && rules.length === 0;
    return isOpen ? undefined : { actor, rules };
  }

  /** The access demand of a route; `undefined` for principals without access rules. */
  #demandOf({ kind }: Principal, route: Route): Demand | undefined {
    return isRuled(kind) ? this.#statements.get(route)?.demand : undefined;
  }
}
