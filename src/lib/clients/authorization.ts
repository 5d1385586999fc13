import type { CallOptions } from "../api/client.ts";
import { type GenericModuleParams, Module } from "../api/module.ts";
import { get } from "../api/route.ts";
import type { TokenInfo } from "../resources/profile.ts";

const dates = ["created_at", "expire_time", "last_authorization"] as const satisfies readonly (keyof TokenInfo)[];

/**
 * The route every token opens.
 *
 * @internal
 */
export const authorizationRoutes = {
  info: get("/info", { dates }),
};

/** Params of a class that asks about its own token. */
export interface DetailsParams extends GenericModuleParams {
  /** Asks for more than the essential. */
  readonly details?: boolean | undefined;
}

/** A token of a service authorization (specification, section 7). */
export class Authorization extends Module {
  readonly #details: boolean | undefined;

  constructor(params: DetailsParams) {
    super(params);
    this.#details = params.details;
  }

  /**
   * Retrieves what the token is.
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
