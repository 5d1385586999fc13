import { hostname } from "node:os";
import { pathToFileURL } from "node:url";
import { linked } from "../../../text/link.ts";

/** The address of a file. A terminal may be that of another machine; the name of this one lets it know. */
function fileUrl(path: string): string {
  const url = pathToFileURL(path);
  // On Windows a host is that of a share.
  return process.platform === "win32" || url.host !== "" ? url.href : `file://${hostname()}${url.pathname}`;
}

const startsWord = /[\s"]/;
const endsWord = /[\s".,;:)]/;

/** Makes the last mention of a file clickable, where the text has it on one line. */
export function withFileLink(text: string, name: string, path: string): string {
  for (let at = text.lastIndexOf(name); name !== "" && at > 0; at = text.lastIndexOf(name, at - 1)) {
    const end = at + name.length;
    if (!startsWord.test(text[at - 1] ?? " ") || !endsWord.test(text[end] ?? " ")) continue;
    return text.slice(0, at) + linked(fileUrl(path), name) + text.slice(end);
  }
  return text;
}
