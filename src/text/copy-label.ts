/** The label of the first copy unless the user gave one. */
export const copyLabel = (label: string): string => `${label} (migrated)`;

/** True for a label that a copy of this dashboard gets without one from the user. */
export function isCopyLabel(text: string, label: string): boolean {
  return text.startsWith(`${label} (migrated`) && /^(?: \d+)?\)$/.test(text.slice(`${label} (migrated`.length));
}
