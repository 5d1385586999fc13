import { describe, expect, it } from "vitest";
import type { JobNotes, JobWork } from "../../../src/commands/kit/jobs/job.ts";
import type { Numbered, RowBatch } from "../../../src/commands/kit/rows/import-job.ts";
import { rowsKind } from "../../../src/commands/kit/rows/rows-kind.ts";
import { ApiError, Resources } from "../../../src/index.ts";

/** Does a batch of four rows, the last of which is rejected; what was asked for each part. */
async function asked(shared: object, noted: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const calls: string[] = [];
  const kind = rowsKind<object, Numbered, RowBatch<Numbered>>("rows", async () => ({
    async prepare({ item, rows }, isBegun) {
      calls.push(`${item} ${isBegun ? "looked up" : "new"}`);
      return async () => {
        if (rows.some(({ row }) => row === 4)) throw rejected();
        return { result: "sent" };
      };
    },
    split: ({ item, rows }) =>
      [rows.slice(0, rows.length / 2), rows.slice(rows.length / 2)].map((half, at) => ({
        item: `${item}.${at + 1}`,
        mark: "",
        rows: half,
      })),
  }));
  const kept = new Map(Object.entries(noted));
  const notes: JobNotes = {
    of: (name) => kept.get(name),
    add: async (name, note) => void kept.set(name, note),
    forget: async (name) => void kept.delete(name),
  };
  const args = { item: "batch 1", mark: "", rows: [1, 2, 3, 4].map((row) => ({ row })) };
  const client = new Resources({ token: "3f0b9c1e-4a5d-4c6b-8e7f-0123456789ab" });
  await kind.run({ client } as JobWork, shared, { id: "batch-1", args }, notes);
  return calls;
}

const rejected = (): ApiError =>
  new ApiError("Invalid", { url: "", method: "POST", status: 400, statusText: "", code: "HTTP_ERROR", data: {} });

describe("a batch in a queue", () => {
  it("is looked up before it is sent where an earlier try may have sent it", async () => {
    const parts = ["batch 1", "batch 1.1", "batch 1.2", "batch 1.2.1", "batch 1.2.2"];
    expect(await asked({})).toEqual(parts.map((part) => `${part} new`));
    expect(await asked({}, { "batch 1": "begun" })).toEqual([
      "batch 1 looked up",
      ...parts.slice(1).map((part) => `${part} new`),
    ]);
  });

  it("does not send a half again that an earlier try has noted as sent", async () => {
    const noted = { "batch 1": "split", "batch 1.1": "sent" };
    expect(await asked({}, noted)).toEqual(["batch 1.2 new", "batch 1.2.1 new", "batch 1.2.2 new"]);
  });

  it("is looked up in each of its parts where the queue has lost what was noted", async () => {
    const calls = await asked({ isRepeated: true });
    expect(calls).toHaveLength(5);
    expect(calls.filter((call) => !call.endsWith("looked up"))).toEqual([]);
  });
});
