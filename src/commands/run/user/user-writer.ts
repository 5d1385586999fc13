import type { Resources } from "../../../index.ts";
import { batchOptions } from "../../kit/client/batch-client.ts";
import type { CommandContext, PlannedRequest } from "../../kit/context.ts";
import { conflictError, inputError } from "../../kit/failures/command-error.ts";
import { toJson } from "../../kit/output/values.ts";
import { mergeTags, type Tag } from "../../kit/resource/body.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";
import type { RowOutcome } from "../../kit/rows/import-job.ts";
import { rememberSecret } from "../../kit/say/redact.ts";
import type { UserRow } from "./user-row.ts";
import { usersOf } from "./users.ts";

export type UserConflict = "skip" | "update" | "fail";

/** What a row comes to. */
export interface UserPlan {
  /** Id of the user, where it exists. */
  readonly id?: string;
  readonly result: "created" | "updated" | "unchanged" | "skipped";
  readonly reason: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly isInvited: boolean;
}

/** Makes and carries out the changes of a file of users. Nobody is ever deleted. */
export class UserWriter {
  readonly #ctx: CommandContext;
  readonly #client: Resources;
  readonly #onConflict: UserConflict;
  /** Host of the portal that invites new users. */
  readonly #inviting: string | undefined;
  /** Ids by email address, lower case. */
  readonly #known = new Map<string, string>();

  constructor(ctx: CommandContext, client: Resources, onConflict: UserConflict, inviting: string | undefined) {
    this.#ctx = ctx;
    this.#client = client;
    this.#onConflict = onConflict;
    this.#inviting = inviting;
  }

  /** Reads the email addresses of the portal's users. To be called first. */
  async readEmails(): Promise<void> {
    for (const { id, email } of await usersOf(this.#client, ["email"]))
      this.#known.set(String(email).toLowerCase(), id);
  }

  find({ email }: UserRow): string | undefined {
    return this.#known.get(email);
  }

  /**
   * What is to be done for a row.
   *
   * @param isOurs an earlier run created the user, and perhaps did not send the invitation
   */
  async plan(row: UserRow, isOurs = false): Promise<UserPlan> {
    const id = this.find(row);
    if (id === undefined) return this.#creation(row);
    if (isOurs) return { ...none, id, result: "created", isInvited: this.#invites(row) };
    if (this.#onConflict === "update") return this.#update(row, id);
    if (this.#onConflict === "skip") return { ...none, id, result: "skipped", reason: "The user already exists" };
    throw existsError(row, id);
  }

  /** @throws a failure that names the row, where it makes a user without a name */
  requireName(user: UserRow): void {
    if (user.members["name"] !== undefined || this.find(user) !== undefined) return;
    throw inputError(`Row ${user.row} has no name.`, {
      row: user.row,
      column: "name",
      why: "A new user needs a name.",
      next: "Add the column name.",
    });
  }

  #creation(given: UserRow): UserPlan {
    const { email, members, tags } = given;
    this.requireName(given);
    const body = { timezone: "UTC", active: true, ...members, email, ...(tags.length > 0 && { tags: [...tags] }) };
    return { result: "created", reason: "", body, isInvited: this.#invites(given) };
  }

  #invites({ members }: UserRow): boolean {
    return this.#inviting !== undefined && members["active"] !== false;
  }

  /** Only what differs is sent, so an import that changes nothing sends nothing. */
  async #update({ members, tags }: UserRow, id: string): Promise<UserPlan> {
    const current = await this.#client.run.userInfo(id);
    const now = current as unknown as Readonly<Record<string, unknown>>;
    const body = Object.fromEntries(
      Object.entries(members).filter(([key, value]) => toJson(now[key]) !== toJson(value)),
    );
    const merged = mergeTags(current.tags, tags, []);
    if (sorted(merged) !== sorted(current.tags)) body["tags"] = merged;
    if (Object.keys(body).length === 0) return { ...none, id, result: "unchanged" };
    return { ...none, id, result: "updated", body };
  }

  /** The requests of a plan; a password is never shown. */
  requests({ email }: UserRow, { id, result, body, isInvited }: UserPlan): PlannedRequest[] {
    return [
      ...(result === "created" && id === undefined
        ? [{ method: "POST", path: resourceRoutes.user, body: { ...body, password: "…" } }]
        : []),
      ...(result === "updated" ? [{ method: "PUT", path: `/run/users/${id}`, body }] : []),
      ...(isInvited ? [{ method: "GET", path: this.#invitation(email) }] : []),
    ];
  }

  /** @param onCreated called before a new user is invited */
  async carryOut(row: UserRow, plan: UserPlan, onCreated: () => void): Promise<RowOutcome> {
    const { run } = this.#client;
    const { result, reason } = plan;
    let { id } = plan;
    if (id === undefined) {
      const body = { ...plan.body, password: randomPassword() } as unknown as Parameters<typeof run.userCreate>[0];
      id = (await run.userCreate(body)).user;
      this.#known.set(row.email, id);
      onCreated();
    } else if (result === "updated") {
      const user = id;
      await run.userEdit(user, plan.body);
    }
    if (!plan.isInvited) return { result, reason, id };
    await this.#invite(row);
    return { result, reason: "invited", id };
  }

  #invitation(email: string): string {
    return `/run/${this.#inviting}/passwordreset/${encodeURIComponent(email)}`;
  }

  /** The platform has no invitation for users of a portal: the email to set a new password is one. */
  async #invite({ row, email }: UserRow): Promise<void> {
    const { token: _, ...options } = await batchOptions(this.#ctx);
    const [{ rawRequest }, { ApiError }] = await Promise.all([
      import("../../../lib/api/raw.ts"),
      import("../../../lib/core/errors.ts"),
    ]);
    try {
      await rawRequest(options, { method: "GET", path: this.#invitation(email) });
    } catch (error) {
      if (!(error instanceof ApiError) || ![400, 404, 422].includes(error.status)) throw error;
      throw inputError(`${email} was created, but not invited: ${error.message}`, {
        code: "run_user.not_invited",
        row,
        next: "Run the same command with --resume to send the invitation again.",
        cause: error,
      });
    }
  }
}

const none = { reason: "", body: {}, isInvited: false } as const;

export const existsError = (row: UserRow, id: string): Error =>
  conflictError(`Row ${row.row} matches an existing user: ${id} "${row.email}".`, {
    code: "run_user.exists",
    why: "The portal has a user with this email address.",
    next: "Use --on-conflict skip or update; nothing was changed.",
  });

const sorted = (tags: readonly Tag[]): string =>
  JSON.stringify(tags.map(({ key, value }) => [key, value]).sort((a, b) => (String(a) < String(b) ? -1 : 1)));

/** Nobody ever sees it: users set a password of their own. It has every kind of character that a rule may want. */
function randomPassword(): string {
  const password = `${process.getBuiltinModule("node:crypto").randomBytes(24).toString("base64url")}-aA1`;
  rememberSecret(password);
  return password;
}
