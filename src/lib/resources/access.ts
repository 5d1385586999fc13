import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { GenericID, Tag } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<AccessInfo>;

const listFields = ["id", "name", "tags"] as const;

/**
 * Routes of `Resources.accessManagement`.
 *
 * @internal
 */
export const accessRoutes = {
  list: get("/am", { dates, list: { fields: listFields, orderBy: ["name", "asc"] } }),
  create: post("/am", { result: "object" }),
  edit: put("/am/:accessID"),
  delete: del("/am/:accessID"),
  info: get("/am/:accessID", { dates }),
};

/** The access rules of the profile, for its analyses and portal users. */
export class AccessManagement extends Module {
  /**
   * Lists rules, without their permissions and targets.
   *
   * @param queryObj filter, order and page. Defaults: fields id, name and tags; order `name,asc`
   * @example
   * ```ts
   * const rules = await resources.accessManagement.list({ fields: ["name", "active"], filter: { name: "Operators*" } });
   * ```
   */
  list<const Q extends Given<AccessQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<StoredAccess, Q, keyof AccessInfo>[]> {
    return this.page(accessRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all rules, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, name } of resources.accessManagement.all()) console.log(id, name);
   * ```
   */
  all<const Q extends Given<AccessQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<StoredAccess, Q, keyof AccessInfo>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call));
  }

  /**
   * Creates a rule.
   *
   * @returns the id of the rule as `am_id`
   * @example
   * ```ts
   * const { am_id } = await resources.accessManagement.create({
   *   name: "Operators see the plant",
   *   permissions: [{ effect: "allow", action: ["access"], resource: ["device", "tag.key", "site", "tag.value", "plant"] }],
   *   targets: [["run_user", "tag.key", "role", "tag.value", "operator"]],
   * });
   * ```
   */
  create(accessObj: AccessCreateInfo, options?: CallOptions): Promise<{ am_id: GenericID }> {
    return this.call(accessRoutes.create, { ...options, body: accessObj });
  }

  /**
   * Changes a rule.
   *
   * @returns what the platform says, such as `Successfully Updated`
   * @example
   * ```ts
   * await resources.accessManagement.edit(accessID, { active: false });
   * ```
   */
  edit(accessID: GenericID, accessObj: AccessEditInfo, options?: CallOptions): Promise<string> {
    return this.call(accessRoutes.edit, { ...options, params: { accessID }, body: accessObj });
  }

  /**
   * Deletes a rule.
   *
   * @example
   * ```ts
   * await resources.accessManagement.delete(accessID);
   * ```
   */
  delete(accessID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(accessRoutes.delete, { ...options, params: { accessID } });
  }

  /**
   * Retrieves a rule.
   *
   * @example
   * ```ts
   * const { permissions, targets } = await resources.accessManagement.info(accessID);
   * ```
   */
  info(accessID: GenericID, options?: CallOptions): Promise<StoredAccess> {
    return this.call(accessRoutes.info, { ...options, params: { accessID } });
  }
}

/** What a rule allows or denies. */
export interface AccessPermission {
  /** Without a match nothing is allowed; one that denies wins over those that allow. */
  effect: "allow" | "deny";
  /** `access`, `create`, `edit`, `delete`, `get_data` ... */
  action: string[];
  /**
   * Resource type, alone or followed by what the resource must be: `["device", "id", id]`,
   * `["device", "tag.key", key, "tag.value", value]`, `["device", "tag_match", key]`, `["file", "path", prefix]`.
   */
  resource: string[];
}

/** A rule of access management. */
export interface AccessInfo {
  /** Set by the platform. */
  id: GenericID;
  /** Profile the rule belongs to. */
  profile?: GenericID;
  /** Name shown in lists. */
  name: string;
  /** An inactive one allows and denies nothing. @default true */
  active?: boolean;
  /** Only in `info`, those that allow first. Replaced whole when sent. */
  permissions: AccessPermission[];
  /** Whom the rule is for, as `AccessPermission.resource`; `analysis` and `run_user` are the types. Only in `info`. */
  targets: string[][];
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A rule as the platform returns it. */
export type StoredAccess = Stored<AccessInfo, "profile" | "active" | "tags">;

/** Fields for creating a rule. */
export type AccessCreateInfo = Pick<AccessInfo, "name" | "permissions" | "targets"> &
  Partial<Pick<AccessInfo, "active" | "tags" | "profile">>;

/** Changes to a rule; properties left out stay as they are. */
export type AccessEditInfo = Partial<AccessInfo>;

/** A row of the list of rules. */
export type AccessListItem = Omit<AccessInfo, "permissions" | "targets">;

/** Asks for part of the list of rules. */
export type AccessQuery = ListQuery<AccessInfo, "name" | "active" | "created_at" | "updated_at">;
