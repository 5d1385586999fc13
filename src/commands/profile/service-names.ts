/** Services that are counted, with what one of each is (MODEL of the platform: file_storage in MB, analysis in minutes). */
export const serviceUnits: Readonly<Record<string, string>> = {
  input: "records in a month",
  output: "records in a month",
  analysis: "minutes in a month",
  data_records: "records stored",
  sms: "messages in a month",
  email: "mails in a month",
  run_users: "users",
  push_notification: "messages in a month",
  file_storage: "MB stored",
  tcore: "instances",
};

/** Services that can be bought and allocated. */
export const serviceNames: readonly string[] = Object.keys(serviceUnits).filter((name) => name !== "tcore");
