import type { Gap } from "../core/gap.ts";

/** Choices about dictionaries, secrets, integrations and core instances. */
export const resourceGaps: readonly Gap[] = [
  {
    subject: "Dictionary languages",
    choice:
      "400 {locale} can't be found; PUT without dictionary keeps the texts; an inactive one with fallback is the fallback; the fallback cannot be deleted; any number on every plan",
  },
  { subject: "Dictionary by slug", choice: "fallback=false is followed" },
  { subject: "Slug of a dictionary", choice: "may have _; one in use: 400" },
  { subject: "Secrets", choice: "a key in use: 400; 10,000 characters at most" },
];
