/** Assumptions about requests in general. */
export const httpGaps = {
  noToken: { subject: "No token", choice: "401 Authorization Denied, the text for an unknown one" },
  nullProperty: { subject: "null in a body", choice: "absent where the property cannot be null" },
  notJson: { subject: "Body is not JSON", choice: "400 Invalid JSON" },
  contentType: {
    subject: "Body of another content type than JSON",
    choice: "415; without a content type it counts as JSON",
  },
  bodyOfGet: { subject: "Body of a GET request", choice: "ignored, whatever its content type" },
  tooLarge: {
    subject: "Body too large",
    choice: "413 with the limit in the text, connection closed; 1 MB, device data 200 kB",
  },
  unknownRoute: { subject: "Unknown route", choice: "404 Route not found" },
  lesserToken: {
    subject: "Tokens made or listed with a token that may do less",
    choice:
      "401 for one that may do more than its maker; lists, infos and runs show ******** and its end; the Default token of a new device or analysis may do what its maker may",
  },
  otherOrigin: {
    subject: "Web pages of other origins",
    choice: "403 unless --allow-origin names them; the platform lets in every origin",
    general: true,
  },
  storage: { subject: "Storage full or failing", choice: "503, nothing of the request is stored", general: true },
  tokens: {
    subject: "Form of tokens",
    choice: "a UUID, cut so that it has 36 characters with its prefix",
    general: true,
  },
  regions: {
    subject: "Regions and dedicated deployments",
    choice: "one region, with a public catalogue of networks",
    general: true,
  },
} as const;
