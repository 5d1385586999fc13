import {
  anyObject,
  anything,
  boolean,
  booleanOrNull,
  constant,
  described,
  either,
  type JsonSchema,
  list,
  number,
  numeric,
  oneOf,
  ref,
  shape,
  string,
  stringOrNull,
} from "../../lib/widgets/json-schema.ts";

/** A device or entity: its id, or an object with the id. */
const origin = either(string, shape({}, { id: stringOrNull }));

const reference = described("A variable of a device.", shape({}, { origin, variable: stringOrNull, bucket: anything }));

const formula = described(
  "How the value and its unit are computed.",
  shape(
    {},
    {
      enable: booleanOrNull,
      formula_type: oneOf("fixed", "variable"),
      unit_type: stringOrNull,
      value: stringOrNull,
      fixed_unit: stringOrNull,
      variable: either(ref("reference"), { type: "null" }),
    },
  ),
);

const numberFormat = described(
  "Decimals: -1 means unrounded.",
  shape({}, { decimals: numeric, show_thousand: booleanOrNull }),
);

const range = described(
  "Minimum and maximum, fixed or from the metadata.",
  either(
    shape({ type: constant("minmax"), minimum: numeric, maximum: numeric }),
    shape({ type: constant("metadata"), metadata_origin: constant("variable") }, { variable: ref("reference") }),
    shape({ type: constant("metadata"), metadata_origin: oneOf("original", "formula") }),
  ),
);

const condition = shape(
  {},
  { condition: stringOrNull, value: anything, color: stringOrNull, url: stringOrNull, icon: anything },
);
const conditions = list(either(ref("condition"), { type: "null" }));

/** A colour, or a list of conditions that select it. */
const color = either(stringOrNull, conditions);

const headerButton = described(
  "A button in the widget header.",
  shape({}, { text: stringOrNull, type: stringOrNull, icon: either(stringOrNull, anyObject), color: stringOrNull }),
);

const dataItem = described(
  "Data to load from one device or entity.",
  shape(
    {},
    {
      origin,
      variables: either(list(anything), stringOrNull),
      query: stringOrNull,
      qty: numeric,
      start_date: stringOrNull,
      end_date: stringOrNull,
      timezone: stringOrNull,
      overwrite: booleanOrNull,
      is_hide: booleanOrNull,
      bucket: anything,
    },
  ),
);

const resource = described(
  "A list of devices, users or entities.",
  shape({}, { type: stringOrNull, view: stringOrNull }),
);

const downsample = shape({ enabled: boolean, factor: number, threshold: number });

const timezone = shape({ id: stringOrNull });

const fieldOption = shape(
  {},
  { label: anything, value: anything, unit: anything, default: anything, link: string, description: string },
);

/** Schemas shared by several widgets, by the name used in `ref`. */
export const pieces: Readonly<Record<string, JsonSchema>> = {
  origin,
  reference,
  formula,
  numberFormat,
  range,
  condition,
  conditions,
  color,
  headerButton,
  dataItem,
  resource,
  downsample,
  timezone,
  fieldOption,
};
