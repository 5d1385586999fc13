import type { Gap } from "../core/gap.ts";

/** What was chosen for accounts, profiles, portals, access rules and billing. */
export const accountGaps: readonly Gap[] = [
  {
    subject: "Portal users who sign up",
    choice:
      "not active until the mail is answered; signup_method auto, admin (the administrator lets them in) or disabled (403); tags only for keys of signup_fields",
  },
  { subject: "Anonymous portal user", choice: 'POST /run/users {type: "anonymous", name}; its token never ends' },
  {
    subject: "DELETE /run/{url}/delete",
    choice: "removes the user at once; the platform does so, mails the owner or runs an analysis, by a setting",
  },
  {
    subject: "Agreements, preferences and hidden sign-up fields of portal users",
    choice: "agreements and custom_preferences are answered empty; a hidden field makes no tag",
  },
  { subject: "GET /run/users/{id}/login", choice: "needs a token of full permission" },
  { subject: "Portal that is not there or not active", choice: "404 TagoIO Run Not Found" },
  { subject: "Values kept for portal users", choice: "any content type, kept as text; 1,000 values of 1 MB" },
  { subject: "Custom domains", choice: "stored; their records are never found, so they stay inactive" },
];
