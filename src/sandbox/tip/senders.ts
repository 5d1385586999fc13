import { timingSafeEqual } from "node:crypto";
import { TipError } from "../../lib/tip/codec.ts";
import { authHash, deviceHash } from "../../lib/tip/hashes.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { StoredToken, Tokens } from "../store/tokens.ts";

export interface SenderParts extends Collections {
  readonly tokens: Tokens;
}

/** The device a request is from, and the authorization it was sent with. */
export interface Sender {
  readonly authorization: StoredToken;
  readonly serial: string;
  readonly device: EntityDocument;
  /** Token of the device with the serial number. */
  readonly token: StoredToken;
}

const nobody = Buffer.alloc(8);

/** What a function returns, or nothing for what the protocol cannot have. */
function orNothing<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TipError) return undefined;
    throw error;
  }
}

/** Finds authorizations by their hashes, and devices by serial numbers and their hashes. */
export class Senders {
  readonly #app: SenderParts;
  /** Of the tables below. */
  #version = -1;
  readonly #authorizations = new Map<string, string>();
  readonly #serials = new Map<string, ReadonlyMap<string, readonly string[]>>();

  constructor(app: SenderParts) {
    this.#app = app;
  }

  /** All stored data was replaced. */
  clear(): void {
    this.#version = -1;
  }

  /** The authorization that is valid and has this hash, of 16 digits in lower case. Takes as long for one that is unknown. */
  authorization(hash: string): StoredToken | undefined {
    this.#renew();
    const token = this.#authorizations.get(hash);
    const known = token === undefined ? nobody : Buffer.from(authHash(token), "hex");
    if (!timingSafeEqual(known, Buffer.from(hash, "hex")) || token === undefined) return undefined;
    const found = this.#app.tokens.authorize(token);
    return found?.kind === "service" ? found : undefined;
  }

  /** The newest device of the profile with this serial number that is active, and its token. */
  device(profile: string, serial: string): Pick<Sender, "device" | "token"> | undefined {
    const devices = this.#app.collection("device");
    const [newest] = this.#app.tokens
      .tokensWithSerial(profile, serial)
      .flatMap((token) => {
        const device = devices.get(token.refId);
        return device === undefined || device["active"] === false ? [] : [{ device, token }];
      })
      .sort((a, b) => (a.device.id < b.device.id ? 1 : -1));
    return newest;
  }

  /** Serial numbers in a profile that have this hash: nearly always one at most. */
  serialsOf(profile: string, hash: string): readonly string[] {
    this.#renew();
    let serials = this.#serials.get(profile);
    if (serials === undefined) {
      serials = this.#hashSerials(profile);
      this.#serials.set(profile, serials);
    }
    return serials.get(hash) ?? [];
  }

  #hashSerials(profile: string): ReadonlyMap<string, readonly string[]> {
    const byHash = new Map<string, string[]>();
    for (const serial of this.#app.tokens.serials(profile)) {
      const hash = orNothing(() => deviceHash(serial));
      if (hash !== undefined) byHash.set(hash, [...(byHash.get(hash) ?? []), serial]);
    }
    return byHash;
  }

  /** What unknown hashes are looked up in is made again only after something was added: a flood of them costs nothing. */
  #renew(): void {
    const { tokens } = this.#app;
    if (this.#version === tokens.version) return;
    this.#version = tokens.version;
    this.#serials.clear();
    this.#authorizations.clear();
    for (const { token } of tokens.services()) {
      const hash = orNothing(() => authHash(token));
      if (hash !== undefined) this.#authorizations.set(hash, token);
    }
  }
}
