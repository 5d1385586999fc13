import type { Device, Resources } from "../../index.ts";
import type { CommandContext } from "../kit/context.ts";
import type { DataReader } from "../kit/devices/data-read.ts";
import { SELF, selfDevice } from "../kit/finders/self.ts";

/** Part of the details of the commands that work with a device token. */
export const selfDetails = "With a device token (IOT_TOKEN), the id self is the device itself.";

/** A program on a device, as its examples show it. */
export const asDevice = (line: string): string =>
  `IOT_TOKEN=$(iot device token list "name:Freezer 1" --filter permission=full -o id --reveal | head -n 1) ${line}`;

export const isSelf = ({ args }: { readonly args: { readonly id?: string | undefined } }): boolean => args.id === SELF;

/** The calls of commands about the data and parameters of one device, which a device may make about itself. */
export interface DeviceCalls extends DataReader {
  deleteDeviceData(id: string, query: Parameters<Device["deleteData"]>[0]): Promise<string>;
  paramList(id: string, sent?: boolean): ReturnType<Resources["devices"]["paramList"]>;
}

/** Those calls with a token of the device. */
export async function selfCalls(ctx: CommandContext): Promise<{ readonly devices: DeviceCalls }> {
  const device = await selfDevice(ctx);
  return {
    devices: {
      amount: async () => Number((await device.getData({ query: "count" }))[0]?.value),
      getDeviceData: (_, query) => device.getData(query),
      getDeviceDataStreaming: (_, query, options) => device.getDataStreaming(query, options),
      deleteDeviceData: (_, query) => device.deleteData(query),
      paramList: (_, sent) => device.getParameters(sent === undefined ? "all" : sent ? "onlyRead" : "onlyUnRead"),
    },
  };
}
