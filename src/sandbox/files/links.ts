import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../core/clock.ts";
import type { QueryObject } from "../core/query.ts";
import { textOf } from "../core/query.ts";
import type { SandboxDatabase } from "../store/types.ts";

/** How long a signed link opens its file. */
const LINK_MS = 3_600_000;

const KEY_SETTING = "file_link_key";

/** Addresses of files. */
export interface FileLinks {
  /** The address of a file: `/file/{profile}/{path}`, each part encoded. */
  address(origin: string, profile: string, path: string): string;
  /** An address that opens a private file without a token, one hour long unless `lifetimeMs` says otherwise. */
  signed(origin: string, profile: string, path: string, lifetimeMs?: number): string;
  /** True when the query holds the signature of this file and has not expired. */
  opens(profile: string, path: string, query: QueryObject): boolean;
}

export function createFileLinks(db: SandboxDatabase, clock: Clock): FileLinks {
  /** Made with the first link, and kept with the database, so that links outlive a restart. */
  const key = (): string => {
    const known = db.get<{ value: string }>("SELECT value FROM setting WHERE key = ?", KEY_SETTING);
    if (known !== undefined) return known.value;
    const value = randomBytes(32).toString("hex");
    db.run("INSERT INTO setting (key, value) VALUES (?, ?)", KEY_SETTING, value);
    return value;
  };

  const sign = (profile: string, path: string, expires: string): Buffer =>
    createHmac("sha256", key()).update(`${profile}\n${expires}\n${path}`).digest();

  const address: FileLinks["address"] = (origin, profile, path) =>
    `${origin}/file/${encodeURIComponent(profile)}/${path.split("/").map(encodeURIComponent).join("/")}`;

  return {
    address,
    signed: (origin, profile, path, lifetimeMs = LINK_MS) => {
      const expires = String(Math.floor((clock.now() + lifetimeMs) / 1000));
      return `${address(origin, profile, path)}?expires=${expires}&signature=${sign(profile, path, expires).toString("hex")}`;
    },
    opens: (profile, path, query) => {
      const expires = textOf(query["expires"]);
      const signature = textOf(query["signature"]);
      if (expires === undefined || signature === undefined) return false;
      if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1000 <= clock.now()) return false;
      const given = Buffer.from(signature, "hex");
      const wanted = sign(profile, path, expires);
      return given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}
