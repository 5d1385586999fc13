import type { ServedRoute } from "../../../src/sandbox/index.ts";

/** Dice that fall the same way every time. */
export interface Dice {
  /** A whole number below `most`. */
  below(most: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (most) => Math.floor(next() * most),
    chance: (share) => next() < share,
    pick: (list) => {
      const value = list[Math.floor(next() * list.length)];
      if (value === undefined) throw new RangeError("There is nothing to pick from");
      return value;
    },
  };
}

/** What requests are made of. */
export interface Material {
  readonly routes: readonly ServedRoute[];
  readonly tokens: readonly string[];
  /** Opens the routes below `/__sandbox/`. */
  readonly inspection: string;
  /** Ids and names of things that exist. */
  readonly ids: readonly string[];
}

const NAMES = (
  "id name label key value variable time unit group metadata location lat lng coordinates type active visible tags " +
  "description fields filter page amount orderBy query qty skip start_date end_date interval function ids serie " +
  "permission expire_time email password pin_code otp_type token profile_id device dashboard widget analysis action " +
  "trigger trigger_when_unlock targets permissions policies effect path files filename file from to public " +
  "multipart_action upload_id parts ETag PartNumber schema index payload payload_encoded parse_function chunk_period " +
  "chunk_retention connector network serie_number configuration_params sent data overwrite arrangement background " +
  "setup scope run_on interval runtime variables language languages slug fallback active dictionary timezone company " +
  "phone options notification buttons title message to subject html attachment html5 sms service plan coupon address " +
  "cards source ref_id where condition variables_list is operator second_value __proto__ constructor toString length"
).split(" ");

const TEXTS: readonly string[] = [
  "",
  " ",
  "a",
  "null",
  "undefined",
  "NaN",
  "-1",
  "1e999",
  "0x10",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "' OR 1=1 --",
  '"; DROP TABLE entity; --',
  "%",
  "%zz",
  "*",
  "../../../etc/passwd",
  "..%2f..",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\uffff",
  "\u202e",
  "😀".repeat(40),
  "x".repeat(5_000),
  "2026-01-31T12:00:00Z",
  "2026-13-45",
  "0000-00-00",
  "99999-01-01",
  "1 day",
  "-5 months",
  "never",
  "* * * * *",
  "99 99 * * *",
  "(a+)+$",
  "[",
  "data:text/html,<script>",
  "http://127.0.0.1:1/",
  "65a1000000000000000d0001",
  "65a10000000000000000000z",
];

const NUMBERS: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.1,
  255,
  10_000,
  10_001,
  2 ** 31,
  2 ** 53,
  -(2 ** 53),
  1e21,
  1e308,
  -1e308,
  5e-324,
];

function value(dice: Dice, material: Material, depth: number): unknown {
  const kind = dice.below(depth > 4 ? 6 : 9);
  if (kind < 2) return dice.pick(TEXTS);
  if (kind === 2) return dice.pick(NUMBERS);
  if (kind === 3) return dice.pick([null, true, false]);
  if (kind === 4) return dice.pick(material.ids);
  if (kind === 5) return dice.pick([[], {}, [[]], [null], [{}], { "": "" }]);
  if (kind === 6) return Array.from({ length: dice.below(4) }, () => value(dice, material, depth + 1));
  return object(dice, material, depth + 1);
}

function object(dice: Dice, material: Material, depth: number): Record<string, unknown> {
  const made: Record<string, unknown> = Object.create(null);
  for (let n = dice.below(6); n >= 0; n -= 1) made[dice.pick(NAMES)] = value(dice, material, depth);
  return made;
}

function bytes(dice: Dice, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => dice.below(256)));
}

/** JSON with a mistake in it. */
function broken(dice: Dice, text: string): string {
  const at = dice.below(text.length + 1);
  return dice.pick([
    text.slice(0, at),
    `${text.slice(0, at)}${dice.pick(["}", "]", ",", '"', "\\", "\u0001", "{", "nan"])}${text.slice(at)}`,
    `${text}${text}`,
    `\ufeff\ufeff${text}`,
    "[".repeat(dice.below(4_000)),
    `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`,
  ]);
}

/** Something that exists, or one of the odd forms a part of a path can have. The tokens in use are left alone. */
function part(dice: Dice, material: Material, realShare: number): string {
  if (dice.chance(realShare)) return encodeURIComponent(dice.pick(material.ids));
  const text = dice.pick([...TEXTS, ...NAMES]);
  return dice.pick([
    encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, "?")).slice(0, 2_000),
    "%zz",
    "%00",
    "%ff%fe",
    "%2e%2e",
    "..",
    ";",
    "a:b",
    "0".repeat(24),
    `${"f".repeat(23)}G`,
  ]);
}

function queryText(dice: Dice, material: Material): string {
  const pairs = Array.from({ length: 1 + dice.below(5) }, () => {
    const name = dice.pick(NAMES);
    const deep = dice.pick(["", "", "[]", "[0]", "[0][key]", "[__proto__]", "[a]".repeat(60), "[", "]", "[999999999]"]);
    const text = dice.chance(0.3) ? dice.pick(material.ids) : dice.pick(TEXTS).replaceAll(/[\ud800-\udfff]/g, "?");
    return `${name}${deep}=${dice.chance(0.85) ? encodeURIComponent(text) : text.replaceAll(/[^\x21-\x7e]/g, "%")}`;
  });
  const text = pairs.join(dice.pick(["&", "&", "&", "&&", ";", "&=&"]));
  return dice.chance(0.05) ? text + "&a=b".repeat(3_000) : text;
}

const CONTENT_TYPES: readonly string[] = [
  "application/json",
  "application/json; charset=utf-16",
  "text/plain",
  "text/html",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
  "multipart/form-data; boundary=x",
  `multipart/form-data; boundary=${"y".repeat(300)}`,
  "application/octet-stream",
  "",
  ";;;",
  "\u00e9/\u00ff",
];

function multipart(dice: Dice, material: Material): Buffer {
  const fields = Array.from({ length: dice.below(5) }, () => {
    const name = dice.pick(NAMES);
    const text = dice.chance(0.3) ? dice.pick(["start", "upload", "end"]) : String(value(dice, material, 5));
    const file = dice.chance(0.3) ? `; filename="${dice.pick(TEXTS).slice(0, 50)}"` : "";
    return `--x\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return Buffer.from(`${fields.join("")}${dice.pick(["--x--\r\n", "--x--", "--x", "", "--y--"])}`);
}

function bodyOf(dice: Dice, material: Material): Buffer {
  const made = dice.chance(0.35)
    ? Array.from({ length: dice.below(4) }, () => object(dice, material, 0))
    : dice.chance(0.9)
      ? object(dice, material, 0)
      : value(dice, material, 0);
  const text = JSON.stringify(made) ?? "";
  const kind = dice.below(100);
  if (kind < 72) return Buffer.from(text);
  if (kind < 84) return Buffer.from(broken(dice, text));
  if (kind < 90) return bytes(dice, dice.below(300));
  if (kind < 98) return multipart(dice, material);
  return Buffer.from(dice.chance(0.2) ? `"${"x".repeat(2 * 1024 * 1024)}"` : text);
}

/** Header lines that are allowed and make no sense. */
function oddHeaders(dice: Dice): string[] {
  return dice.pick([
    [`X-Long: ${"h".repeat(20_000)}`],
    Array.from({ length: 300 }, (_, n) => `X-${n}: ${n}`),
    ["Range: bytes=9-1,x-y"],
    ["If-None-Match: *", "If-Modified-Since: yesterday"],
    ["Accept-Encoding: gzip, br, *;q=0", "Accept: \u0001".replace("\u0001", ",,,")],
    ["Cookie: a=b; c", "Authorization: Bearer"],
    ["Authorization: Basic !!!", "Token:"],
    ["X-Forwarded-For: 1.2.3.4", "X-HTTP-Method-Override: DELETE"],
    ["Expect: 100-continue"],

    ["Origin: null", "Sec-Fetch-Site: cross-site"],
    ["Content-Encoding: gzip"],
    ["Trailer: a", "TE: trailers"],
  ]);
}

/** One request as bytes, in a frame that HTTP allows, so that many can go over one connection. */
export function malformedRequest(dice: Dice, material: Material): { readonly line: string; readonly bytes: Buffer } {
  const route = dice.pick(material.routes);
  const method = dice.chance(0.96) ? route.method : dice.pick(["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"]);
  // Most of what exists has to last until everything is put back.
  const realShare = method === "DELETE" ? 0.08 : 0.6;
  const path = dice.chance(0.97)
    ? route.path.replaceAll(/:[A-Za-z_]+/g, () => part(dice, material, realShare))
    : `/${part(dice, material, realShare)}/${part(dice, material, realShare)}`;
  const query = dice.chance(method === "GET" ? 0.8 : 0.15) ? `?${queryText(dice, material)}` : "";
  const hasBody = method !== "GET" || dice.chance(0.05);
  const body = hasBody && dice.chance(0.93) ? bodyOf(dice, material) : Buffer.alloc(0);
  const type = dice.chance(0.85) ? "application/json" : dice.pick(CONTENT_TYPES);
  const token = dice.chance(0.9) ? dice.pick(material.tokens) : dice.pick(["", "null", "p-1", "t".repeat(300)]);
  const isChunked = body.length > 0 && dice.chance(0.1);
  const line = `${method} ${path}${query}`;
  const head = [
    `${line} HTTP/1.1`,
    "Host: localhost",
    `Token: ${token}`,
    ...(route.path.startsWith("/__sandbox/") ? [`Authorization: ${material.inspection}`] : []),
    ...(hasBody ? [`Content-Type: ${type}`] : []),
    ...(isChunked ? ["Transfer-Encoding: chunked"] : hasBody ? [`Content-Length: ${body.length}`] : []),
    ...(dice.chance(0.06) ? oddHeaders(dice) : []),
  ];
  const frame = isChunked
    ? [Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]
    : [body];
  return {
    line: line.slice(0, 300),
    bytes: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), ...frame]),
  };
}

/** Bytes in which HTTP itself is broken; each takes a connection of its own. */
export function brokenFrame(dice: Dice, material: Material): Buffer {
  const whole = malformedRequest(dice, material).bytes;
  const head = "POST /data HTTP/1.1\r\nHost: localhost\r\n";
  return dice.pick([
    () => bytes(dice, 1 + dice.below(400)),
    () => whole.subarray(0, dice.below(whole.length)),
    () => Buffer.concat([whole.subarray(0, dice.below(whole.length)), bytes(dice, 20)]),
    () => Buffer.from(`${head}Content-Length: 5\r\nContent-Length: 7\r\n\r\nabcde`),
    () => Buffer.from(`${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
    () => Buffer.from(`${head}Content-Length: -1\r\n\r\n`),
    () => Buffer.from(`${head}Content-Length: 99999999999999999999\r\n\r\n`),
    () => Buffer.from(`${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n`),
    () => Buffer.from(`${head}Transfer-Encoding: gzip\r\n\r\n`),
    () => Buffer.from(`${head}Expect: the unexpected\r\nContent-Length: 0\r\n\r\n`),
    () => Buffer.from(`${head}Bad Header: 1\r\n\r\n`),
    () => Buffer.from(`${head}X: ${"y".repeat(80_000)}\r\n\r\n`),
    () => Buffer.from("GET /status HTTP/9.9\r\n\r\n"),
    () => Buffer.from("GET\r\n\r\n"),
    () => Buffer.from(`${head}Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n\r\n`),
    () => Buffer.from("CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n"),
    () => Buffer.from("\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc", "latin1"),
    () => Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    () => Buffer.from("\r\n".repeat(500)),
  ])();
}
