// A sandbox for the programs in this folder.

/**
 * @param {typeof import("../../dist/sandbox.js")} sandboxModule
 * @param {readonly string[]} allowOrigins origins of the web pages that use it
 */
export async function openPlace({ createSandbox }, allowOrigins = []) {
  const sandbox = await createSandbox({ seed: "demo", ephemeral: true, allowOrigins });
  const { url, eventsUrl, tokens } = sandbox;
  return { sandbox, place: { url, eventsUrl, token: tokens.profile, deviceToken: tokens.device } };
}
