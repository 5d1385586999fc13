const LONGEST = 60;

/** A part of a file name made from a label: lower-case letters, digits and hyphens. */
export function slugOf(label: string, otherwise: string): string {
  const plain = label.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return words === "" ? otherwise : words;
}
