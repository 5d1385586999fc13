// A sandbox for the programs in this folder.

/** @param {typeof import("../../dist/sandbox.js")} sandboxModule */
export async function openPlace({ createSandbox }) {
  const sandbox = await createSandbox({ seed: "demo", ephemeral: true });
  const { url, eventsUrl, tokens } = sandbox;
  return { sandbox, place: { url, eventsUrl, token: tokens.profile, deviceToken: tokens.device } };
}
