import { MAX_ENTITY_ROWS } from "../../../lib/core/limits.ts";
import type { EntityDataEdit } from "../../../lib/resources/entities.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { quote } from "../../kit/command/values.ts";
import { inputError, usageError } from "../../kit/failures/command-error.ts";
import { inParts } from "../../kit/lanes.ts";
import { entityOf, firstArgument } from "../place.ts";
import { commonColumns } from "../query.ts";
import { amount, givenRows, inputOptions, needRows, printRows, send, typedValues } from "../rows.ts";

export const updateRows = defineCommand({
  path: ["data", "update"],
  aliases: ["edit"],
  effect: "changes",
  summary: "Update rows of an entity",
  details: "Fields that are not given stay unchanged. field= without a value removes the value.",
  args: [
    firstArgument,
    { name: "values", summary: "id of the row, then fields: site-0001 state=closed", variadic: true },
  ],
  options: inputOptions,
  result: rows(commonColumns),
  examples: [
    'iot entity data update "name:sites" site-0001 state=closed area=99',
    `echo '{"id":"site-0002","devices":12}' | iot entity data update "name:sites" --input - --dry-run`,
  ],
  exitCodes: [3, 8],
  related: ["iot entity data list", "iot entity data add"],
  async run(ctx, { args, options }) {
    const [rowId, ...texts] = args.values;
    if ((rowId === undefined || texts.length === 0) && options.input === undefined) {
      throw usageError("No changes given.", { next: "Add the id of the row, then field=value." });
    }
    if (rowId?.includes("=") === true) {
      throw usageError("The row id is missing.", { next: `Add it before ${quote(rowId)}.` });
    }
    const entity = await entityOf(ctx, args.id);
    const typed = rowId === undefined ? [] : [{ ...typedValues(entity, texts), id: rowId }];
    const changes = (await givenRows(ctx, options, entity, false, typed)).map(withId);
    const path = `/entity/${entity.id}/data`;
    if (await ctx.dryRun(inParts(changes, MAX_ENTITY_ROWS).map((body) => ({ method: "PUT", path, body })))) return;
    // The platform passes over ids it does not know without a word.
    await needRows(
      ctx,
      entity,
      changes.map(({ id }) => id),
    );
    const { entities } = await ctx.client();
    await send(ctx, inParts(changes, MAX_ENTITY_ROWS), "changed", (part) => entities.editEntityData(entity.id, part));
    await printRows(ctx, entity, changes);
    await ctx.done(`Updated ${amount(changes.length)} of entity "${entity.name}"`);
  },
});

function withId(row: Record<string, unknown>, index: number): EntityDataEdit {
  const { id } = row;
  if (typeof id === "string") return { ...row, id };
  throw inputError(`Row ${index + 1} has no id.`, {
    next: "Every row needs the id of the row to update.",
    row: index + 1,
  });
}
