// A script of a single file that keeps its environment in a typed map.
import { Analysis, type AnalysisEnvironment, type Data, Resources, type TagoContext, Utils } from "iotdeck";

interface Settings {
  readonly token: string;
  readonly limit: number;
}

function settingsOf(environment: AnalysisEnvironment): Settings {
  const token = environment["account_token"];
  if (!token) throw new Error("The variable account_token is missing");
  return { token, limit: Number(environment["limit"] ?? "100") };
}

async function start(context: TagoContext, scope: Data[]): Promise<void> {
  const environment: AnalysisEnvironment = Utils.envToJson(context.environment);
  const { token, limit } = settingsOf(environment);
  const resources = new Resources({ token });
  const devices = await resources.devices.list({ amount: limit, fields: ["id", "name"] });
  context.log(`${devices.length} devices, ${scope.length} records`, environment["_widget_exec"] ?? "");
}

export const defaults = { account_token: "a-token", limit: "20" } as AnalysisEnvironment;
Analysis.use(start, { token: defaults["account_token"] ?? "" });
