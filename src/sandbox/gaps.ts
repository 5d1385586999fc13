import { accountGaps } from "./accounts/gaps.ts";
import { runGaps } from "./analyses/gaps.ts";
import type { Gap } from "./core/gap.ts";
import { dataGaps } from "./data/gaps.ts";
import { httpGaps } from "./http/gaps.ts";
import { resourceGaps } from "./resources/gaps.ts";
import { resources } from "./resources/index.ts";
import { streamGaps } from "./stream/gaps.ts";
import { widgetGaps } from "./widgets/gaps.ts";

const coreGaps: readonly Gap[] = [
  { subject: "Wrong login", choice: "401 Invalid credentials; a wrong code: 401 Invalid pin code" },
  { subject: "Second factor needed", choice: "401 with JSON text: otp_enabled, otp_autosend" },
  { subject: "POST /account/login/otp", choice: "PIN code sent; the code is in the outbox" },
  {
    subject: "Tokens made or listed with a token that may do less",
    choice:
      "401 for one that may do more than its maker; lists, infos and runs show ******** and its end; the Default token of a new device or analysis may do what its maker may",
  },
  { subject: "POST /device without connector or network", choice: "takes the first of the catalogue" },
  { subject: "POST /device without type", choice: "mutable; legacy is refused" },
  { subject: "PUT /device with serie_number", choice: "changed at once, on the first token" },
  { subject: "Change of network or connector refused", choice: "400; what is missing by field, else the tokens" },
  { subject: "POST /device/{id}/convert", choice: "the data of the device goes, its tokens stay" },
  { subject: "resolveConnectorName", choice: "adds connector_name" },
  { subject: "Delete-protected resource", choice: "400 with the value of the tag" },
  {
    subject: "More than 60 device parameters",
    choice: "400 You have exceeded the maximum limit of Device Params (60).",
  },
  { subject: "Form of tokens", choice: "a UUID, cut so that it has 36 characters with its prefix" },
  { subject: "Profile token without expire_time", choice: "3 months" },
  {
    subject: "orderBy that cannot be read",
    choice: "ignored, but refused for analyses, access rules and portal users",
  },
  {
    subject: "fields of the entity list",
    choice: "every one asked for; the platform may leave some out, such as index",
  },
  {
    subject: "Login tokens of the admin",
    choice:
      "3 months, not renewed and not removed: the platform renews them every 3 hours, 7 times, until the user logs out",
  },
  { subject: "Regions and dedicated deployments", choice: "one region, with a public catalogue of networks" },
  { subject: "filter on a date", choice: "rows at or after that moment; {start, end} is accepted; a bad date: 400" },
  { subject: "amount above 10,000", choice: "10,000" },
  { subject: "Order of texts", choice: "case does not count" },
  { subject: "GET /tags/keys", choice: "also for entity, secret, sql and tcore; empty list for an unknown type" },
  { subject: "GET /info?details=true", choice: "profile becomes {id, name}" },
];

/** Choices that no request tells of yet. */
const general = (list: readonly Gap[]): Gap[] => list.map((gap) => ({ ...gap, general: true }));

/** All choices of the sandbox. */
export const gaps: readonly Gap[] = [
  ...Object.values<Gap>(httpGaps),
  ...Object.values<Gap>(streamGaps),
  ...resources.flatMap(({ gaps: own = {} }) => Object.values(own)),
  ...general([...coreGaps, ...accountGaps, ...dataGaps, ...runGaps, ...resourceGaps, ...widgetGaps]),
];

/** A choice as it is listed. */
export interface ListedGap {
  /** What it is about. */
  readonly subject: string;
  /** What the sandbox does. */
  readonly choice: string;
  /** `request`: named in responses and refused in strict mode. `general`: only listed. */
  readonly scope: "request" | "general";
}

/** All choices, with what they apply to. */
export const listedGaps: readonly ListedGap[] = gaps.map(({ subject, choice, general: isGeneral }) => ({
  subject,
  choice,
  scope: isGeneral === true ? "general" : "request",
}));
