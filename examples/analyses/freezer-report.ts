// Says how cold the freezer of the sandbox is, for each trigger:
//   iot analysis dev "name:report" --file examples/analyses/freezer-report.ts --trigger '[]'
import { Analysis, type AnalysisContext, Resources } from "iotdeck";

async function report(context: AnalysisContext): Promise<void> {
  const device = context.environment.find(({ key }) => key === "device")?.value;
  if (device === undefined) throw new Error('The analysis has no variable "device"');
  const resources = new Resources({ token: context.token });
  const [row] = await resources.devices.getDeviceData(device, { variables: "temperature", query: "last_value" });
  context.log(`The freezer is at ${row?.value} degrees`);
}

Analysis.use(report, { token: process.env["T_ANALYSIS_TOKEN"] ?? "unknown" });
