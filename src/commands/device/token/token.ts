import type { Command } from "../../kit/command/define.ts";
import { deviceFinder } from "../../kit/finders/device.ts";
import { tokens } from "../../kit/resource/token-commands.ts";
import { tokenColumns } from "../../kit/resource/tokens.ts";
import { withBulk } from "../fleet/bulk-form.ts";
import { bulkTokens } from "../fleet/bulk-tokens.ts";
import { namedDeviceArgument } from "../place.ts";
import { createdColumns, tokenOwner } from "../successor.ts";

const {
  list,
  create: createOne,
  remove,
} = tokens({
  words: ["device", "token"],
  code: tokenOwner.code,
  unit: ["token", "tokens"],
  owner: {
    finder: deviceFinder,
    argument: namedDeviceArgument,
  },
  columns: [
    ...tokenColumns,
    { key: "last_authorization", kind: "time", hidden: true },
    { key: "serie_number", hidden: true },
  ],
  createdColumns,
  route: (device) => ({ path: "/device/token", body: { device } }),
  api: ({ devices }, id) => ({
    list: devices.tokenList.bind(devices, id),
    create: async (wanted) => ({ name: wanted.name, ...(await devices.tokenCreate(id, wanted)) }),
    delete: devices.tokenDelete.bind(devices),
  }),
  list: {
    examples: [
      'iot device token list "name:Freezer 1"',
      'iot device token list "name:Freezer 1" --fields name,permission,expire_time',
    ],
  },
  create: {
    details: "Prints the token once, in full. Without --expire the platform decides how long it is valid.",
    options: [
      {
        name: "serial",
        value: "text",
        summary: "serial number, if the network uses one",
        conflicts: {
          flags: ["tag", "where", "ids"],
          why: "A serial number belongs to one device.",
          next: "Create the tokens of such devices one by one.",
        },
      },
    ],
    examples: [
      'iot device token create "name:Freezer 1" --permission write --expire 30d',
      'iot device token create "name:Freezer 1" --name gateway --expire never',
    ],
    related: ["iot device token rotate", "iot device data send"],
    async add(_ctx, { options: { serial } }) {
      return serial === undefined ? {} : { serie_number: serial };
    },
  },
  delete: {
    examples: [
      'iot device token delete "name:Freezer 1" Default --dry-run',
      'iot device token delete "name:Freezer 1" gateway --yes',
    ],
  },
});

const create = withBulk("device", createOne, bulkTokens(createOne));

export const commands: readonly Command[] = [list, create, remove];
