/** Assumptions that the stores of portals make. */
export const portalGaps = {
  missing: { subject: "Portal that does not exist or is not active", choice: "404 TagoIO Run Not Found" },
  storedValues: {
    subject: "Values stored for portal users",
    choice: "any content type, stored as text; 1,000 values of 1 MB",
  },
} as const;
