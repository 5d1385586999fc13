/** What each exit code means. */
export const exitCodeTexts: Readonly<Record<number, string>> = {
  0: "done (also: nothing to do)",
  1: "the platform refused or failed for another reason",
  2: "wrong usage, or input needed with no terminal",
  3: "input data invalid (file, schema, conversion)",
  4: "not logged in, or the token was refused",
  5: "the token lacks the permission",
  6: "not found",
  7: "conflict: changed meanwhile, or already exists",
  8: "partly done: some items failed, see the report",
  9: "rate or service limit, still reached after waiting",
  10: "network, proxy, TLS or timeout",
  11: "differences found",
  70: "internal fault",
  130: "stopped by Ctrl-C",
  143: "stopped by a termination signal",
};
