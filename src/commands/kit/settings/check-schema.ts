const text = { type: "string", minLength: 1 } as const;
const texts = (description: string) => ({ description, anyOf: [text, { type: "array", items: text }] });
const places = (description: string) => texts(`${description}, relative to this file`);

const typesFile = {
  anyOf: [
    text,
    {
      type: "object",
      required: ["out"],
      additionalProperties: false,
      properties: {
        out: { ...text, description: "path of the file, relative to this file" },
        format: { enum: ["typescript", "json-schema"], description: "format (json-schema for .json, else typescript)" },
        entity: texts("only these entities"),
        entities: { type: "boolean", description: "false: no entities" },
        dictionary: texts("only these dictionaries"),
        dictionaries: { type: "boolean", description: "false: no dictionaries" },
        device: texts("devices"),
        "device-tag": texts("devices with this tag"),
      },
    },
  ],
};

/** JSON Schema of the `check` property of a project file. */
export const checkSchema = {
  description: 'Files that "iot check" checks.',
  type: "object",
  additionalProperties: false,
  properties: {
    profile: { ...text, description: "folder written by iot profile export, relative to this file" },
    include: texts("only these kinds of resources of the profile"),
    exclude: texts("kinds of resources of the profile to skip"),
    widgets: places("widget files, folders or patterns"),
    dictionary: texts("dictionaries on the platform; an empty list is all"),
    file: places("files, folders or patterns with expressions such as #HOME.TITLE#"),
    types: {
      description: "files written by iot generate types, with the flags they are made with",
      anyOf: [typesFile, { type: "array", items: typesFile }],
    },
  },
};
