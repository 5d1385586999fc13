// Types of 11.x, from the modules that declare them.
import { Device, Resources } from "iotdeck";
import type { DataCreate, DataEdit, TagsObj } from "iotdeck/lib/common/common.types";
import type { GenericModuleParams } from "iotdeck/lib/common/TagoIOModule";
import type { Resources as AnyResources } from "iotdeck/lib/modules";
import type { DataQueryDefault, DeviceConstructorParams } from "iotdeck/lib/modules/Device/device.types";
import type { DeviceQuery } from "iotdeck/lib/modules/Resources/devices.types";
import type { ConnectorQuery } from "iotdeck/lib/modules/Resources/integration.connectors.types";
import type { DeviceListScope, RouterConstructor } from "iotdeck/lib/modules/Utils/router/router.types";
import type { Data } from "iotdeck/src/common/common.types";

const params: GenericModuleParams = {};
params.token = "a-token";
params.region = "eu-w1";

export async function copy(from: DeviceConstructorParams, to: Device, query: DataQueryDefault): Promise<Data[]> {
  const records = await new Device(from).getData(query);
  const rows: DataCreate[] = records.map(({ variable, value }) => ({ variable, value: value ?? "" }));
  const edits: DataEdit[] = records.map(({ id }) => ({ id, group: "copied" }));
  await to.sendData(rows);
  await to.editData(edits);
  return records;
}

export async function rename({ scope }: RouterConstructor & { scope: DeviceListScope[] }): Promise<void> {
  const query: DeviceQuery = { filter: { id: scope[0]?.device ?? "" } };
  const connectors: ConnectorQuery = { fields: ["id", "name"], amount: 5 };
  const resources: AnyResources = new Resources({ token: params.token ?? "" });
  const tags: TagsObj[] = (await resources.integration.connectors.list(connectors)).map(({ id, name }) => ({
    key: id,
    value: name ?? "",
  }));
  for (const { id } of await resources.devices.list(query)) await resources.devices.edit(id, { tags });
}
