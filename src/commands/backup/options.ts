export const profileOption = {
  name: "of",
  value: "profile",
  summary: "profile: full id or a unique name:… (the token's profile)",
  leadsAway: true,
} as const;
