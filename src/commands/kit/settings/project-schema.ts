import { join } from "node:path";
import { writeWhole } from "../files/files.ts";
import { analysesSchema } from "./analyses-schema.ts";
import { checkSchema } from "./check-schema.ts";
import { projectFileName } from "./config.ts";
import { settingSpecs } from "./settings.ts";
import type { SettingSpec } from "./table.ts";

function schemaOf(spec: SettingSpec): object {
  const description = spec.summary;
  switch (spec.kind) {
    case "choice":
      return { description, enum: spec.choices ?? [] };
    case "switch":
      return { description, type: "boolean" };
    case "integer":
      return { description, type: "integer", minimum: 1 };
    default:
      return { description, type: "string", minLength: 1 };
  }
}

/** JSON Schema of the project file. */
export function projectSchema(): object {
  const allowed = settingSpecs.filter((spec) => spec.inProject);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: projectFileName,
    description: "Settings of a project folder. It cannot contain credentials or URLs that receive them.",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      env: { type: "string", description: "environment to use in this folder" },
      analyses: analysesSchema,
      dashboards: { description: "dashboard folder", type: "string" },
      check: checkSchema,
      defaults: {
        type: "object",
        additionalProperties: false,
        properties: Object.fromEntries(allowed.map((spec) => [spec.name, schemaOf(spec)])),
      },
    },
  };
}

const schemaFileName = "iot.config.schema.json";

/**
 * Writes the schema of project files beside one, for editors.
 *
 * @returns the value of its `$schema`
 */
export function writeProjectSchema(folder: string): string {
  const text = `${JSON.stringify(projectSchema(), null, 2)}\n`;
  writeWhole(join(folder, schemaFileName), text, { file: 0o644, folder: 0o755 });
  return `./${schemaFileName}`;
}
