import { expect, it } from "vitest";
import { SILENCE_MS } from "../../../src/sandbox/tip/rates.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import { serial, subscriber, tcp, tipSandbox } from "../../helpers/tip-sandbox.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const LIFE_MS = 10_000;

it("end after 10 s, or 15 s in the highest plan, whatever happens on the connection", async () => {
  const timers = holdTimers(LIFE_MS);
  const here = await tipSandbox({ tip: true, plan: "free" });
  const line = tcp(here.tip.tcp);
  line.socket.write(`PING|${here.tip.hash}|${serial}\n`);
  await line.lines(1);
  timers.elapse();
  await line.closed();
  expect(line.received().toString()).toBe("ACK|PONG\nACK|ERR|ttl_expired\n");
  await here.sandbox.close();
});

it("end after 5 s of silence, and a frame ends a silence", { tags: ["slow"] }, async () => {
  const timers = holdTimers(SILENCE_MS);
  const here = await tipSandbox({ tip: true });
  const line = tcp(here.tip.tcp);
  line.socket.write(`PING|${here.tip.hash}|${serial}\n`);
  await line.lines(1);
  expect(timers.waiting).toBe(1);
  timers.elapse();
  await line.closed();
  expect(line.received().toString()).toBe("ACK|PONG\nACK|ERR|keep_alive_timeout\n");
  await here.sandbox.close();
});

it("end over MQTT with a reason that MQTT 5 has", { tags: ["slow"] }, async () => {
  const timers = holdTimers(LIFE_MS);
  const here = await tipSandbox({ tip: true, plan: "starter" });
  const { client } = await subscriber(here, [`$tip/${serial}/ack`], { protocolVersion: 5, keepalive: 2 });
  let reason: number | undefined;
  let isClosed = false;
  client.on("disconnect", ({ reasonCode }) => {
    reason = reasonCode;
  });
  client.on("close", () => {
    isClosed = true;
  });
  timers.elapse();
  await waitFor(() => isClosed, "the end of the connection");
  expect(reason).toBe(0xa0);
  await here.sandbox.close();
});
