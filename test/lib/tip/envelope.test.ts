import { webcrypto } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  authHash,
  deriveKey,
  deviceHash,
  type EnvelopeContent,
  isEnvelope,
  openEnvelope,
  readHeader,
  sealEnvelope,
  type TipCipher,
  TipError,
} from "../../../src/lib/tip/index.ts";
import { hash, serial, token } from "../../helpers/tip-servers.ts";

const tagBytes = {
  "aes-128-ccm": 8,
  "aes-128-gcm": 16,
  "aes-256-ccm": 8,
  "aes-256-gcm": 16,
  "chacha20-poly1305": 16,
} as const;
const ciphers = Object.keys(tagBytes) as TipCipher[];
const inner = "sensor-01|[temperature:=21.5#°C]";

const contentOf = (cipher: TipCipher, more: Partial<EnvelopeContent> = {}): EnvelopeContent => ({
  cipher,
  method: "PUSH",
  counter: 4_294_967_295,
  authHash: hash,
  serial,
  key: deriveKey(token, serial, cipher),
  inner,
  ...more,
});

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof TipError) return error.code;
    throw error;
  }
  return "none";
}

describe.each(ciphers)("an envelope with %s", (cipher) => {
  const content = contentOf(cipher);
  const envelope = sealEnvelope(content);

  it("has a clear header and opens to the text", () => {
    const header = {
      cipher,
      version: 0,
      method: "PUSH",
      counter: 4_294_967_295,
      authHash: hash,
      deviceHash: deviceHash(serial),
    };
    expect(readHeader(envelope)).toEqual(header);
    expect(openEnvelope(envelope, content.key, { serial })).toEqual({ ...header, inner });
    expect(envelope.length).toBe(21 + Buffer.byteLength(inner) + tagBytes[cipher]);
    expect(isEnvelope(envelope)).toBe(true);
  });

  it("does not open when a bit of it was changed, or with another key, or as another device", () => {
    const changed = Array.from(envelope, (_, at) => {
      const copy = Uint8Array.from(envelope);
      // In the first byte it is the method.
      copy[at] = (copy[at] ?? 0) ^ (at === 0 ? 2 : 1);
      return codeOf(() => openEnvelope(copy, content.key));
    });
    expect(new Set(changed)).toEqual(new Set(["auth_failed"]));
    const other = Uint8Array.from(content.key, (byte) => byte ^ 255);
    expect(codeOf(() => openEnvelope(envelope, other))).toBe("auth_failed");
    expect(codeOf(() => openEnvelope(envelope, content.key, { serial: "sensor-1" }))).toBe("auth_failed");
    expect(codeOf(() => openEnvelope(envelope, content.key.subarray(1)))).toBe("invalid_input");
  });

  it("holds 16,384 bytes of text, and no more are read", () => {
    const most = "x".repeat(16_384);
    const largest = sealEnvelope({ ...content, inner: most });
    expect(largest.length).toBe(16_384 + 21 + tagBytes[cipher]);
    expect(openEnvelope(largest, content.key).inner).toBe(most);
    expect(codeOf(() => sealEnvelope({ ...content, inner: `${most}x` }))).toBe("invalid_input");
    expect(codeOf(() => readHeader(Buffer.concat([largest, Buffer.of(0)])))).toBe("envelope_too_large");
    expect(codeOf(() => readHeader(envelope.subarray(0, 21 + tagBytes[cipher])))).toBe("auth_failed");
  });
});

describe("an envelope", () => {
  it.each(["aes-128-gcm", "aes-256-gcm"] as const)("with %s is what WebCrypto makes and opens", async (cipher) => {
    const content = contentOf(cipher, { counter: 42 });
    const envelope = sealEnvelope(content);
    const header = envelope.slice(0, 21);
    const iv = Uint8Array.of(header[0] ?? 0, 0, 0, 0, ...header.slice(13, 17), ...header.slice(1, 5));
    const key = await webcrypto.subtle.importKey("raw", content.key, "AES-GCM", false, ["encrypt", "decrypt"]);
    const how = { name: "AES-GCM", iv, additionalData: header, tagLength: 128 };
    const sealed = await webcrypto.subtle.encrypt(how, key, Buffer.from(inner));
    expect(Buffer.concat([header, new Uint8Array(sealed)])).toEqual(Buffer.from(envelope));
    const plain = await webcrypto.subtle.decrypt(how, key, envelope.slice(21));
    expect(Buffer.from(plain).toString()).toBe(inner);
  });

  it("has the same nonce never in both directions", () => {
    const content = contentOf("aes-128-gcm", { counter: 1 });
    const [request, response] = [sealEnvelope(content), sealEnvelope({ ...content, method: "ACK" })];
    expect(request[0]).not.toBe(response[0]);
    expect(Buffer.from(request.subarray(21)).equals(response.subarray(21))).toBe(false);
  });

  it("is told from a plain ACK, as which no envelope begins", () => {
    expect(isEnvelope(Buffer.from("ACK|ERR|auth_failed"))).toBe(false);
    expect(isEnvelope(new Uint8Array())).toBe(false);
    expect(codeOf(() => sealEnvelope(contentOf("aes-256-ccm", { method: "PULL" })))).toBe("invalid_input");
    expect(codeOf(() => readHeader(Buffer.concat([Buffer.of(0x41), Buffer.alloc(60)])))).toBe("unsupported_cipher");
  });

  it.each([
    [0x08, "unsupported_version"],
    [0x18 | 0xe0, "unsupported_version"],
    [0xa0, "unsupported_cipher"],
    [0xe7, "unsupported_cipher"],
    [0x04, "invalid_method"],
    [0x87, "invalid_method"],
  ])("with the first byte %i is rejected as %s, however short it is", (flags, code) => {
    expect(codeOf(() => readHeader(Uint8Array.of(flags)))).toBe(code);
    expect(codeOf(() => readHeader(Buffer.concat([Buffer.of(flags), Buffer.alloc(60)])))).toBe(code);
  });

  it("of a response names its device by the hash alone", () => {
    const content = contentOf("aes-128-ccm", { method: "ACK", inner: "OK|1" });
    const envelope = sealEnvelope(content);
    expect(openEnvelope(envelope, content.key, { serial }).inner).toBe("OK|1");
    expect(codeOf(() => openEnvelope(envelope, content.key, { serial: "sensor-02" }))).toBe("auth_failed");
    expect(codeOf(() => openEnvelope(new Uint8Array(), content.key))).toBe("auth_failed");
  });

  it("is not made of what does not fit", () => {
    const wrong: Partial<Record<keyof EnvelopeContent, unknown>>[] = [
      { cipher: "rot13" },
      { method: "POST" },
      { counter: 4_294_967_296 },
      { counter: -1 },
      { counter: 1.5 },
      { authHash: "4dee" },
      { serial: "a.b" },
      { key: new Uint8Array(15) },
      { inner: "" },
      { inner: "\ud800" },
    ];
    for (const more of wrong)
      expect(
        codeOf(() => sealEnvelope({ ...contentOf("aes-128-ccm"), ...more } as EnvelopeContent)),
        JSON.stringify(more),
      ).toBe("invalid_input");
  });
});

describe("hashes and keys", () => {
  it("take an authorization with and without at, whose case counts", () => {
    expect(authHash(token)).toBe(hash);
    expect(authHash(token.slice(2))).toBe(hash);
    expect(authHash(`at${token.slice(2).toUpperCase()}`)).not.toBe(hash);
  });

  it("are as long as the cipher needs", () => {
    const lengths = [undefined, ...ciphers].map((cipher) => deriveKey(token, serial, cipher).length);
    expect(lengths).toEqual([16, 16, 16, 32, 32, 32]);
  });

  it.each(["", "at", "e2bd", `${token}0`, "zz".repeat(16)])("are not made of %j", (wrong) => {
    expect(codeOf(() => authHash(wrong))).toBe("invalid_input");
    expect(codeOf(() => deriveKey(wrong, serial))).toBe("invalid_input");
    expect(codeOf(() => deviceHash(wrong === "" ? "" : "a b"))).toBe("invalid_input");
  });
});
