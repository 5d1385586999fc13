import {
  anyObject,
  anything,
  constant,
  either,
  flag,
  flagOrNull,
  type JsonSchema,
  list,
  number,
  numeric,
  oneOf,
  ref,
  shape,
  text,
  textOrNull,
  told,
} from "../../lib/widgets/json-schema.ts";

/** A device or entity: its id, or an object with the id. */
const origin = either(text, shape({}, { id: textOrNull }));

const reference = told("A variable of a device.", shape({}, { origin, variable: textOrNull, bucket: anything }));

const formula = told(
  "How the value and its unit are computed.",
  shape(
    {},
    {
      enable: flagOrNull,
      formula_type: oneOf("fixed", "variable"),
      unit_type: textOrNull,
      value: textOrNull,
      fixed_unit: textOrNull,
      variable: either(ref("reference"), { type: "null" }),
    },
  ),
);

const numberFormat = told("Decimals: -1 means unrounded.", shape({}, { decimals: numeric, show_thousand: flagOrNull }));

const range = told(
  "Minimum and maximum, fixed or from the metadata.",
  either(
    shape({ type: constant("minmax"), minimum: numeric, maximum: numeric }),
    shape({ type: constant("metadata"), metadata_origin: constant("variable") }, { variable: ref("reference") }),
    shape({ type: constant("metadata"), metadata_origin: oneOf("original", "formula") }),
  ),
);

const condition = shape(
  {},
  { condition: textOrNull, value: anything, color: textOrNull, url: textOrNull, icon: anything },
);
const conditions = list(either(ref("condition"), { type: "null" }));

/** A colour, or a list of conditions that select it. */
const color = either(textOrNull, conditions);

const headerButton = told(
  "A button in the widget header.",
  shape({}, { text: textOrNull, type: textOrNull, icon: either(textOrNull, anyObject), color: textOrNull }),
);

const dataItem = told(
  "Data to load from one device or entity.",
  shape(
    {},
    {
      origin,
      variables: either(list(anything), textOrNull),
      query: textOrNull,
      qty: numeric,
      start_date: textOrNull,
      end_date: textOrNull,
      timezone: textOrNull,
      overwrite: flagOrNull,
      is_hide: flagOrNull,
      bucket: anything,
    },
  ),
);

const resource = told("A list of devices, users or entities.", shape({}, { type: textOrNull, view: textOrNull }));

const downsample = shape({ enabled: flag, factor: number, threshold: number });

const timezone = shape({ id: textOrNull });

const fieldOption = shape(
  {},
  { label: anything, value: anything, unit: anything, default: anything, link: text, description: text },
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
