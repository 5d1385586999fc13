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

/** A device or entity, by its id or as an object that holds it. */
const origin = either(text, shape({}, { id: textOrNull }));

const reference = told("A variable of a device.", shape({}, { origin, variable: textOrNull, bucket: anything }));

const formula = told(
  "How the shown value and its unit come about.",
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

const numberFormat = told(
  "Decimals: -1 means as many as the value has.",
  shape({}, { decimals: numeric, show_thousand: flagOrNull }),
);

const range = told(
  "From the least to the greatest value, fixed or out of the data's metadata.",
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

/** A colour, or a list of conditions that choose it. */
const color = either(textOrNull, conditions);

const headerButton = told(
  "A button in the head of the widget.",
  shape({}, { text: textOrNull, type: textOrNull, icon: either(textOrNull, anyObject), color: textOrNull }),
);

const dataItem = told(
  "What to load from one device or entity.",
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

/** Pieces that several widgets have, under the names that `ref` uses. */
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
