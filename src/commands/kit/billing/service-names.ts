/** Services that are counted, with what one of each is (MODEL of the platform: file_storage in MB, analysis in minutes). */
export const serviceUnits: Readonly<Record<string, string>> = {
  input: "records per month",
  output: "records per month",
  analysis: "minutes per month",
  data_records: "stored records",
  sms: "messages per month",
  email: "emails per month",
  run_users: "users",
  push_notification: "messages per month",
  file_storage: "MB stored",
  tcore: "instances",
};

/** Services that can be bought and allocated. */
export const serviceNames: readonly string[] = Object.keys(serviceUnits).filter((name) => name !== "tcore");

/** Services of which there is an amount at a time; the others are counted, from the start of each month. */
export const levelServices: readonly string[] = ["data_records", "run_users", "file_storage"];

export const countedServices: readonly string[] = serviceNames.filter((name) => !levelServices.includes(name));
