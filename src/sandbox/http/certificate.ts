/** Creates certificates when they are needed: none is stored with its key, and none expires. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  /** PEM */
  readonly cert: string;
  /** PEM */
  readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const BOOLEAN = 0x01;

/** One DER value: tag, length, contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents);
  if (body.length < 0x80) return Buffer.concat([Buffer.of(tag, body.length), body]);
  const length =
    body.length < 0x100 ? Buffer.of(0x81, body.length) : Buffer.of(0x82, body.length >> 8, body.length & 0xff);
  return Buffer.concat([Buffer.of(tag), length, body]);
}

function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const part of rest) {
    const groups = [part & 0x7f];
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80);
    bytes.push(...groups);
  }
  return der(OBJECT_ID, Buffer.from(bytes));
}

const ecdsaWithSha256 = der(SEQUENCE, objectId("1.2.840.10045.4.3.2"));

function name(commonName: string): Buffer {
  return der(SEQUENCE, der(SET, der(SEQUENCE, objectId("2.5.4.3"), der(UTF8_STRING, Buffer.from(commonName)))));
}

function time(moment: Date): Buffer {
  const digits = moment.toISOString().replace(/[-:T]/g, "").slice(2, 14);
  return der(UTC_TIME, Buffer.from(`${digits}Z`));
}

function extension(id: string, value: Buffer, isCritical = false): Buffer {
  const critical = isCritical ? [der(BOOLEAN, Buffer.of(0xff))] : [];
  return der(SEQUENCE, objectId(id), ...critical, der(OCTET_STRING, value));
}

function signed(tbs: Buffer, key: KeyObject): string {
  const signature = der(BIT_STRING, Buffer.of(0), sign("sha256", tbs, key));
  const base64 = der(SEQUENCE, tbs, ecdsaWithSha256, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.replace(/(.{64})/g, "$1\n").trimEnd()}\n-----END CERTIFICATE-----\n`;
}

const LOOPBACK_V6 = Buffer.from([...new Uint8Array(15), 1]);

/** A name in the format of the certificate: an IPv4 address as bytes. */
const alternative = (host: string): Buffer =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host));

/**
 * A self-signed certificate for this machine, and other hosts (names, IPv4). Valid for a year. It is its own authority.
 */
export function selfSignedCertificate(hosts: readonly string[] = []): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const day = 24 * 60 * 60 * 1000;
  const serial = randomBytes(8);
  serial[0] = 0x01;
  const names = [...new Set(["localhost", "127.0.0.1", ...hosts])].map(alternative);
  const isAuthority = der(SEQUENCE, der(BOOLEAN, Buffer.of(0xff)));
  const tbs = der(
    SEQUENCE,
    der(0xa0, der(INTEGER, Buffer.of(2))),
    der(INTEGER, serial),
    ecdsaWithSha256,
    name("iot sandbox"),
    der(SEQUENCE, time(new Date(Date.now() - day)), time(new Date(Date.now() + 365 * day))),
    name("iot sandbox"),
    publicKey.export({ type: "spki", format: "der" }),
    der(
      0xa3,
      der(
        SEQUENCE,
        extension("2.5.29.19", isAuthority, true),
        extension("2.5.29.17", der(SEQUENCE, ...names, der(0x87, LOOPBACK_V6))),
      ),
    ),
  );
  return { cert: signed(tbs, privateKey), key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() };
}
