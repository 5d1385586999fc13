import type { Gap } from "../core/gap.ts";

/** What was chosen for accounts, profiles, portals, access rules and billing. */
export const accountGaps: readonly Gap[] = [
  {
    subject: "Analysis tokens and access rules",
    choice:
      "free until an active rule names the analysis, then only what rules allow; the option access turns rules on for all analyses (enforced) or off for everybody (open)",
  },
  { subject: "Portal users and access rules", choice: "nothing but what rules allow, and their own portal routes" },
  {
    subject: "Several rules that disagree",
    choice:
      "any denial wins, in lists as on the platform; for one operation the platform takes the policies in no fixed order, here the ones that deny come last",
  },
  {
    subject: "Actions of rules no source names",
    choice:
      "the platform knows 37 and refuses others, here any text is taken; access, create, edit, delete everywhere; analysis: run, upload, token_access; entity: the four of data; run_user: login_as_user, notification; sql: execute",
  },
  {
    subject: "Which action a route needs",
    choice:
      "parameters of a device: access and edit; widgets: edit of the dashboard; widget data: access to the dashboard; routes of the owner's account: no rule opens them",
  },
  {
    subject: "Rules and portal users: device data",
    choice: "get_data and send_data are looked at, although the catalogue of the platform shows only access",
  },
  {
    subject: "Rules and files",
    choice:
      "a folder is deleted, moved, copied or published only when all of its files are allowed, there and where they go; copies need access to the source and upload at the target; lists leave out what is not allowed",
  },
  {
    subject: "Rules, backups and imports of device data",
    choice: "export_data and import_data of the device are enough, no rule for the file is asked for",
  },
  {
    subject: "Rules and GET /integration/network/{id}/devices",
    choice: "network access; only devices that may be seen, with their token where token_access is allowed",
  },
  { subject: "Rules and templates", choice: "to make one: dashboard create, and access to its dashboard or analysis" },
  { subject: "Rules and new records", choice: "a permission by tag is compared with the tags of the body" },
  {
    subject: "Wrong passwords",
    choice: "after ten in ten minutes 429 with Retry-After, until the ten minutes are over",
  },
  {
    subject: "One-time codes",
    choice:
      "ten minutes; each works once for a login and once for the token after it; after five wrong ones none is taken until a new one is sent or ten minutes are over",
  },
  {
    subject: "Login without the code of a mail or text factor",
    choice: "sends one, then answers 401 with the JSON text",
  },
  { subject: "Enabling an authenticator", choice: "the otpauth link as text; it counts once a code is confirmed" },
  {
    subject: "POST /account",
    choice: "Successfully Created; plan free, one profile of the same name; no login before the mail is answered",
  },
  {
    subject: "Links of mails",
    choice:
      "in the outbox as token; once each: confirmation 3 days, password 1 hour, invitation 7 days; used or unknown: 404 Token Not Found",
  },
  { subject: "Mails to an address nobody has", choice: "answered as if sent, nothing is in the outbox" },
  { subject: "GET /account with the token of a team member", choice: "the account that made the token" },
  { subject: "Team invitation without an account", choice: "400 at acceptance until the account is there" },
  {
    subject: "Members of a team",
    choice: "may do everything but delete the profile; their tokens end when they leave",
  },
  {
    subject: "Audit log",
    choice: "first call Running, the next one Complete; a search can be asked for during an hour",
  },
  { subject: "Audit log messages", choice: "{Kind} {name} was created, updated or deleted; {mail} logged in" },
  {
    subject: "Usage statistics",
    choice:
      "UTC steps; date: its hours; otherwise days, without dates of this month; data_records, run_users and file_storage are levels",
  },
  { subject: "Use that is counted", choice: "written every second: a killed sandbox forgets the last one" },
  { subject: "Allocation and add-ons", choice: "stored and echoed; only the number of portal users is enforced" },
  {
    subject: "GET /profile/{id}/addons",
    choice: "one row {id of the profile, name of the add-on, logo_url} for each that is on",
  },
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
  {
    subject: "Limits by plan that are not counted requests",
    choice:
      "enforced for the numbers of records, portal users, files and backups on the free plan; not for mail and SMS factors, filters of the audit log and its six months, core instances and clusters",
  },
  {
    subject: "PUT /profile/{id}/service",
    choice: "stored, secrets are not looked at; a test goes to the outbox; no service: 400",
  },
  { subject: "GET /run/users/{id}/login", choice: "needs a token of full permission" },
  { subject: "Portal that is not there or not active", choice: "404 TagoIO Run Not Found" },
  { subject: "Values kept for portal users", choice: "any content type, kept as text; 1,000 values of 1 MB" },
  { subject: "Custom domains", choice: "stored; their records are never found, so they stay inactive" },
  {
    subject: "Prices, invoices, cards",
    choice: "figures of the sandbox's own; every card is 4242; nothing is charged",
  },
  {
    subject: "POST /account/subscription",
    choice: "larger: processing for two seconds; smaller: a schedule for the end of the calendar month",
  },
  { subject: "Coupons", choice: "DEMO20 is known, others 404 Coupon Not Found" },
  {
    subject: "Backups of profiles",
    choice:
      "size in bytes; the archive has no folder around it, dashboards carry their widgets, devices their parameters, only the newest script of an analysis is in it; the link is good for ten minutes; neither the one a day nor the twelve months are enforced; there is no route to restore one",
  },
];
