import type { Gap } from "../core/gap.ts";

/** Choices about dictionaries, secrets, integrations and core instances. */
export const resourceGaps: readonly Gap[] = [
  {
    subject: "Dictionary languages",
    choice:
      "400 {locale} can't be found; PUT without dictionary keeps the texts; an inactive one with fallback is the fallback; the fallback cannot be deleted; any number on every plan",
  },
  { subject: "Dictionary by slug", choice: "fallback=false is followed" },
  { subject: "Slug of a dictionary", choice: "may have _; one in use: 400" },
  { subject: "Secrets", choice: "a key in use: 400; 10,000 characters at most" },
  { subject: "Connectors and networks of the catalogue", choice: "cannot be edited or deleted: 404" },
  {
    subject: "Connectors and networks",
    choice:
      "a connector is taken without a network; none is shared with another profile; an unknown serial number is 404 with an authorization too, where the platform may make an unassigned device; no MQTT broker, no TagoTiP",
  },
  { subject: "Serial masks", choice: "checked when a serial number is set: 400; required is not enforced" },
  {
    subject: "GET /integration/network/resolve with an authorization",
    choice: "devices of the authorization's profile; noted on the token",
  },
  { subject: "POST /integration/network/publish", choice: "goes to the outbox; Successfully Published" },
  {
    subject: "/middleware/downlink",
    choice: "needs a service authorization with an additional parameter; the frame goes to the outbox",
  },
  { subject: "TCore", choice: "404 TCore Not Found; devices of an instance through tcore= only" },
];
