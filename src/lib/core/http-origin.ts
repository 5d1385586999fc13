/** The normalized origin if the URL is nothing but an http or https origin, else `undefined`. */
export function httpOrigin(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, href } = new URL(text);
  const isHttp = protocol === "http:" || protocol === "https:";
  return isHttp && href === `${origin}/` && !/[?#]$/.test(text) ? origin : undefined;
}
