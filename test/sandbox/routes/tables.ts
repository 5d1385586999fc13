import type { RouteCases, World } from "./case.ts";
import * as model from "./models.ts";
import { boolean, either, exactly, id, integer, like, list, object, record, text } from "./shape.ts";

let count = 0;
const unique = (): number => {
  count += 1;
  return count;
};

async function onDictionary(world: World) {
  const slug = `W_${unique()}`;
  const body = { name: "Words", slug, fallback: "en-US" };
  const { dictionary } = await world.send<{ dictionary: string }>("POST", "/dictionary", body);
  await world.send("PUT", `/dictionary/${dictionary}/en-US`, { dictionary: { HELLO: "Hello" }, active: true });
  return { slug, params: { dictionaryID: dictionary, locale: "en-US" } };
}

async function onEntity(world: World) {
  const body = {
    name: `made_${unique()}`,
    schema: { size: { type: "int" } },
    index: { size_idx: { fields: ["size"] } },
  };
  const { id: entityID } = await world.send<{ id: string }>("POST", "/entity", body);
  await world.send("POST", `/entity/${entityID}/data`, [{ size: 1 }]);
  const [row] = await world.send<{ id: string }[]>("GET", `/entity/${entityID}/data`);
  return { row: row?.id ?? "", params: { entityID } };
}

async function onAccess(world: World) {
  const { am_id } = await world.send<{ am_id: string }>("POST", "/am", rule);
  return { params: { accessID: am_id } };
}

const rule = {
  name: "Made here",
  targets: [["run_user", "tag.key", "role", "tag.value", "nobody"]],
  permissions: [{ effect: "allow", action: ["access"], resource: ["device"] }],
};

/** A profile has ten networks at most, so calls that only look share one. */
const shared = new WeakMap<World, ReturnType<typeof onOwnNetwork>>();

function onSharedNetwork(world: World): ReturnType<typeof onOwnNetwork> {
  const made = shared.get(world) ?? onOwnNetwork(world);
  shared.set(world, made);
  return made;
}

async function onNetwork(world: World) {
  const { network } = await world.send<{ network: string }>("POST", "/integration/network/", { name: "Made here" });
  return { params: { networkID: network } };
}

async function onConnector(world: World) {
  const body = { name: "Made here", networks: [] };
  const { connector } = await world.send<{ connector: string }>("POST", "/integration/connector/", body);
  return { params: { connectorID: connector } };
}

/** A network with its token and a device that has a serial number and an authorization. */
async function onOwnNetwork(world: World) {
  const { networkID: network } = (await onNetwork(world)).params;
  const { connector } = await world.send<{ connector: string }>("POST", "/integration/connector/", {
    name: "Over it",
    networks: [network],
  });
  const { token } = await world.send<{ token: string }>("POST", "/integration/network/token", {
    network,
    name: "Own",
    permission: "full",
    expire_time: "never",
  });
  const serial = `5E21A1${unique()}`;
  const device = await world.newDevice({ network, connector, serie_number: serial });
  return { token, network, serial, device };
}

async function onService(world: World) {
  const { token } = await world.send<{ token: string }>("POST", "/serviceauth", { name: "Made", permission: "full" });
  return { params: { token } };
}

async function onCore(world: World) {
  const [core] = await world.send<{ id: string }[]>("GET", "/tcore/instance");
  return { params: { tagoCoreID: core?.id ?? "" } };
}

const SQL_STATEMENT = "SELECT d.id FROM devices() AS d";

async function onSql(world: World) {
  const body = { name: `Made ${unique()}`, query: SQL_STATEMENT, tags: [] };
  const made = await world.send<{ id: string }>("POST", "/sql", body);
  return { params: { sqlID: made.id } };
}

export const tableCases: RouteCases = {
  "dictionary.list": {
    given: async (world) => ({ params: (await onDictionary(world)).params }),
    result: list(object({ id, name: text, slug: text, languages: list(record) })),
  },
  "dictionary.create": {
    given: () => ({ body: { name: "Words", slug: "MADE", fallback: "en-US" } }),
    result: object({ dictionary: id }),
  },
  "dictionary.edit": {
    given: async (world) => ({ ...(await onDictionary(world)), body: { name: "Edited" } }),
    result: exactly("Successfully Updated"),
  },
  "dictionary.delete": { given: onDictionary, result: exactly("Successfully Removed") },
  "dictionary.info": { given: onDictionary, result: model.dictionary },
  "dictionary.languageEdit": {
    given: async (world) => ({ ...(await onDictionary(world)), body: { dictionary: { BYE: "Bye" }, active: true } }),
    result: exactly("Dictionary language Successfully Updated"),
  },
  "dictionary.languageDelete": {
    given: async (world) => {
      const { params } = await onDictionary(world);
      await world.send("PUT", `/dictionary/${params.dictionaryID}/es`, { dictionary: {}, active: true });
      return { params: { ...params, locale: "es" } };
    },
    result: text,
  },
  "dictionary.languageInfo": { given: onDictionary, result: model.texts },
  "dictionary.languageInfoBySlug": {
    given: async (world) => ({
      params: { slug: (await onDictionary(world)).slug, locale: "fr" },
      query: "fallback=true",
    }),
    result: model.texts,
  },
  "dictionaryReader.language": {
    given: async (world) => ({
      params: { dictionary: (await onDictionary(world)).slug, language: "en-US" },
      query: "fallback=true",
    }),
    result: object({ HELLO: exactly("Hello") }),
  },
  "dictionaryReader.runLanguage": {
    as: "nobody",
    given: async (world) => ({
      params: { runURL: world.runUrl, dictionary: (await onDictionary(world)).slug, language: "es" },
    }),
    result: object({ HELLO: exactly("Hello") }),
  },
  "entity.list": { given: onEntity, result: list(object({ id, profile: id, name: text, tags: model.tags })) },
  "entity.create": {
    given: () => ({ body: { name: "made_here", schema: { a: { type: "string" } } } }),
    result: object({ id }),
  },
  "entity.edit": {
    given: async (world) => ({ ...(await onEntity(world)), body: { tags: [{ key: "a", value: "b" }] } }),
    result: object({ message: exactly("Entity Successfully Updated") }),
  },
  "entity.delete": { given: onEntity, result: exactly("Entity Successfully Removed") },
  "entity.info": { given: onEntity, result: model.entity },
  "entity.amount": { given: onEntity, result: integer },
  "entity.getEntityData": {
    given: async (world) => ({ ...(await onEntity(world)), query: "index=size_idx&filter[size]=1&order_by=asc" }),
    result: list(model.entityRow),
  },
  "entity.editEntityData": {
    given: async (world) => {
      const { params, row } = await onEntity(world);
      return { params, body: { id: row, size: 2 } };
    },
    result: exactly("1 item(s) updated"),
  },
  "entity.sendEntityData": {
    given: async (world) => ({ ...(await onEntity(world)), body: [{ size: 2 }, { size: 3 }] }),
    result: exactly("2 Data Added"),
  },
  "entity.deleteEntityData": {
    given: async (world) => {
      const { params, row } = await onEntity(world);
      return { params, body: { ids: [row] } };
    },
    result: exactly("1 item(s) deleted"),
  },
  "entity.editSchemaIndex": {
    given: async (world) => ({
      ...(await onEntity(world)),
      body: { schema: { name: { action: "create", type: "string" } }, index: { size_idx: { action: "delete" } } },
    }),
    result: object({ message: exactly("Entity Successfully Updated") }),
  },
  "entity.emptyEntityData": { given: onEntity, result: exactly("Data Successfully Removed") },
  "access.list": { given: onAccess, result: list(object({ id, name: text, tags: model.tags })) },
  "access.create": { given: () => ({ body: rule }), result: object({ am_id: id }) },
  "access.edit": {
    given: async (world) => ({ ...(await onAccess(world)), body: { name: "Edited" } }),
    result: exactly("Access Management Successfully Updated"),
  },
  "access.delete": { given: onAccess, result: exactly("Access Management Successfully Deleted") },
  "access.info": { given: onAccess, result: model.accessRule },
  "network.list": { result: list(model.named) },
  "network.info": {
    given: async (world) => ({
      params: { networkID: (await onSharedNetwork(world)).network },
      query: "fields[0]=id&fields[1]=name",
    }),
    result: model.network,
  },
  "network.create": { given: () => ({ body: { name: "Made" } }), result: object({ network: id }) },
  "network.edit": {
    given: async (world) => ({
      params: { networkID: (await onSharedNetwork(world)).network },
      body: { description: "edited" },
    }),
    result: exactly("Network Successfully Updated"),
  },
  "network.delete": { given: onNetwork, result: exactly("Successfully Removed") },
  "network.tokenList": {
    given: async (world) => ({ params: { networkID: (await onSharedNetwork(world)).network } }),
    result: list(model.tokenListed),
  },
  "network.tokenCreate": {
    given: async (world) => ({
      body: { network: (await onSharedNetwork(world)).network, name: "Made", permission: "full" },
    }),
    result: object({ token: like(/^n-/), name: text, network: id }),
  },
  "network.tokenDelete": {
    given: async (world) => ({ params: { token: (await onOwnNetwork(world)).token } }),
    result: exactly("Token Successfully Removed"),
  },
  "connector.list": { result: list(model.named) },
  "connector.info": { given: onConnector, result: model.connector },
  "connector.create": { given: () => ({ body: { name: "Made", networks: [] } }), result: object({ connector: id }) },
  "connector.edit": {
    given: async (world) => ({ ...(await onConnector(world)), body: { description: "edited" } }),
    result: exactly("Connector Successfully Updated"),
  },
  "connector.delete": { given: onConnector, result: exactly("Connector Successfully Deleted") },
  "currentNetwork.info": { as: "network", result: model.network },
  "currentNetwork.resolveToken": {
    given: async (world) => {
      const { token, serial } = await onSharedNetwork(world);
      return { token, params: { serieNumber: serial } };
    },
    result: text,
  },
  "currentNetwork.resolveAuthorizedToken": {
    given: async (world) => {
      const { token, serial } = await onSharedNetwork(world);
      return { token, params: { serieNumber: serial, authorization: (await onService(world)).params.token } };
    },
    result: text,
  },
  "currentNetwork.publishToRelay": {
    given: async (world) => {
      const { token, device } = await onSharedNetwork(world);
      return { token, body: { topic: "t", message: "m", qos: 0, retain: false, device: device.id } };
    },
    result: text,
  },
  "currentNetwork.deviceList": {
    given: async (world) => {
      const { token, network } = await onSharedNetwork(world);
      return { token, params: { connectorID: network } };
    },
    result: list(object({ id, name: text, token: text })),
  },
  "currentNetwork.deviceParamSet": {
    given: async (world) => {
      const { token, device } = await onSharedNetwork(world);
      return { token, params: { deviceID: device.id }, body: { key: "k", value: "v", sent: true } };
    },
    result: exactly("Device Configuration Parameter Updated"),
  },
  "serviceAuthorization.tokenList": { given: onService, result: list(model.tokenListed) },
  "serviceAuthorization.tokenCreate": {
    given: () => ({ body: { name: "Made", permission: "full" } }),
    result: object({ token: like(/^at[0-9a-f]{32}$/), name: text, profile: id }),
  },
  "serviceAuthorization.tokenDelete": { given: onService, result: exactly("Token Successfully Removed") },
  "serviceAuthorization.tokenEdit": {
    given: async (world) => ({ ...(await onService(world)), body: { verification_code: "code" } }),
    result: exactly("Authorization Code Successfully Updated"),
  },
  "tagocore.list": { result: list(model.named) },
  "tagocore.info": {
    given: async (world) => ({ ...(await onCore(world)), query: "summary=true" }),
    result: model.tcore,
  },
  "tagocore.edit": {
    given: async (world) => ({ ...(await onCore(world)), body: { name: "Edited" } }),
    result: text,
  },
  "tagocore.tokenGenerate": { given: onCore, result: either(text, object({ token: text })) },
  "tagocore.delete": {
    given: async (world) => {
      const cores = await world.send<{ id: string }[]>("GET", "/tcore/instance");
      return { params: { tagoCoreID: cores.at(-1)?.id ?? "" } };
    },
    result: text,
  },
  "sql.list": { given: onSql, result: list(model.named) },
  "sql.create": { given: () => ({ body: { name: "Made", query: SQL_STATEMENT, tags: [] } }), result: object({ id }) },
  "sql.info": { given: onSql, result: object({ id, name: text }) },
  "sql.edit": {
    given: async (world) => ({ ...(await onSql(world)), body: { name: "Edited", query: SQL_STATEMENT } }),
    result: record,
  },
  "sql.delete": { given: onSql, result: either(text, record) },
  "sql.getVersion": {
    given: async (world) => {
      const { params } = await onSql(world);
      return { params: { ...params, version: "1" } };
    },
    result: record,
  },
  "sql.execute": {
    given: async (world) => ({ ...(await onSql(world)), body: {} }),
    result: (value, at) => (value == null ? [`${at} is missing`] : []),
  },
  "sql.tables": {
    result: (value, at) => (Array.isArray(value) || typeof value === "object" ? [] : [`${at} is no list`]),
  },
  "authorization.info": { result: model.tokenInfo },
  "plan.getActivePlan": { result: object({ plan: text }) },
  "plan.getCurrentPrices": { result: model.prices },
  "plan.setPlanParameters": { given: () => ({ body: { plan: "scale" } }), result: text },
  "paymentHistory.getHistory": { result: list(model.payment) },
  "paymentMethod.create": { given: () => ({ body: { token: "tok" } }), result: text },
  "paymentMethod.list": { result: either(model.paymentMethod, list(record, 0)) },
  "paymentMethod.delete": { given: () => ({ body: { id: "pm" } }), result: text },
  "billing.getSubscription": { result: model.subscription },
  "billing.getSubscriptionSchedule": {
    given: async (world) => {
      await world.send("POST", "/account/subscription", { plan: "starter" });
      return {};
    },
    result: object({ account: id, release_at: (value, at) => (value === undefined ? [`${at} is missing`] : []) }),
  },
  "billing.getPrices": { result: model.prices },
  "billing.getProratedPrices": { result: model.prices },
  "billing.getPaymentMethod": { result: model.paymentMethod },
  "billing.getBillingInformation": { result: model.billingInformation },
  "billing.getAllocation": { result: list(model.allocation) },
  "billing.getSubscriptionSummary": {
    result: object({ processing: boolean, past_due: boolean, not_enough_balance: boolean, schedule: boolean }),
  },
  "billing.editSubscription": { given: () => ({ body: { plan: "starter" } }), result: text },
  "billing.editPaymentMethod": { given: () => ({ body: { token: "tok" } }), result: text },
  "billing.removePaymentMethod": { result: text },
  "billing.editBillingInformation": { given: () => ({ body: { company: "Ltd", country: "IT" } }), result: text },
  "billing.editAllocation": {
    given: async (world) => ({ body: await world.send("GET", "/account/allocation") }),
    result: text,
  },
  "billing.getPaymentHistory": { given: () => ({ query: "amount=10" }), result: list(model.payment) },
  "billing.checkDiscountCoupon": { given: () => ({ params: { code: "DEMO20" } }), result: model.coupon },
  "billing.cancelDowngrade": {
    given: async (world) => {
      await world.send("POST", "/account/subscription", { plan: "starter" });
      return {};
    },
    result: text,
  },
  "billing.retryLastPayment": { result: text },
  "billing.cancelLastOperation": { result: text },
};
