import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked, Stored } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { GenericID, Tag } from "./data-types.ts";

const dates = ["created_at", "updated_at"] as const satisfies DateKeys<SecretsInfo>;

const listFields = ["id", "key"] as const;

/**
 * Routes of `Resources.secrets`.
 *
 * @internal
 */
export const secretRoutes = {
  list: get("/secrets", { list: { fields: listFields, orderBy: ["key", "asc"] } }),
  create: post("/secrets", { result: "object" }),
  edit: put("/secrets/:secretID"),
  delete: del("/secrets/:secretID"),
  info: get("/secrets/:secretID", { dates }),
};

/** The secrets of the profile: credentials of other services that actions and analyses use. */
export class Secrets extends Module {
  /**
   * Lists secrets. Values are never returned.
   *
   * @param queryObj filter, order and page. Defaults: fields id and key; order `key,asc`
   * @example
   * ```ts
   * const secrets = await resources.secrets.list({ fields: ["key", "value_length"] });
   * ```
   */
  list<const Q extends Given<SecretsQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<SecretsListItem, Q, keyof SecretsListItem>[]> {
    return this.page(secretRoutes.list, queryObj, { ...options });
  }

  /**
   * Iterates over all secrets, by their key.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param queryObj as for `list`; starts at its `page`
   * @example
   * ```ts
   * for await (const { id, key } of resources.secrets.all({ fields: ["key"] })) console.log(id, key);
   * ```
   */
  all<const Q extends Given<SecretsQuery>>(
    queryObj?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<SecretsListItem, Q, keyof SecretsListItem>, void, undefined> {
    return allRows(queryObj, options, (page: Q, call) => this.list(page, call), null);
  }

  /**
   * Creates a secret.
   *
   * @returns the id of the secret as `id`
   * @example
   * ```ts
   * const { id } = await resources.secrets.create({ key: "SENDGRID_KEY", value: "SG.1234" });
   * ```
   */
  create(secretObj: SecretsCreate, options?: CallOptions): Promise<{ id: GenericID }> {
    return this.call(secretRoutes.create, { ...options, body: secretObj });
  }

  /**
   * Changes a secret.
   *
   * @example
   * ```ts
   * const [secret] = await resources.secrets.list({ filter: { key: "SENDGRID_KEY" } });
   * if (secret !== undefined) await resources.secrets.edit(secret.id, { value: "SG.5678" });
   * ```
   */
  edit(secretID: GenericID, secretObj: SecretsEdit, options?: CallOptions): Promise<string> {
    return this.call(secretRoutes.edit, { ...options, params: { secretID }, body: secretObj });
  }

  /**
   * Deletes a secret.
   *
   * @example
   * ```ts
   * const { id } = await resources.secrets.create({ key: "TRIAL", value: "trial-1" });
   * await resources.secrets.delete(id);
   * ```
   */
  delete(secretID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(secretRoutes.delete, { ...options, params: { secretID } });
  }

  /**
   * Retrieves a secret, without its value.
   *
   * @example
   * ```ts
   * const { id } = await resources.secrets.create({ key: "TRIAL", value: "trial-1" });
   * const { value_length } = await resources.secrets.info(id);
   * ```
   */
  info(secretID: GenericID, options?: CallOptions): Promise<StoredSecret> {
    return this.call(secretRoutes.info, { ...options, params: { secretID } });
  }
}

/** A secret. Its value is never returned. */
export interface SecretsInfo {
  /** Set by the platform; actions name the secret by it. */
  id: GenericID;
  /** Name the secret is used by: letters, digits and `_`, stored in upper case. It cannot be changed. */
  key: string;
  /** Characters of the value. */
  value_length: number;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
  /** When it was created. */
  created_at: Date;
  /** Last change. */
  updated_at: Date;
}

/** A secret as the platform returns it. */
export type StoredSecret = Stored<SecretsInfo, "tags">;

/** A row of the list of secrets, where dates stay ISO strings. */
export interface SecretsListItem extends Omit<StoredSecret, "created_at" | "updated_at"> {
  /** When it was created, ISO 8601. */
  created_at: string;
  /** Last change, ISO 8601. */
  updated_at: string;
}

/** Fields for creating a secret. */
export interface SecretsCreate extends Pick<SecretsInfo, "key"> {
  /** The secret value, 6 to 2,048 characters; it cannot be read again. */
  value: string;
  /** Tags to find it by, at most 30. */
  tags?: Tag[];
}

/** Changes to a secret; properties left out stay as they are. */
export type SecretsEdit = Partial<Omit<SecretsCreate, "key">>;

/** Asks for part of the list of secrets. */
export type SecretsQuery = ListQuery<SecretsListItem, "key">;
