/** Whether the host name of a URL can only mean this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** The first of some addresses to which a token would cross a network unencrypted. */
export function cleartextOf(addresses: readonly (string | undefined)[]): string | undefined {
  return addresses.find((address) => {
    if (address === undefined || !URL.canParse(address)) return false;
    const { protocol, hostname } = new URL(address);
    return protocol === "http:" && !isLoopback(hostname);
  });
}
