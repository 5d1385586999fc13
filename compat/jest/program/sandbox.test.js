const { Resources } = require("iotdeck");
const { createSandbox } = require("iotdeck/sandbox");

it("starts a sandbox in a test file", async () => {
  const sandbox = await createSandbox({ port: 0 });
  try {
    const { devices } = new Resources({
      token: sandbox.tokens.profile,
      region: { api: sandbox.url, sse: sandbox.url },
    });
    expect((await devices.list({ amount: 1 })).length).toBe(1);
  } finally {
    await sandbox.close();
  }
});
