/** What each exit code means. */
export const exitCodeTexts: Readonly<Record<number, string>> = {
  0: "done (also: nothing to do)",
  1: "the platform rejected the request or failed",
  2: "invalid usage, or input needed without a terminal",
  3: "invalid input data (file, schema, conversion)",
  4: "not logged in, or the token was rejected",
  5: "the token lacks the permission",
  6: "not found",
  7: "conflict: changed in the meantime, or already exists",
  8: "partly done: some items failed",
  9: "rate or service limit still exceeded after waiting",
  10: "network, proxy, TLS or timeout",
  11: "differences found",
  70: "internal error",
  130: "stopped by Ctrl-C",
  143: "stopped by a termination signal",
};
