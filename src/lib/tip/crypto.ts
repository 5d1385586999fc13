/** (node) What the envelopes need of cryptography, in one small interface, over node:crypto. */
import { invalidInput, TipError } from "./errors.ts";

/** Ciphers of envelopes. Every server and client has the first. */
export type TipCipher = "aes-128-ccm" | "aes-128-gcm" | "aes-256-ccm" | "aes-256-gcm" | "chacha20-poly1305";

interface CipherTraits {
  readonly keyBytes: 16 | 32;
  readonly tagBytes: 8 | 16;
  readonly nonceBytes: 12 | 13;
}

/** In the order of their numbers in the header. */
export const ciphers: Readonly<Record<TipCipher, CipherTraits>> = {
  "aes-128-ccm": { keyBytes: 16, tagBytes: 8, nonceBytes: 13 },
  "aes-128-gcm": { keyBytes: 16, tagBytes: 16, nonceBytes: 12 },
  "aes-256-ccm": { keyBytes: 32, tagBytes: 8, nonceBytes: 13 },
  "aes-256-gcm": { keyBytes: 32, tagBytes: 16, nonceBytes: 12 },
  "chacha20-poly1305": { keyBytes: 32, tagBytes: 16, nonceBytes: 12 },
};

/** @throws TipError `invalid_input` for another name */
export function traitsOf(cipher: TipCipher): CipherTraits {
  if (!Object.hasOwn(ciphers, cipher))
    throw invalidInput(`The cipher must be one of ${Object.keys(ciphers).join(", ")}`);
  return ciphers[cipher];
}

/** How one message is encrypted. */
interface Sealing {
  readonly cipher: TipCipher;
  readonly key: Uint8Array;
  readonly nonce: Uint8Array;
  /** Authenticated, not encrypted. */
  readonly header: Uint8Array;
}

/** The primitives. Another implementation can replace node:crypto here. */
interface Crypto {
  sha256(text: string): Uint8Array;
  hmacSha256(key: string, text: string): Uint8Array;
  /** Ciphertext and tag. */
  seal(sealing: Sealing, plain: Uint8Array): Uint8Array;
  /** @throws TipError `auth_failed` for a wrong key or a changed byte */
  open(sealing: Sealing, sealed: Uint8Array): Uint8Array;
}

const node = () => process.getBuiltinModule("node:crypto");
/** The same call for all modes: the compiler knows them by one function for each. */
const settingsOf = ({ cipher }: Sealing) => ({
  name: cipher as "aes-128-ccm",
  options: { authTagLength: ciphers[cipher].tagBytes },
});

export const crypto: Crypto = {
  sha256: (text) => node().createHash("sha256").update(text).digest(),
  hmacSha256: (key, text) => node().createHmac("sha256", key).update(text).digest(),
  seal(sealing, plain) {
    const { name, options } = settingsOf(sealing);
    const cipher = node().createCipheriv(name, sealing.key, sealing.nonce, options);
    cipher.setAAD(sealing.header, { plaintextLength: plain.length });
    return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  },
  open(sealing, sealed) {
    const { name, options } = settingsOf(sealing);
    const length = sealed.length - options.authTagLength;
    const decipher = node().createDecipheriv(name, sealing.key, sealing.nonce, options);
    decipher.setAuthTag(sealed.subarray(length));
    decipher.setAAD(sealing.header, { plaintextLength: length });
    try {
      const plain = decipher.update(sealed.subarray(0, length));
      decipher.final();
      return plain;
    } catch {
      throw new TipError("auth_failed", "The envelope cannot be opened: the key is another one, or a byte was changed");
    }
  },
};
