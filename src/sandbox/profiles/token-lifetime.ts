/** Default lifetime of a profile token. */
export const DEFAULT_EXPIRE_TIME = "3 months";

export const tokenGaps = {
  lifetime: { subject: "Profile token without expire_time", choice: DEFAULT_EXPIRE_TIME },
  renewal: {
    subject: "Login tokens of the admin",
    choice:
      "3 months, not renewed and not removed: the platform renews them every 3 hours, 7 times, until the user logs out",
    general: true,
  },
} as const;
