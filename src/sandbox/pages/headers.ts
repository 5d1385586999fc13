/** Headers of pages that only this machine's user sees: no external content, no framing, and only the frames of one path. */
export function hostHeaders(policy: {
  readonly script: string;
  readonly style: string;
  /** Address that frames may show: nothing that a page in one does leads elsewhere. */
  readonly frames: string;
}): Readonly<Record<string, string>> {
  return {
    "content-security-policy":
      `default-src 'none'; script-src ${policy.script}; style-src ${policy.style}; connect-src 'self'; img-src 'self' data:; ` +
      `frame-src ${policy.frames}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "x-dns-prefetch-control": "off",
    "cache-control": "no-store",
  };
}
