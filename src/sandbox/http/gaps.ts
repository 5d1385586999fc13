/** What was assumed about requests in general. */
export const httpGaps = {
  noToken: { subject: "No token", choice: "401 Authorization Denied, the text for an unknown one" },
  nullProperty: { subject: "null in a body", choice: "absent where the property cannot be null" },
  notJson: { subject: "Body is not JSON", choice: "400 Invalid JSON" },
  contentType: {
    subject: "Body of another content type than JSON",
    choice: "415; without a content type it counts as JSON",
  },
  tooLarge: {
    subject: "Body too large",
    choice: "413 with the limit in the text, connection closed; 1 MB, device data 200 kB",
  },
  unknownRoute: { subject: "Unknown route", choice: "404 Route not found" },
  otherOrigin: {
    subject: "Web pages of other origins",
    choice: "403 unless --allow-origin names them; the platform lets in every origin",
    general: true,
  },
  storage: { subject: "Storage full or failing", choice: "503, nothing of the request is stored", general: true },
} as const;
