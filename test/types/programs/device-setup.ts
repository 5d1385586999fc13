// Creates a device with parameters and tokens, and empties it again.
import { type ConfigurationParams, type DeviceCreateInfo, Resources, type TokenData } from "iotdeck";

const resources = new Resources();
const tank: DeviceCreateInfo = {
  name: "Tank 7",
  type: "immutable",
  chunk_period: "month",
  chunk_retention: 3,
  connector: "5f5a8f3351d4db99c40dece5",
  network: "5bbd0d144051a50034cd19fb",
  tags: [{ key: "site", value: "north" }],
  configuration_params: [{ key: "interval", value: "60", sent: false }],
};
const token: TokenData = { name: "Read", permission: "deny", expire_time: new Date("2027-01-01"), serie_number: "A1" };

export async function setUp(): Promise<string> {
  const { device_id, token: first } = await resources.devices.create(tank);
  const created = await resources.devices.tokenCreate(device_id, token);
  const params: ConfigurationParams[] = await resources.devices.paramList(device_id, false);
  await resources.devices.paramSet(device_id, { key: "port", value: "5", sent: false }, params[0]?.id);
  await resources.devices.dataRestore({ deviceID: device_id, file_address: "/backup.csv", notification: true });
  await resources.devices.emptyDeviceData(device_id);
  const { payload_decoder, rpm, bucket } = await resources.devices.info(device_id);
  const decoder: string | null = payload_decoder;
  console.log(created.expire_date, decoder, rpm?.data_input, bucket.name);
  return first;
}
