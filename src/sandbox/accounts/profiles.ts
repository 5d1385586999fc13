import type { Clock } from "../core/clock.ts";
import type { IdSource } from "../core/ids.ts";
import { PlatformError } from "../core/platform-error.ts";
import { fold } from "../store/list-query.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { refusalGaps } from "./refusal-gaps.ts";

export interface ProfileDocument {
  readonly id: string;
  readonly account: string;
  readonly name: string;
  readonly logo_url: string | null;
  readonly banner_url: string | null;
  readonly region: string;
  readonly created_at: string;
  readonly updated_at: string;
}

interface ProfileListItem {
  readonly id: string;
  readonly name: string;
  readonly logo_url: string | null;
  readonly account: string;
  readonly from_share?: boolean;
}

/** An account a profile is shared with, or an invited one: then `id` is that of the invitation. */
interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly active: boolean;
  readonly created_at: string;
}

type ProfileChanges = Partial<Pick<ProfileDocument, "name" | "logo_url" | "banner_url">>;

const isoText = (timeMs: number): string => new Date(timeMs).toISOString();

function toListItem(text: string): ProfileListItem {
  // Only this file writes the documents of profiles.
  const { id, name, logo_url, account } = JSON.parse(text) as ProfileDocument;
  return { id, name, logo_url, account };
}

interface InvitationRow {
  readonly id: string;
  readonly profile: string;
  readonly email: string;
  readonly created_at: number;
}

function toMember(row: { id: string; doc: string; created_at: number }): TeamMember {
  const { name, email } = JSON.parse(row.doc) as { name: string; email: string };
  return { id: row.id, name, email, active: true, created_at: isoText(row.created_at) };
}

/** Profiles and the accounts that can access them. */
export class Profiles {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;
  readonly #ids: IdSource;

  constructor(db: SandboxDatabase, clock: Clock, ids: IdSource) {
    this.#db = db;
    this.#clock = clock;
    this.#ids = ids;
  }

  profile(id: string): ProfileDocument | undefined {
    const row = this.#db.get<{ doc: string }>("SELECT doc FROM profile WHERE id = ?", id);
    return row === undefined ? undefined : (JSON.parse(row.doc) as ProfileDocument);
  }

  /** Grants another account access to the profile (`from_share`). */
  share(profileId: string, accountId: string): void {
    this.#share(profileId, accountId);
  }

  /** Creates a profile of the account; returns its id. */
  createProfile(given: {
    readonly id?: string;
    readonly account: string;
    readonly name: string;
    readonly logoUrl?: string | null;
    readonly bannerUrl?: string | null;
    readonly createdAt?: string;
  }): string {
    const createdAt = given.createdAt ?? isoText(this.#clock.now());
    const document: ProfileDocument = {
      id: given.id ?? this.#ids.id(given.createdAt === undefined ? undefined : Date.parse(createdAt)),
      account: given.account,
      name: given.name,
      logo_url: given.logoUrl ?? null,
      banner_url: given.bannerUrl ?? null,
      region: "us-1",
      created_at: createdAt,
      updated_at: createdAt,
    };
    const text = JSON.stringify(document);
    this.#db.run("INSERT INTO profile (id, account, doc) VALUES (?, ?, ?)", document.id, document.account, text);
    return document.id;
  }

  /** Profiles an account can access: its own, then those shared with it. */
  profiles(accountId: string): ProfileListItem[] {
    const own = this.#db.all<{ doc: string }>("SELECT doc FROM profile WHERE account = ? ORDER BY id", accountId);
    const shared = this.#db.all<{ doc: string }>(
      "SELECT p.doc AS doc FROM profile_share s JOIN profile p ON p.id = s.profile WHERE s.account = ? ORDER BY p.id",
      accountId,
    );
    return [
      ...own.map((row) => toListItem(row.doc)),
      ...shared.map((row) => ({ ...toListItem(row.doc), from_share: true })),
    ];
  }

  editProfile(id: string, changes: ProfileChanges): void {
    const document = { ...this.profile(id), ...changes, updated_at: isoText(this.#clock.now()) };
    this.#db.run("UPDATE profile SET doc = ? WHERE id = ?", JSON.stringify(document), id);
  }

  /** Removes the profile itself; its contents are removed before. */
  removeProfile(id: string): void {
    this.#db.run("DELETE FROM profile WHERE id = ?", id);
  }

  team(profileId: string): TeamMember[] {
    const members = this.#db.all<{ id: string; doc: string; created_at: number }>(
      `SELECT a.id AS id, a.doc AS doc, s.created_at AS created_at FROM profile_share s
         JOIN account a ON a.id = s.account WHERE s.profile = ? ORDER BY s.created_at, a.id`,
      profileId,
    );
    const invited = this.#db.all<InvitationRow>(
      "SELECT * FROM profile_invitation WHERE profile = ? ORDER BY created_at, id",
      profileId,
    );
    return [
      ...members.map((row) => toMember(row)),
      ...invited.map((row) => ({
        id: row.id,
        name: "",
        email: row.email,
        active: false,
        created_at: isoText(row.created_at),
      })),
    ];
  }

  /** Invites an email address; returns the id of the invitation. */
  invite(profileId: string, email: string): string {
    const known = this.#db.get<InvitationRow>(
      "SELECT * FROM profile_invitation WHERE profile = ? AND email = ?",
      profileId,
      fold(email),
    );
    if (known !== undefined) return known.id;
    const id = this.#ids.id();
    this.#db.run(
      "INSERT INTO profile_invitation (id, profile, email, created_at) VALUES (?, ?, ?, ?)",
      id,
      profileId,
      fold(email),
      this.#clock.now(),
    );
    return id;
  }

  /** Turns an invitation into access. Throws 404 when it does not exist, 400 when the address has no account yet. */
  accept(invitationId: string): TeamMember & { readonly profile: string } {
    const row = this.#db.get<InvitationRow>("SELECT * FROM profile_invitation WHERE id = ?", invitationId);
    if (row === undefined) throw new PlatformError(404, "Invitation Not Found");
    const account = this.#accountOf(row.email);
    if (account === undefined) {
      throw new PlatformError(400, `There is no account for ${row.email} yet: create it first`).assumed(
        refusalGaps.invitation,
      );
    }
    this.#share(row.profile, account.id);
    this.#db.run("DELETE FROM profile_invitation WHERE id = ?", row.id);
    return { ...toMember({ ...account, created_at: this.#clock.now() }), profile: row.profile };
  }

  /** Removes access or an invitation. False when there was neither. */
  removeMember(profileId: string, id: string): boolean {
    const shared = this.#db.run("DELETE FROM profile_share WHERE profile = ? AND account = ?", profileId, id).changes;
    const invited = this.#db.run("DELETE FROM profile_invitation WHERE profile = ? AND id = ?", profileId, id).changes;
    return shared + invited > 0;
  }

  #share(profileId: string, accountId: string, atMs = this.#clock.now()): void {
    this.#db.run(
      "INSERT OR IGNORE INTO profile_share (profile, account, created_at) VALUES (?, ?, ?)",
      profileId,
      accountId,
      atMs,
    );
  }

  #accountOf(email: string): { id: string; doc: string } | undefined {
    return this.#db.get<{ id: string; doc: string }>("SELECT id, doc FROM account WHERE email = ?", fold(email));
  }
}
