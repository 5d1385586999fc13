import { describe, expect, it } from "vitest";
import type { Column } from "../../src/commands/kit/command/columns.ts";
import type { ResultSpec } from "../../src/commands/kit/command/result.ts";
import { fieldColumns } from "../../src/commands/kit/output/fields.ts";
import { resultSchema } from "../../src/commands/program/help/result-schema.ts";
import { leaves } from "../helpers/leaves.ts";

/** Headers that are not the name of a field, and why. */
const otherHeaders: Readonly<Record<string, string>> = {
  "%": "a unit",
  "expected -> result": "the legend of the arrows in its cells",
};

const isSnakeCase = (name: string): boolean => /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name);

type Named = Pick<Column<never>, "key" | "header">;

function columnsOf(result: ResultSpec | undefined): readonly Named[] {
  if (result?.shape === "either") return result.of.flatMap(columnsOf);
  return result?.shape === "list" || result?.shape === "item" ? result.columns : [];
}

/** The words of columns that are not snake_case: of their fields, and of their headers. */
const wrongWords = (columns: readonly Named[]): readonly string[] => [
  ...columns.flatMap(({ key }) => key.split(".")).filter((name) => !isSnakeCase(name)),
  ...columns.flatMap(({ header = "ok" }) => (header in otherHeaders || isSnakeCase(header) ? [] : [header])),
];

/** The names of the properties in a schema, at any depth. */
function propertiesOf(schema: unknown): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties } = { properties: {}, ...schema };
  return [...Object.keys(properties), ...Object.values(schema).flatMap(propertiesOf)];
}

// What commands print beyond their columns is tried in commands-json.test.ts.
describe("the fields of results are written in snake_case", () => {
  it("as columns and headers of every command", () => {
    const wrong = leaves.flatMap(({ title, command }) =>
      wrongWords(columnsOf(command.result)).map((word) => `${title}: ${word}`),
    );
    expect([...wrong, ...wrongWords(fieldColumns)]).toEqual([]);
  });

  it("in the schema of every result", () => {
    const wrong = leaves.flatMap(({ title, command }) =>
      propertiesOf(resultSchema(title, command))
        .filter((name) => !isSnakeCase(name))
        .map((name) => `${title}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });
});
