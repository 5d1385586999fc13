/** The label of the first copy unless the user gave one. */
export const copyLabel = (label: string): string => `${label} (migrated)`;

/** The label of the dashboard that a copy was made of, if this is the label that a copy gets without one from the user. */
export const originalLabel = (text: string): string | undefined => /^(.*) \(migrated(?: \d+)?\)$/s.exec(text)?.[1];
