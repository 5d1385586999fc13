import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  type CounterStore,
  deriveKey,
  parseFrame,
  TipClient,
  type TipClientOptions,
  type TipError,
  type TipOver,
} from "../../../src/lib/tip/index.ts";
import { type Certificate, selfSignedCertificate } from "../../../src/sandbox/http/certificate.ts";
import { holdTimers } from "../../helpers/held-timers.ts";
import {
  answerOn,
  hash,
  httpServer,
  mqttBroker,
  serial,
  TipService,
  tcpServer,
  token,
  udpServer,
  withLength,
} from "../../helpers/tip-servers.ts";
import { waitFor } from "../../helpers/wait-for.ts";

const key = deriveKey(token, serial);

/** Counts in memory. */
function counter(first = 0): CounterStore & { readonly taken: number } {
  let next = first;
  return {
    async next() {
      next += 1;
      return next - 1;
    },
    get taken() {
      return next - first;
    },
  };
}

function clientOf(options: Partial<TipClientOptions> & { readonly over: TipOver; readonly port: number }): TipClient {
  const client = new TipClient({ host: "127.0.0.1", hash, serial, ...options });
  onTestFinished(() => client.close());
  return client;
}

const sealed = () => ({ secure: { key, counter: counter() } });

const failureOf = (promise: Promise<unknown>): Promise<TipError> =>
  promise.then(
    (value) => {
      throw new Error(`It resolved to ${JSON.stringify(value)}`);
    },
    (error: TipError) => error,
  );

/** The port of a server for a transport. */
async function serve(over: TipOver, service: TipService, isSealed: boolean): Promise<number> {
  const own = isSealed ? key : undefined;
  if (over === "http") return httpServer(service, own);
  if (over === "mqtt") return (await mqttBroker(service, own)).port;
  if (over === "tcp") return tcpServer((socket) => answerOn(socket, service, own));
  return udpServer((message) => [
    own === undefined ? service.answerLine(message) : service.answerEnvelope(message, own),
  ]);
}

const ways = (["udp", "tcp", "http", "mqtt"] as const).flatMap((over) =>
  [false, true].map((isSealed) => [over, isSealed ? "in envelopes" : "in the clear", isSealed] as const),
);

describe.each(ways)("a device over %s, %s", (over, _, isSealed) => {
  const connect = async (service: TipService) =>
    clientOf({ over, port: await serve(over, service, isSealed), ...(isSealed ? sealed() : {}) });

  it("stores data and reads it back", async () => {
    const service = new TipService();
    const client = await connect(service);
    const variables = [
      { variable: "temperature", value: -18.5, unit: "C" },
      { variable: "note", value: "a|b;c\nü" },
    ];
    expect(await client.push(variables, { group: "g1" })).toBe(2);
    expect(await client.pull(["note", "temperature"])).toEqual([
      { variable: "note", type: "string", value: "a|b;c\nü" },
      { variable: "temperature", type: "number", value: -18.5, unit: "C" },
    ]);
    expect(service.requests[0]).toMatchObject({ serial, auth: hash, body: { group: "g1" } });
    expect(await client.pushRaw(Uint8Array.of(0, 255))).toBe(0);
    expect(service.requests[2]).toMatchObject({ body: { kind: "hex", data: "00ff" } });
  });

  it("throws the codes of the server", async () => {
    const client = await connect(new TipService());
    expect(await failureOf(client.pull(["nothing"]))).toMatchObject({ name: "TipError", code: "variable_not_found" });
  });

  it("takes a command that waits", async () => {
    const service = new TipService();
    const client = await connect(service);
    if (over === "mqtt") {
      expect(await client.ping()).toEqual({});
      return;
    }
    service.waiting.push("valve=40 é");
    expect(await client.ping()).toEqual({ command: "valve=40 é" });
    expect(await client.ping()).toEqual({});
  });
});

describe("a request", () => {
  it("is sent to the hosts and ports of the platform, with TLS where there is some", () => {
    const wrong = (options: object) => () =>
      new TipClient({ over: "udp", hash, serial, ...options } as TipClientOptions);
    for (const options of [
      { over: "smoke" },
      { serial: "a.b" },
      { hash: "xyz" },
      { hash: undefined },
      { tls: true },
      { region: "mars" },
      { port: 70_000 },
      { timeoutMs: -1 },
      { retries: 0.5 },
      { secure: true },
      { secure: { key } },
      { secure: { key: key.subarray(1), counter: counter() } },
      { over: "http", sequence: counter() },
    ])
      expect(wrong(options), JSON.stringify(options)).toThrow(expect.objectContaining({ code: "invalid_input" }));
  });

  it("is rejected before it is sent when it cannot be sent, and takes no counter", async () => {
    const sequence = counter();
    const client = clientOf({ over: "udp", port: 9, sequence });
    const failure = await failureOf(client.push([{ variable: "Temp", value: 1 }]));
    expect([failure.code, sequence.taken]).toEqual(["invalid_input", 0]);
  });

  it("has a key that is derived from the authorization", async () => {
    const service = new TipService();
    const port = await serve("udp", service, true);
    const client = clientOf({ over: "udp", port, authorization: token, secure: true, sequence: counter(5) });
    expect(await client.push([{ variable: "a", value: 1 }])).toBe(1);
    expect(service.requests[0]).toMatchObject({ seq: 5, auth: hash });
  });

  it("is repeated after rate_limited, with longer and longer waits, and not after invalid_token", async () => {
    const service = new TipService();
    const port = await serve("udp", service, false);
    const client = clientOf({ over: "udp", port });
    const timers = holdTimers(1_000);
    service.instead.push({ status: "ERR", detail: "rate_limited" });
    const pushed = client.push([{ variable: "a", value: 1 }]);
    await waitFor(() => timers.waiting === 1, "the wait");
    expect(service.requests).toHaveLength(1);
    timers.elapse();
    expect(await pushed).toBe(1);
    expect(service.requests).toHaveLength(2);

    service.instead.push({ status: "ERR", detail: "invalid_token" });
    expect(await failureOf(client.ping())).toMatchObject({ code: "invalid_token" });
    expect(service.requests).toHaveLength(3);
  });

  it("fails at once where no server is", async () => {
    const port = await tcpServer((socket) => socket.destroy());
    for (const over of ["udp", "tcp", "http"] as const) {
      // Nothing listens on the port of the same number for datagrams; the others close each connection.
      const client = clientOf({ over, port, retries: 0 });
      expect(await failureOf(client.push([{ variable: "a", value: 1 }])), over).toMatchObject({
        code: "connection_failed",
      });
    }
  });

  const serveTls = {
    tcp: (service: TipService, tls: Certificate) => tcpServer((socket) => answerOn(socket, service), tls),
    http: (service: TipService, tls: Certificate) => httpServer(service, undefined, tls),
    mqtt: async (service: TipService, tls: Certificate) => (await mqttBroker(service, undefined, tls)).port,
  };

  /** A PUSH to a server with a certificate of its own, with and without trust in it. */
  async function expectTrust(over: keyof typeof serveTls): Promise<void> {
    const tls = selfSignedCertificate();
    const service = new TipService();
    const options = { over, port: await serveTls[over](service, tls), tls: true, retries: 0 };
    expect(await clientOf({ ...options, ca: tls.cert }).push([{ variable: "a", value: 1 }])).toBe(1);
    const failure = await failureOf(clientOf(options).push([{ variable: "a", value: 1 }]));
    expect(failure).toMatchObject({ code: "connection_failed", mayHaveArrived: false });
    expect(service.stored).toHaveLength(1);
  }

  it("goes over TLS to a server whose certificate is trusted", () => expectTrust("tcp"));

  it.each(["http", "mqtt"] as const)("goes over TLS with %s", { tags: ["slow"] }, expectTrust);

  it("over MQTT to a broker that says nothing fails in time", async () => {
    const port = await tcpServer(() => undefined);
    const client = clientOf({ over: "mqtt", port, timeoutMs: 30, retries: 0 });
    expect(await failureOf(client.push([{ variable: "a", value: 1 }]))).toMatchObject({ code: "connection_failed" });
  });

  it("over MQTT with another authorization is rejected", async () => {
    const { port } = await mqttBroker(new TipService());
    const client = clientOf({ over: "mqtt", port, hash: "0000000000000000" });
    expect(await failureOf(client.push([{ variable: "a", value: 1 }]))).toMatchObject({ code: "invalid_token" });
  });

  it("fails when the client is closed", async () => {
    const client = clientOf({ over: "udp", port: await udpServer(() => []) });
    const pushed = failureOf(client.push([{ variable: "a", value: 1 }]));
    await client.close();
    expect((await pushed).code).toMatch(/invalid_input|connection_failed/);
    expect(await failureOf(client.ping())).toMatchObject({ code: "invalid_input" });
  });
});

describe("datagrams that are lost", () => {
  /** Loses requests and responses in turn, so that each third attempt arrives both ways. */
  function lossy(service: TipService) {
    return udpServer((message, number) => {
      if (number % 3 === 0) return [];
      const response = service.answerLine(message);
      return number % 3 === 1 ? [] : [response];
    });
  }

  it("are sent again with their counter, and stored once", async () => {
    const service = new TipService();
    const client = clientOf({
      over: "udp",
      port: await lossy(service),
      sequence: counter(),
      timeoutMs: 30,
      retries: 50,
    });
    const values = Array.from({ length: 6 }, (_, index) => index);
    const counts = await Promise.all(values.map((value) => client.push([{ variable: "a", value }])));
    expect(counts).toEqual(values.map(() => 1));
    expect(service.stored.map(({ value }) => value)).toEqual(values);
  });

  it("are sent once without a counter: the data may have been stored", async () => {
    const service = new TipService();
    const port = await udpServer((message) => {
      service.answerLine(message);
      return [];
    });
    const client = clientOf({ over: "udp", port, timeoutMs: 30 });
    const failure = await failureOf(client.push([{ variable: "a", value: 1 }]));
    expect(failure).toMatchObject({ code: "no_response", mayHaveArrived: true });
    expect(service.requests).toHaveLength(1);
  });

  it("are sent again if they only ask, with a counter of their own each", async () => {
    const service = new TipService();
    service.stored.push({ variable: "a", type: "number", value: 1 });
    const client = clientOf({
      over: "udp",
      port: await lossy(service),
      sequence: counter(),
      timeoutMs: 30,
      retries: 50,
    });
    expect(await client.pull(["a"])).toHaveLength(1);
    expect(await client.ping()).toEqual({});
    const counters = service.requests.map(({ seq }) => seq ?? -1);
    expect(counters).toEqual([...new Set(counters)].sort((a, b) => a - b));
  });

  it("do not lend their late response to the next request", async () => {
    let first: Buffer | undefined;
    const port = await udpServer((message, number) => {
      if (number === 0) first = message;
      // The response to the first request, late, then that of the second one: each on its own address.
      return number === 0 ? [] : ["ACK|OK|2"];
    });
    const client = clientOf({ over: "udp", port, timeoutMs: 30 });
    expect((await failureOf(client.push([{ variable: "a", value: 1 }]))).code).toBe("no_response");
    expect(await client.push([{ variable: "a", value: 1 }])).toBe(2);
    expect(first).toBeDefined();
  });

  it("do not take what is no response for one", async () => {
    const port = await udpServer((message) => {
      const { seq = 0 } = parseFrame(message);
      return ["nonsense", "ACK|PONG", `ACK|!${seq + 1}|OK|9`, `ACK|!${seq}|OK|1`];
    });
    const client = clientOf({ over: "udp", port, sequence: counter() });
    expect(await client.push([{ variable: "a", value: 1 }])).toBe(1);
  });
});

describe("a sealed request", () => {
  it("believes plain responses only if they are errors, and none that says it had arrived", async () => {
    const service = new TipService();
    const replies = (message: Buffer): readonly (string | Uint8Array)[] => [
      "ACK|OK|9",
      "ACK|ERR|invalid_seq",
      service.seal({ status: "OK", count: 9 }, deriveKey(token, "other")),
      service.answerEnvelope(message, key),
    ];
    const client = clientOf({ over: "udp", port: await udpServer(replies), ...sealed() });
    expect(await client.push([{ variable: "a", value: 1 }])).toBe(1);

    const rejecting = clientOf({ over: "udp", port: await udpServer(() => ["ACK|ERR|auth_failed"]), ...sealed() });
    expect(await failureOf(rejecting.push([{ variable: "a", value: 1 }]))).toMatchObject({ code: "auth_failed" });
  });

  it("is repeated as it was, with its counter", async () => {
    const service = new TipService();
    const seen: string[] = [];
    const port = await udpServer((message, number) => {
      seen.push(message.toString("hex"));
      const response = service.answerEnvelope(message, key);
      return number === 0 ? [] : [response];
    });
    const client = clientOf({ over: "udp", port, timeoutMs: 30, retries: 20, ...sealed() });
    expect(await client.push([{ variable: "a", value: 1 }])).toBe(1);
    expect(service.stored).toHaveLength(1);
    expect(new Set(seen).size).toBe(1);
  });
});

describe("a stream", () => {
  it("is read wherever it is cut, in the clear and in envelopes", async () => {
    const service = new TipService();
    const parts = {
      text: Buffer.from("ACK|OK|12\n"),
      sealed: withLength(service.seal({ status: "OK", count: 12 }, key)),
    };
    for (const [kind, whole] of Object.entries(parts)) {
      let cut = 0;
      const port = await tcpServer((socket) => {
        socket.setNoDelay(true);
        socket.on("data", () => {
          cut += 1;
          socket.write(whole.subarray(0, cut), () => setImmediate(() => socket.write(whole.subarray(cut))));
        });
      });
      const client = clientOf({ over: "tcp", port, ...(kind === "sealed" ? sealed() : {}) });
      for (let at = 1; at < whole.length; at += 1)
        expect(await client.push([{ variable: "a", value: 1 }]), `${at}`).toBe(12);
    }
  });

  it("has 100 requests in flight, and 100 responses in one write", async () => {
    const service = new TipService();
    const lines: string[] = [];
    const port = await tcpServer((socket) => {
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        const whole = text.split("\n").slice(0, -1);
        text = text.slice(whole.join("\n").length + (whole.length > 0 ? 1 : 0));
        lines.push(...whole.map((line) => service.answerLine(line)));
        if (lines.length === 100) socket.write(`${lines.join("\n")}\n`);
      });
    });
    const client = clientOf({ over: "tcp", port });
    const variables = (length: number) => Array.from({ length }, () => ({ variable: "a", value: 1 }));
    const sizes = Array.from({ length: 100 }, (_, index) => index + 1);
    expect(await Promise.all(sizes.map((size) => client.push(variables(size))))).toEqual(sizes);
  });

  it("is opened again when the server has ended it", async () => {
    const service = new TipService();
    let connections = 0;
    const port = await tcpServer((socket) => {
      connections += 1;
      socket.once("data", (line) => socket.end(`${service.answerLine(line)}\nACK|ERR|ttl_expired\n`));
    });
    const client = clientOf({ over: "tcp", port });
    for (let round = 1; round <= 3; round += 1) {
      expect(await client.push([{ variable: "a", value: round }])).toBe(1);
      await waitFor(() => connections === round, "the connection");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(service.stored).toHaveLength(3);
  });

  it("that ends with a request in flight leaves a PUSH without a counter undecided, and repeats one with a counter", async () => {
    const service = new TipService();
    let isFirst = true;
    const port = await tcpServer((socket) => {
      if (!isFirst) answerOn(socket, service);
      else
        socket.once("data", (line) => {
          service.answerLine(line);
          socket.end("ACK|ERR|ttl_expired\n");
        });
      isFirst = false;
    });
    const client = clientOf({ over: "tcp", port });
    expect(await failureOf(client.push([{ variable: "a", value: 1 }]))).toMatchObject({
      code: "connection_failed",
      mayHaveArrived: true,
    });
    isFirst = true;
    const numbered = clientOf({ over: "tcp", port, sequence: counter() });
    expect(await numbered.push([{ variable: "b", value: 1 }])).toBe(1);
    expect(service.stored.map(({ variable }) => variable)).toEqual(["a", "b"]);
  });

  it("does not grow without an end", async () => {
    const port = await tcpServer((socket) => socket.on("data", () => socket.write("x".repeat(70_000))));
    const client = clientOf({ over: "tcp", port });
    expect(await failureOf(client.push([{ variable: "a", value: 1 }]))).toMatchObject({ code: "connection_failed" });
  });
});

describe("commands", () => {
  it("come over TCP on one connection after the other, until the loop is left", async () => {
    const service = new TipService();
    let connections = 0;
    const port = await tcpServer((socket) => {
      connections += 1;
      const own = connections;
      socket.once("data", (line) => socket.end(`${service.answerLine(line)}\nACK|CMD|command ${own}\n`));
    });
    const client = clientOf({ over: "tcp", port });
    const commands: string[] = [];
    for await (const command of client.commands()) {
      commands.push(command);
      if (commands.length === 3) break;
    }
    expect(commands).toEqual(["command 1", "command 2", "command 3"]);
  });

  it("come over MQTT, also after the connection was lost, until the signal", async () => {
    const broker = await mqttBroker(new TipService());
    const client = clientOf({ over: "mqtt", port: broker.port });
    const controller = new AbortController();
    const commands: string[] = [];
    const loop = (async () => {
      for await (const command of client.commands({ signal: controller.signal })) commands.push(command);
    })();
    const say = (text: string) =>
      waitFor(() => {
        broker.publish(`CMD|${text}`);
        return commands.includes(text);
      }, text);
    await say("one");
    broker.hangUp();
    await say("two");
    expect(broker.connections).toBe(2);
    controller.abort();
    await loop;
  });

  it("that came while nobody waited are returned by ping", async () => {
    const service = new TipService();
    const port = await tcpServer((socket) => {
      socket.write("ACK|CMD|early\n");
      answerOn(socket, service);
    });
    const client = clientOf({ over: "tcp", port });
    await client.push([{ variable: "a", value: 1 }]);
    await vi.waitFor(async () => expect(await client.ping()).toEqual({ command: "early" }), { timeout: 90_000 });
  });

  it("are asked for over UDP and HTTP, and end with an error of the server that does not pass", async () => {
    for (const over of ["udp", "http"] as const)
      expect(() => clientOf({ over, port: 9 }).commands()).toThrow(expect.objectContaining({ code: "invalid_input" }));
    const service = new TipService();
    const port = await serve("tcp", service, false);
    const client = clientOf({ over: "tcp", port, hash: "0000000000000000" });
    const first = client.commands()[Symbol.asyncIterator]().next();
    expect(await failureOf(first)).toMatchObject({ code: "invalid_token" });
  });
});
