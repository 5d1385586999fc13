export const profileOption = {
  name: "of",
  value: "profile",
  summary: "profile: full id or a unique name:… (the one of the token)",
  leadsAway: true,
} as const;
