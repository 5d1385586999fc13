import type { Command } from "../kit/command/define.ts";
import { networkFinder } from "../kit/finders/network.ts";
import { tokens } from "../kit/resource/token-commands.ts";
import { tokenColumns } from "../kit/resource/tokens.ts";

const { list, create, remove } = tokens({
  words: ["network", "token"],
  code: "network.token_not_found",
  unit: ["token", "tokens"],
  owner: { finder: networkFinder, argument: { name: "id", summary: "network: full id, or a unique name:…" } },
  columns: [...tokenColumns, { key: "serie_number", hidden: true }],
  createdColumns: [{ key: "token", kind: "id" }, { key: "name" }, { key: "network", kind: "id" }],
  route: (network) => ({ path: "/integration/network/token", body: { network } }),
  api: ({ integration: { networks } }, id) => ({
    list: networks.tokenList.bind(networks, id),
    create: networks.tokenCreate.bind(networks, id),
    delete: networks.tokenDelete.bind(networks),
  }),
  list: {
    examples: [
      'iot network token list "name:Plant gateway"',
      'iot network token list "name:Plant gateway" --fields name,permission,expire_time',
    ],
  },
  create: {
    details: "Prints the token once, in full. The servers of the network authenticate with it.",
    examples: [
      'iot network token create "name:Plant gateway" --name server --expire never',
      'iot network token create "name:Plant gateway" --permission write --expire 30d',
    ],
    related: ["iot network resolve"],
  },
  delete: {
    examples: [
      'iot network token delete "name:Plant gateway" "Demo network" --dry-run',
      'iot network token rm "name:Plant gateway" "Demo network" --dry-run --json',
    ],
  },
});

export const commands: readonly Command[] = [list, create, remove];
