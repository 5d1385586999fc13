import { runtimes } from "./runtimes.ts";

/** JSON Schema of the member `analyses` of a project file. */
export const analysesSchema = {
  description: "Analyses of this project, by name.",
  type: "object",
  additionalProperties: {
    anyOf: [
      { type: "string", minLength: 1, description: "path of the source, from the folder of this file" },
      {
        type: "object",
        required: ["file"],
        additionalProperties: false,
        properties: {
          file: { type: "string", minLength: 1, description: "path of the source, from the folder of this file" },
          id: {
            type: "string",
            minLength: 1,
            description: "full id, name:… or tag:…; name: and the name unless given",
          },
          language: { enum: runtimes, description: "runtime, instead of the one of the analysis" },
          bundle: { type: "boolean", description: "false: the file is uploaded as it is" },
        },
      },
    ],
  },
};
