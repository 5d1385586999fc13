import type { CallOptions } from "../api/client.ts";
import type { DateKeys } from "../api/dates.ts";
import { type GenericModuleParams, Module } from "../api/module.ts";
import { get } from "../api/route.ts";
import type { TokenInfo } from "../resources/profile.ts";

const dates = ["created_at", "expire_time", "last_authorization"] as const satisfies DateKeys<TokenInfo>;

/**
 * Route that every token may call.
 *
 * @internal
 */
export const authorizationRoutes = {
  info: get("/info", { dates }),
};

/** Parameters of a class that reads its own token. */
export interface DetailsParams extends GenericModuleParams {
  /** Whether to return all properties. */
  details?: boolean | undefined;
}

/** A service authorization, accessed with its own token. */
export class Authorization extends Module {
  readonly #details: boolean | undefined;

  constructor(params: DetailsParams) {
    super(params);
    this.#details = params.details;
  }

  /**
   * Retrieves the details of the token.
   *
   * @example
   * ```ts
   * const authorization = new Authorization({ token });
   * const { name, type, permission } = await authorization.info();
   * ```
   */
  info(options?: CallOptions): Promise<TokenInfo> {
    return this.call(authorizationRoutes.info, { ...options, query: { details: this.#details } });
  }
}
