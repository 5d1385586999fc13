import { allRows } from "../api/all-rows.ts";
import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import type { Given, ListQuery, Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type { GenericID, GenericToken } from "./data-types.ts";
import type { TokenData } from "./devices.ts";
import type { TokenDataList } from "./profile.ts";

const dates = ["created_at", "expire_time", "last_authorization"] as const satisfies DateKeys<TokenDataList>;

const tokenFields = ["name", "token", "permission"] as const;

/**
 * Routes of `Resources.serviceAuthorization`.
 *
 * @internal
 */
export const serviceAuthorizationRoutes = {
  tokenList: get("/serviceauth", {
    dates,
    list: { fields: tokenFields, orderBy: ["created_at", "desc"] },
  }),
  tokenCreate: post("/serviceauth", { result: "object" }),
  tokenDelete: del("/serviceauth/:token"),
  tokenEdit: put("/serviceauth/:token"),
};

/** Tokens that other services, such as networks, identify themselves with. */
export class ServiceAuthorization extends Module {
  /**
   * Lists authorizations, the newest first.
   *
   * @example
   * ```ts
   * const tokens = await resources.serviceAuthorization.tokenList({ fields: ["name", "expire_time"] });
   * ```
   */
  tokenList<const Q extends Given<ListQuery<TokenDataList>>>(
    query?: Q,
    options?: CallOptions,
  ): Promise<Picked<TokenDataList, Q, (typeof tokenFields)[number]>[]> {
    return this.page(serviceAuthorizationRoutes.tokenList, query, { ...options });
  }

  /**
   * Iterates over all authorizations, the oldest first unless `orderBy` says otherwise.
   * Reads pages of `amount` rows (1000) as they are needed.
   *
   * @param query as for `tokenList`; starts at its `page`
   * @example
   * ```ts
   * for await (const { name } of resources.serviceAuthorization.allTokens()) console.log(name);
   * ```
   */
  allTokens<const Q extends Given<ListQuery<TokenDataList>>>(
    query?: Q,
    options?: CallOptions,
  ): AsyncGenerator<Picked<TokenDataList, Q, (typeof tokenFields)[number]>, void, undefined> {
    return allRows(query, options, (page: Q, call) => this.tokenList(page, call));
  }

  /**
   * Creates an authorization.
   *
   * @param tokenParams name, permission, expire_time, verification_code (the additional parameter)
   * @example
   * ```ts
   * const { token } = await resources.serviceAuthorization.tokenCreate({
   *   name: "Field network",
   *   permission: "full",
   *   verification_code: "additional parameter",
   * });
   * ```
   */
  tokenCreate(tokenParams: TokenData, options?: CallOptions): Promise<ServiceAuthorizationCreated> {
    return this.call(serviceAuthorizationRoutes.tokenCreate, { ...options, body: tokenParams });
  }

  /**
   * Deletes an authorization.
   *
   * @example
   * ```ts
   * await resources.serviceAuthorization.tokenDelete(token);
   * ```
   */
  tokenDelete(token: GenericToken, options?: CallOptions): Promise<string> {
    return this.call(serviceAuthorizationRoutes.tokenDelete, { ...options, params: { token } });
  }

  /**
   * Changes the additional parameter of an authorization.
   *
   * @example
   * ```ts
   * await resources.serviceAuthorization.tokenEdit(token, "another additional parameter");
   * ```
   */
  tokenEdit(token: GenericToken, verificationCode?: string, options?: CallOptions): Promise<string> {
    const body = { verification_code: verificationCode };
    return this.call(serviceAuthorizationRoutes.tokenEdit, { ...options, params: { token }, body });
  }
}

/** A new authorization. */
export interface ServiceAuthorizationCreated {
  /** The token itself: `at` and 32 hexadecimal digits. */
  token: GenericToken;
  /** Name it was given. */
  name: string;
  /** Profile it belongs to. */
  profile: GenericID;
  /** The additional parameter, when one was given. */
  additional_parameters?: string;
}
