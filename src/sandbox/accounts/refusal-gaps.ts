/** Assumptions about when logins and invitations are rejected. */
export const refusalGaps = {
  wrongLogin: { subject: "Wrong login", choice: "401 Invalid credentials; a wrong code: 401 Invalid pin code" },
  wrongPasswords: {
    subject: "Wrong passwords",
    choice: "after ten in ten minutes 429 with Retry-After, until the ten minutes are over",
  },
  secondFactor: { subject: "Second factor needed", choice: "401 with JSON text: otp_enabled, otp_autosend" },
  codeSent: {
    subject: "Login without the code of an email or SMS factor",
    choice: "sends one, then returns 401 with the JSON text",
  },
  codes: {
    subject: "One-time codes",
    choice:
      "ten minutes; each works once for a login and once for the token after it; after five wrong ones none is taken until a new one is sent or ten minutes are over",
  },
  invitation: {
    subject: "Team invitation without an account",
    choice: "400 at acceptance until the account is there",
  },
} as const;
