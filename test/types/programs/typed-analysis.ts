// An analysis with a typed context and scope, as the official examples write it.
import { Analysis, type Data, Device, type TagoContext, Utils } from "iotdeck";

async function averageLevel(context: TagoContext, scope: Data[]): Promise<void> {
  if (!scope[0]) return context.log("No data in the scope");
  const environment = Utils.envToJson(context.environment);
  const device = new Device({ token: environment["device_token"] ?? "" });
  const records: Data[] = await device.getData({ variables: ["level"], qty: 10 });
  const values = records.map((item) => Number(item.value));
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  await device.sendData({
    variable: "average",
    value: average,
    unit: records[0]?.unit ?? "%",
    group: scope[0].group ?? "",
  });
  context.log("Average", average, context.analysis_id);
}

Analysis.use(averageLevel, { token: "a-token" });
export const analysis: Analysis = new Analysis(averageLevel, { token: "a-token", region: "eu-w1", autostart: false });
