import { runtimes } from "../analyses/runtimes.ts";

/** JSON Schema of the `analyses` property of a project file. */
export const analysesSchema = {
  description: "Analyses in this project, by name.",
  type: "object",
  additionalProperties: {
    anyOf: [
      { type: "string", minLength: 1, description: "path of the source, relative to this file" },
      {
        type: "object",
        required: ["file"],
        additionalProperties: false,
        properties: {
          file: { type: "string", minLength: 1, description: "path of the source, relative to this file" },
          id: {
            type: "string",
            minLength: 1,
            description: "full id, name:… or tag:… (default: name: and the entry's name)",
          },
          language: { enum: runtimes, description: "runtime, instead of the analysis's own" },
          bundle: { type: "boolean", description: "false: upload the file without bundling" },
        },
      },
    ],
  },
};
