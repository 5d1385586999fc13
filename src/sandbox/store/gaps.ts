/** Assumptions about lists. */
export const listGaps = {
  order: {
    subject: "orderBy that cannot be read",
    choice: "ignored, but rejected for analyses, access rules and portal users",
    general: true,
  },
  dates: {
    subject: "filter on a date",
    choice: "rows at or after that moment; {start, end} is accepted; a bad date: 400",
    general: true,
  },
  amount: { subject: "amount above 10,000", choice: "10,000", general: true },
  textOrder: { subject: "Order of texts", choice: "case does not count", general: true },
} as const;
