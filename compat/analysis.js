// An external analysis in a process of its own, as users write them; tells its parent what it was given.
import { createRequire } from "node:module";

const { Analysis, Resources } = createRequire(import.meta.url)(process.argv[2]);
const { COMPAT_ANALYSIS_TOKEN: token, COMPAT_DEVICE: device } = process.env;

async function seen(context, scope) {
  const { environment, analysis_id } = context;
  process.send?.({ scope, environment, analysis_id });
  context.log("saw", scope?.[0]?.variable);
  const resources = new Resources({ token });
  await resources.devices.sendDeviceData(device, { variable: "from_analysis", value: scope?.length ?? 0 });
}

Analysis.use(seen, { token });
process.on("disconnect", () => process.exit(0));
