const { createSandbox } = require("iotdeck/sandbox");

module.exports = async () => {
  const sandbox = await createSandbox({ ephemeral: true });
  globalThis.sandbox = sandbox;
  process.env.SANDBOX = JSON.stringify({
    region: { api: sandbox.url, sse: sandbox.eventsUrl },
    token: sandbox.tokens.profile,
  });
};
