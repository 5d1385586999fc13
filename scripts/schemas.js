// Writes the JSON Schemas of the widgets, one file per type and one for any type.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

/** Writes them into a folder, from the sources under src/schema/widgets. */
export async function writeSchemas(folder) {
  const { outputFiles } = await build({
    entryPoints: ["src/schema/widgets/index.ts"],
    bundle: true,
    format: "esm",
    platform: "neutral",
    write: false,
    logLevel: "warning",
  });
  const source = Buffer.from(outputFiles[0].contents).toString("base64");
  const { anyWidgetSchema, widgetTypes } = await import(`data:text/javascript;base64,${source}`);
  mkdirSync(folder, { recursive: true });
  const write = (name, schema) => writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(schema)}\n`);
  const any = anyWidgetSchema();
  write("widget", any);
  // The parts they share would be three quarters of every file.
  for (const type of widgetTypes) {
    const name = `widget-${type}`;
    if (any.$defs[name] === undefined) throw new Error(`the schema of any widget has no ${name}`);
    write(type, { $schema: any.$schema, title: `Widget of type ${type}`, $ref: `widget.json#/$defs/${name}` });
  }
}
