import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";

/** Links that work for a limited time without a token. They become invalid with the process that created them. */
export class SignedLinks {
  readonly #key = randomBytes(32);

  /** The path with its time and signature. */
  sign(path: string, untilMs: number): string {
    return `${path}?expires=${untilMs}&signature=${this.#signatureOf(path, untilMs)}`;
  }

  /** True for a path from `sign` that has not expired. */
  check(path: string, expires: string | undefined, signature: string | undefined, nowMs: number): boolean {
    const untilMs = Number(expires ?? "");
    if (signature === undefined || !(untilMs > nowMs)) return false;
    const given = Buffer.from(signature);
    const right = Buffer.from(this.#signatureOf(path, untilMs));
    return given.length === right.length && timingSafeEqual(given, right);
  }

  #signatureOf(path: string, untilMs: number): string {
    return createHmac("sha256", this.#key).update(`${path}\n${untilMs}`).digest("hex");
  }
}
