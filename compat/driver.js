// One peer in a process of its own. Loaded with guard.cjs before it, told its work in COMPAT, reports rows to its parent.
import { createRequire } from "node:module";
import { runAreas } from "./rows.js";

const { peer, areas, target } = JSON.parse(process.env.COMPAT ?? "{}");
process.env.COMPAT_PEER = peer;
const sdk = createRequire(import.meta.url)(peer);

process.on("unhandledRejection", (reason) => process.send?.({ unhandled: String(reason?.message ?? reason) }));

await runAreas(areas, sdk, target, (row) => process.send?.({ row }));
process.exit(0);
