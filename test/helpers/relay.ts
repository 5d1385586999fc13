import { type SeenRequest, type SmallServer, smallServer } from "./small-server.ts";

interface Reply {
  readonly status: number;
  readonly body: string;
}

/**
 * A server that passes every request on to another one, for what happens between two requests of a command.
 *
 * @param change answers in the place of the other server, where it resolves to a reply
 */
export function relay(
  target: string,
  change: (request: SeenRequest, pass: () => Promise<Reply>) => Promise<Reply | undefined>,
): Promise<SmallServer> {
  const pass = async ({ method, url, headers, body }: SeenRequest): Promise<Reply> => {
    const { host: _, connection: __, "content-length": ___, "accept-encoding": ____, ...sent } = headers;
    const reply = await fetch(`${target}${url}`, {
      method,
      headers: Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, String(value)])),
      ...(body === "" ? {} : { body }),
    });
    return { status: reply.status, body: await reply.text() };
  };
  return smallServer((request, response) => {
    const once = () => pass(request);
    change(request, once)
      .then(async (reply) => reply ?? once())
      .then(
        ({ status, body }) => {
          response.writeHead(status, { "content-type": "application/json" });
          response.end(body);
        },
        () => response.destroy(),
      );
  });
}
