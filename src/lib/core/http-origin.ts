/** The origin that a URL consists of, in the form browsers send; `undefined` for anything that is more or less than one. */
export function httpOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  const isHttp = protocol === "http:" || protocol === "https:";
  return isHttp && href === `${origin}/` && !/[?#]$/.test(text) ? origin : undefined;
}
