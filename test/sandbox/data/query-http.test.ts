import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSandbox, manualClock, type Sandbox } from "../../../src/sandbox/index.ts";
import { newDevice, ok } from "../client.ts";
import { answer, type ModelRow } from "./naive-model.ts";
import { body, encode, query, type Row, row, toModel, toQueryString } from "./query-arbitraries.ts";
import { NOW_MS } from "./store-helper.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox({ seed: "empty", clock: manualClock(NOW_MS) });
});
afterAll(() => sandbox.close());

/** What the model holds after rows were sent. Ids and groups are read back: only the server knows them. */
async function send(token: string, rows: readonly Row[]): Promise<ModelRow[]> {
  await ok(sandbox, "POST", "/data", { token, body: rows.map(body) });
  const stored = await ok<{ id: string; group: string }[]>(sandbox, "GET", "/data?qty=10000&ordination=ascending", {
    token,
  });
  const inOrder = rows.map((drawn, arrival) => ({ drawn, arrival }));
  inOrder.sort((a, b) => a.drawn.timeMs - b.drawn.timeMs || a.arrival - b.arrival);
  return inOrder.map(({ drawn, arrival }, index) => {
    const { variable, value, unit, location, timeMs } = drawn;
    return {
      id: stored[index]?.id ?? "",
      variable: variable.toLowerCase(),
      ...(value !== undefined && { value }),
      ...(unit !== undefined && { unit }),
      group: stored[index]?.group ?? "",
      ...(location !== undefined && { location: [location.lng, location.lat] as [number, number] }),
      timeMs,
      createdMs: NOW_MS,
      arrival,
    };
  });
}

describe("every query over HTTP", () => {
  async function expectAnswers(numRuns: number): Promise<void> {
    const queries = fc.array(query, { minLength: 40, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), queries, async (sent, drawn) => {
        const { device_id: id, token } = await newDevice(sandbox);
        const held = await send(token, sent);
        for (const one of drawn) {
          const asked = toModel(one, held);
          const search = toQueryString(encode(asked, one), one.form);
          const isOwn = one.form % 2 === 0;
          const response = await fetch(`${sandbox.url}${isOwn ? "/data" : `/device/${id}/data`}?${search}`, {
            headers: { token: isOwn ? token : sandbox.tokens.profile },
          });
          const expected = { status: true, result: answer(id, held, asked, NOW_MS) };
          expect(await response.json(), search).toEqual(expected);
        }
      }),
      // Of 40 queries each.
      { numRuns, seed: 20_260_515 },
    );
  }

  it("answers as a list that is searched with loops", { tags: ["slow"] }, () => expectAnswers(6));

  it(
    "answers so two thousand times, by the device's token and the profile's, in every encoding",
    {
      tags: ["slow"],
    },
    () => expectAnswers(50),
  );
});
