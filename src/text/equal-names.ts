/** Labels that more than one of them has: only an id distinguishes them. */
export function repeatedLabels(entries: readonly { readonly label: string }[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const repeated = new Set<string>();
  for (const { label } of entries) {
    if (seen.has(label)) repeated.add(label);
    seen.add(label);
  }
  return repeated;
}
