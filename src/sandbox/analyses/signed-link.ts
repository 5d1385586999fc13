import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Links that open something for a while without a token. They end with the process that made them. */
export interface SignedLinks {
  /** The path with its time and signature. */
  sign(path: string, untilMs: number): string;
  /** True for a path of `sign` before its time is over. */
  check(path: string, expires: string | undefined, signature: string | undefined, nowMs: number): boolean;
}

export function createSignedLinks(): SignedLinks {
  const key = randomBytes(32);
  const signatureOf = (path: string, untilMs: number): string =>
    createHmac("sha256", key).update(`${path}\n${untilMs}`).digest("hex");

  return {
    sign: (path, untilMs) => `${path}?expires=${untilMs}&signature=${signatureOf(path, untilMs)}`,
    check: (path, expires, signature, nowMs) => {
      const untilMs = Number(expires ?? "");
      if (signature === undefined || !(untilMs > nowMs)) return false;
      const given = Buffer.from(signature);
      const right = Buffer.from(signatureOf(path, untilMs));
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
