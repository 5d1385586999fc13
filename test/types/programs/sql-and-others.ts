// What only the newest releases have: stored queries, snippets and core instances.
import type { Resources, SQLCreateInfo, SQLExecuteResult, SQLTablesResult } from "iotdeck";

const stored: SQLCreateInfo = {
  name: "Levels",
  query: "SELECT t.value FROM device('d1') AS t",
  params: [{ key: "$1", value: "5" }],
  cache_enabled: true,
};

export async function run(resources: Resources): Promise<number> {
  const { id, session_context, version } = await resources.sql.create(stored);
  const result: SQLExecuteResult = await resources.sql.execute(id, { params: [{ key: "$1", value: "6" }], test: true });
  const tables: SQLTablesResult = await resources.sql.tables({ filter: "device", amount: 5 });
  console.log(session_context, version, result.served_from_cache, tables.functions[0]?.kind);
  const { snippets } = await resources.analysis.listSnippets("deno-rt2025");
  const token: string = await resources.tagocores.tokenGenerate("c1");
  const cores = await resources.tagocores.list({ fields: ["id", "name", "computer_usage"] });
  const network = await resources.integration.networks.info("n1", ["id", "name"] as string[]);
  console.log(snippets.length, token, cores.length, network.name, network.middleware_endpoint);
  await resources.integration.networks.create({ description: "No name" });
  await resources.analysis.edit("a1", { variables: { key: "a", value: "b" } });
  return result.row_count;
}
