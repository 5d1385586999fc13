import { accountGaps } from "./accounts/gaps.ts";
import { runGaps } from "./analyses/gaps.ts";
import type { Gap } from "./core/gap.ts";
import { resourceGaps } from "./resources/gaps.ts";

const coreGaps: readonly Gap[] = [
  { subject: "No token", choice: "401 Authorization Denied, the text for an unknown one" },
  { subject: "null in a body", choice: "absent where the property cannot be null" },
  { subject: "Body is not JSON", choice: "400 Invalid JSON" },
  { subject: "Body of another content type than JSON", choice: "415; without a content type it counts as JSON" },
  { subject: "Body too large", choice: "413 with the limit in the text, connection closed; 1 MB, device data 200 kB" },
  { subject: "Event streams", choice: "at most 1,000 at a time, then 503" },
  {
    subject: "Web pages of other origins",
    choice: "403 unless --allow-origin names them; the platform lets in every origin",
  },
  { subject: "Unknown route", choice: "404 Route not found" },
  { subject: "Storage full or failing", choice: "503, nothing of the request is stored" },
  {
    subject: "Tokens made or listed with a token that may do less",
    choice:
      "401 for one that may do more than its maker; lists, infos and runs show ******** and its end; the Default token of a new device or analysis may do what its maker may",
  },
  { subject: "Delete-protected resource", choice: "400 with the value of the tag" },
  { subject: "Form of tokens", choice: "a UUID, cut so that it has 36 characters with its prefix" },
  {
    subject: "orderBy that cannot be read",
    choice: "ignored, but refused for analyses, access rules and portal users",
  },
  { subject: "Regions and dedicated deployments", choice: "one region, with a public catalogue of networks" },
  { subject: "filter on a date", choice: "rows at or after that moment; {start, end} is accepted; a bad date: 400" },
  { subject: "amount above 10,000", choice: "10,000" },
  { subject: "Order of texts", choice: "case does not count" },
  { subject: "Event stream: unknown channel", choice: "400; frames carry channel, timestamp, payload" },
  { subject: "Event stream: slow listener", choice: "cut off when 4 MB wait for it" },
  { subject: "Event stream: missed events", choice: "not sent again" },
];

/** All choices of the sandbox. */
export const gaps: readonly Gap[] = [...coreGaps, ...accountGaps, ...runGaps, ...resourceGaps];
