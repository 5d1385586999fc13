import type { CallOptions } from "../api/client.ts";
import type { Picked } from "../api/list-query.ts";
import { Module } from "../api/module.ts";
import { del, get, post, put } from "../api/route.ts";
import type {
  ActionCreateInfo,
  ActionCreateResponse,
  ActionEditInfo,
  ActionInfo,
  ActionQuery,
} from "./action-types.ts";
import type { GenericID } from "./data-types.ts";

const dates = ["created_at", "updated_at", "last_triggered"] as const satisfies readonly (keyof ActionInfo)[];

/**
 * Routes of `Resources.actions`.
 *
 * @internal
 */
export const actionRoutes = {
  list: get("/action", { dates, list: { fields: ["id", "name"], orderBy: ["name", "asc"] } }),
  create: post("/action", { gives: "object" }),
  edit: put("/action/:actionID"),
  delete: del("/action/:actionID"),
  info: get("/action/:actionID", { dates }),
};

/** The actions of the profile (specification, section 7). */
export class Actions extends Module {
  /**
   * Lists actions.
   *
   * @param queryObj page (1), fields (id, name), filter, amount (20), order (`name,asc`)
   * @example
   * ```ts
   * const actions = await resources.actions.list({
   *   fields: ["id", "name", "last_triggered"],
   *   filter: { type: "condition", active: true },
   *   orderBy: ["last_triggered", "desc"],
   * });
   * ```
   */
  list<const Q extends ActionQuery>(
    queryObj?: Q,
    options?: CallOptions,
  ): Promise<Picked<ActionInfo, Q, "id" | "name">[]> {
    return this.page(actionRoutes.list, queryObj, { ...options });
  }

  /**
   * Creates an action.
   *
   * @returns the id of the action as `action`
   * @example
   * ```ts
   * const { action } = await resources.actions.create({
   *   name: "Freezer too warm",
   *   type: "condition",
   *   trigger: [{ device: deviceID, variable: "temperature", is: ">", value: "-15", value_type: "number" }],
   *   action: { type: "email", to: "jo@example.org", subject: "Freezer", message: "It has $VALUE$ degrees." },
   * });
   * ```
   */
  create(actionObj: ActionCreateInfo, options?: CallOptions): Promise<ActionCreateResponse> {
    return this.call(actionRoutes.create, { ...options, body: actionObj });
  }

  /**
   * Changes an action.
   *
   * @example
   * ```ts
   * await resources.actions.edit(actionID, { active: false });
   * ```
   */
  edit(actionID: GenericID, actionObj: ActionEditInfo, options?: CallOptions): Promise<string> {
    return this.call(actionRoutes.edit, { ...options, params: { actionID }, body: actionObj });
  }

  /**
   * Deletes an action.
   *
   * @example
   * ```ts
   * await resources.actions.delete(actionID);
   * ```
   */
  delete(actionID: GenericID, options?: CallOptions): Promise<string> {
    return this.call(actionRoutes.delete, { ...options, params: { actionID } });
  }

  /**
   * Retrieves an action.
   *
   * @example
   * ```ts
   * const { trigger, last_triggered } = await resources.actions.info(actionID);
   * ```
   */
  info(actionID: GenericID, options?: CallOptions): Promise<ActionInfo> {
    return this.call(actionRoutes.info, { ...options, params: { actionID } });
  }
}
