import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { DataDevice } from "../../../src/sandbox/data/types.ts";
import { amount } from "../../helpers/amount.ts";
import { answer, type ModelRow, rowsOf, shown } from "./naive-model.ts";
import { body, encode, moment, query, type Row, row, toModel } from "./query-arbitraries.ts";
import { NOW_MS, openStore } from "./store-helper.ts";

const SEED = 20_260_514;
/** Thousands of runs keep a busy machine longer than the usual limit. */
const PATIENCE_MS = 120_000;

const store = openStore();
afterAll(() => store.close());

let devices = 0;
function nextDevice(type: DataDevice["type"] = "mutable"): DataDevice {
  devices += 1;
  const id = devices.toString(16).padStart(24, "0");
  if (type === "mutable") return { id, type };
  return { id, type, chunkPeriod: "month", chunkRetention: 36, mutableVariableRegex: "^(humidity|v_)" };
}

/** Rows in chunks have times from the start of the oldest to the end of tomorrow. */
const CHUNKS_FROM_MS = Date.parse("2023-05-01T00:00:00Z");
const CHUNKS_TO_MS = Date.parse("2026-05-15T23:59:59.999Z");

function inChunks(rows: readonly Row[]): Row[] {
  const isInside = ({ timeMs }: Row): boolean => timeMs >= CHUNKS_FROM_MS && timeMs <= CHUNKS_TO_MS;
  return rows.map((drawn) => (isInside(drawn) ? drawn : { ...drawn, timeMs: NOW_MS }));
}

/** Sends rows in requests at different moments; answers what the model should hold. */
function fill(device: DataDevice, requests: readonly (readonly Row[])[]): ModelRow[] {
  const held: ModelRow[] = [];
  requests.forEach((rows, index) => {
    // The clock also goes back, as clocks do: insertion order is by created_at.
    store.clock.set(NOW_MS + (index % 2 === 0 ? index : -index) * 1000);
    const stored = store.write(device, rows.map(body));
    stored.forEach((wire, at) => {
      const { variable, value: sent, unit, location, timeMs } = rows[at] as Row;
      held.push({
        id: wire.id,
        variable: variable.toLowerCase(),
        ...(sent !== undefined && { value: sent }),
        ...(unit !== undefined && { unit }),
        group: wire.group,
        ...(location !== undefined && { location: [location.lng, location.lat] }),
        timeMs,
        createdMs: store.clock.now(),
        arrival: held.length,
      });
    });
  });
  store.clock.set(NOW_MS);
  return held;
}

describe("every query against a list that is searched with loops", () => {
  it("answers the same rows, numbers and intervals", { tags: ["slow"], timeout: PATIENCE_MS }, () => {
    const requests = fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 4 });
    const queries = fc.array(query, { minLength: 12, maxLength: 12 });
    const types = fc.constantFrom("mutable" as const, "hybrid" as const, "immutable" as const);
    fc.assert(
      fc.property(types, requests, queries, (type, sent, drawn) => {
        const device = nextDevice(type);
        const held = fill(device, type === "mutable" ? sent : sent.map(inChunks));
        for (const one of drawn) {
          const asked = toModel(one, held);
          const params = encode(asked, one);
          const read = (): unknown => store.ask(device, params);
          if (type === "immutable" && asked.ids.length > 0) expect(read).toThrow("ID(s) is not supported on Immutable");
          else expect(read(), JSON.stringify(params)).toEqual(answer(device.id, held, asked, NOW_MS));
        }
        expect(store.amount(device.id)).toBe(held.length);
      }),
      // Of 12 queries each.
      { numRuns: amount(150, 1_700), seed: SEED },
    );
  });
});

describe("changes against a list that is changed with loops", () => {
  const edit = fc.record({
    op: fc.constant("edit" as const),
    pick: fc.nat(40),
    value: fc.constantFrom(undefined, null, 7, "seven", false),
    unit: fc.constantFrom(undefined, null, "kg"),
    group: fc.constantFrom(undefined, "g1", "moved"),
    location: fc.constantFrom(undefined, null, { lat: -3, lng: 40 }),
    timeMs: fc.option(moment, { nil: undefined }),
  });
  const change = fc.oneof(
    fc.record({ op: fc.constant("write" as const), rows: fc.array(row, { maxLength: 8 }) }),
    edit,
    fc.record({ op: fc.constant("delete" as const), query }),
    { weight: 1, arbitrary: fc.record({ op: fc.constant("empty" as const) }) },
  );

  function applyEdit(target: ModelRow, drawn: typeof edit extends fc.Arbitrary<infer T> ? T : never): ModelRow {
    const { value: oldValue, unit: oldUnit, location: oldLocation, ...rest } = target;
    const next = <T>(sent: T | null | undefined, old: T | undefined): T | undefined =>
      sent === undefined ? old : (sent ?? undefined);
    const newValue = next(drawn.value, oldValue);
    const newUnit = next(drawn.unit, oldUnit);
    const sentLocation: [number, number] | null | undefined = drawn.location && [
      drawn.location.lng,
      drawn.location.lat,
    ];
    const newLocation = next(sentLocation, oldLocation);
    return {
      ...rest,
      ...(newValue !== undefined && { value: newValue }),
      ...(newUnit !== undefined && { unit: newUnit }),
      ...(newLocation !== undefined && { location: newLocation }),
      group: drawn.group ?? rest.group,
      timeMs: drawn.timeMs ?? rest.timeMs,
    };
  }

  it(
    "leaves the same rows after any sequence of writes, edits, deletions and empties",
    () => {
      fc.assert(
        fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
          const device = nextDevice();
          let held: ModelRow[] = [];
          let arrivals = 0;
          for (const step of changes) {
            if (step.op === "write") {
              const added = fill(device, [step.rows]);
              held.push(...added.map((item, index) => ({ ...item, arrival: arrivals + index })));
              arrivals += added.length;
            } else if (step.op === "edit") {
              const { op: _op, pick, timeMs, ...members } = step;
              const target = held[pick];
              const time = timeMs === undefined ? undefined : new Date(timeMs).toISOString();
              const id = target?.id ?? "ffffffffffffffffffffffff";
              expect(store.edit(device, { id, time, ...members })).toBe(target === undefined ? 0 : 1);
              held = held.map((item) => (item === target ? applyEdit(item, step) : item));
            } else if (step.op === "delete") {
              const asked = toModel(step.query, held);
              const gone = rowsOf(held, asked);
              const params = encode(asked, step.query);
              if (gone === undefined) expect(() => store.erase(device, params)).toThrow("Invalid query");
              else expect(store.erase(device, params)).toBe(gone.length);
              held = held.filter((item) => gone?.includes(item) !== true);
            } else {
              store.empty(device);
              held = [];
            }
          }
          const everything = store.rows(device, { qty: "10000", details: "true", ordination: "ascending" });
          const expected = held.sort((a, b) => a.timeMs - b.timeMs || a.arrival - b.arrival);
          expect(everything).toEqual(expected.map((item) => shown(device.id, item, true)));
          expect(store.amount(device.id)).toBe(held.length);
        }),
        { numRuns: amount(300, 800), seed: SEED },
      );
    },
    PATIENCE_MS,
  );
});
