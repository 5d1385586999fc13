// Runs an analysis in a test, with a context and records that the test makes up.
import type { Data, DeviceInfo, RouterConstructor, TagoContext, UserInfo } from "iotdeck";

type Handler = (context: TagoContext, scope: Data[]) => Promise<void>;

export async function linesOf(handler: Handler, variables: string[]): Promise<string[]> {
  const lines: string[] = [];
  const context: TagoContext = {
    token: "a-token",
    analysis_id: "61f1b8a4b3d2f4001a2b3c4d",
    environment: [{ key: "stage", value: "test" }],
    log: (...values) => lines.push(values.join(" ")),
  };
  context.environment.push({ key: "_user_id", value: "1" });
  const scope: Data[] = variables.map((variable, index) => ({
    id: String(index),
    device: "61f1b8a4b3d2f4001a2b3c4e",
    variable,
    value: index,
    time: new Date(0),
    metadata: { sentValues: [{ label: "One", value: 1 }], old_value: 0, anything: [1, 2] },
  }));
  await handler(context, scope);
  return lines;
}

type Parameters = Omit<RouterConstructor, "scope"> & { scope: Data[] };
export const parametersOf = (scope: Data[]): Parameters => ({ scope, environment: { stage: "test" } });
export const siteOf = ({ tags }: DeviceInfo | UserInfo): string | undefined =>
  tags.find(({ key }) => key === "site")?.value;
