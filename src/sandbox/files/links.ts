import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { QueryObject } from "../core/query.ts";
import { textOf } from "../core/query.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** Lifetime of a signed link. */
const LINK_MS = 3_600_000;

const KEY_SETTING = "file_link_key";

/** URLs of files. */
export class FileLinks {
  readonly #db: SandboxDatabase;
  readonly #clock: Clock;

  constructor(db: SandboxDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The URL of a file: `/file/{profile}/{path}`, each part encoded. */
  address(origin: string, profile: string, path: string): string {
    return `${origin}/file/${encodeURIComponent(profile)}/${path.split("/").map(encodeURIComponent).join("/")}`;
  }

  /** A URL that opens a private file without a token, for one hour unless `lifetimeMs` is set. */
  signed(origin: string, profile: string, path: string, lifetimeMs = LINK_MS): string {
    const expires = String(Math.floor((this.#clock.now() + lifetimeMs) / 1000));
    return `${this.address(origin, profile, path)}?expires=${expires}&signature=${this.#sign(profile, path, expires).toString("hex")}`;
  }

  /** True when the query contains the signature of this file and has not expired. */
  opens(profile: string, path: string, query: QueryObject): boolean {
    const expires = textOf(query["expires"]);
    const signature = textOf(query["signature"]);
    if (expires === undefined || signature === undefined) return false;
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= this.#clock.now()) return false;
    const given = Buffer.from(signature, "hex");
    const wanted = this.#sign(profile, path, expires);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  /** Created with the first link and stored in the database, so that links outlive a restart. */
  #key(): string {
    const known = this.#db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", KEY_SETTING);
    if (known !== undefined) return known.value;
    const value = randomBytes(32).toString("hex");
    this.#db.run("INSERT INTO setting (key, value) VALUES (?, ?)", KEY_SETTING, value);
    return value;
  }

  #sign(profile: string, path: string, expires: string): Buffer {
    return createHmac("sha256", this.#key()).update(`${profile}\n${expires}\n${path}`).digest();
  }
}
