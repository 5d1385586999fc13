import { CONTROL_COLUMN, DATE_COLUMN, DELETE_MESSAGE } from "../constants.ts";
import { type NewId, type Pair, type Rule, reverseKey, shownVariables, variableName } from "../engine.ts";
import {
  copied,
  copiedItems,
  copyNumberOr,
  copyOr,
  derived,
  entry,
  entryOr,
  get,
  isSource,
  type Out,
  record,
  type Source,
  set,
  table,
} from "../readers.ts";
import {
  intervals,
  originId,
  reference,
  setAlias,
  setFormat,
  setFormula,
  strictReference,
  type Tables,
  tables,
} from "../shared.ts";

const dynamicTable: Rule = {
  from: "table/dynamic",
  type: "dynamic_table",
  chosenBy: "table_type",
  legacy: { truthy: ["vars_labels", "vars_format", "vars_formula", "conditions", "form"] },
  keys:
    "column_alignments column_width_default full_rows intervals max_rows messageDeleteRow override_color realtime show_delete " +
    "show_edit_modal show_label show_search show_time vars_that_have_conditions",
  below: "editable fields fieldtype options required show_label use_values_from use_variable",
  data: "list",
  keepsRealtime: true,
  analysisRun: "copy",
  display(d, widget) {
    const fields = editFields(d);
    const pairs = shownVariables(widget);
    const editable = pairs.some((pair) => Boolean(record(get(fields, reverseKey(pair)))["editable"]));
    const controls = Boolean(get(d, "show_delete")) || editable;
    const variables = columns(d, pairs, fields);
    if (get(d, "show_time")) variables.push({ ...DATE_COLUMN });
    if (controls) variables.push(controlColumn(d, editable));
    const out: Out = {
      max_rows: copyNumberOr(d, "max_rows", 10_000),
      search_position: "whole",
      show_control: derived(d, "show_delete", controls),
      theme: { color: {} },
      variables,
    };
    set(out, "show_search", copied(d, "show_search"));
    set(out, "show_time", copied(d, "show_time"));
    if (Array.isArray(get(d, "intervals"))) out["intervals"] = intervals(d);
    return out;
  },
};

function editFields(d: Source): Source | undefined {
  return table(record(get(d, "form")), "fields");
}

function columns(d: Source, pairs: readonly Pair[], fields: Source | undefined): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const alignments = table(d, "column_alignments") ?? {};
  const conditions = table(d, "conditions");
  const withConditions = table(d, "vars_that_have_conditions") ?? {};
  return pairs.map((pair, position) => {
    const { key } = pair;
    const out: Out = {
      alignment: entryOr(alignments, key, "left"),
      allow_resize: true,
      content_type: derived(withConditions, key, get(withConditions, key) ? "icon" : "value"),
      data: columnData(pair),
      id: `data:id:${position + 1}`,
      override_color: copyOr(d, "override_color", false),
    };
    set(out, "icon_conditions", entry(conditions, key));
    setAlias(out, labels, key);
    setFormula(out, formulas, key);
    if (hasKeys(get(formats, key))) setFormat(out, formats, key);
    if (fields && get(fields, reverseKey(pair))) {
      out["edit"] = derived(fields, reverseKey(pair), editOf(record(get(fields, reverseKey(pair)))));
    }
    return out;
  });
}

function columnData(pair: Pair): Out {
  const out: Out = { variable: variableName(pair) };
  set(out, "origin", copied(pair.item, "origin"));
  return out;
}

function hasKeys(value: unknown): boolean {
  return isSource(value) && Object.keys(value).length > 0;
}

function editOf(field: Source): Out {
  const out: Out = {
    enabled: copyOr(field, "editable", false),
    required: copyOr(field, "required", false),
    show_label: copyOr(field, "show_label", false),
    type: copyOr(field, "fieldtype", "text"),
  };
  set(out, "options", entry(field, "options"));
  if (get(field, "use_values_from") === "variable") out["use_values_from"] = copied(field, "use_values_from");
  if (get(field, "use_variable")) out["use_values_from_variable"] = strictReference(field, "use_variable");
  return out;
}

function controlColumn(d: Source, editable: boolean): Out {
  const out: Out = { ...CONTROL_COLUMN };
  out["delete_message"] = copyOr(d, "messageDeleteRow", DELETE_MESSAGE);
  out["show_edit"] = editable;
  set(out, "show_delete", copied(d, "show_delete"));
  set(out, "show_edit_modal", copied(d, "show_edit_modal"));
  return out;
}

const staticTable: Rule = {
  from: "table/*",
  type: "static_table",
  chosenBy: "table_type",
  legacy: { truthy: ["cell", "vars_that_have_conditions"] },
  keys: "column_alignments columns conditions rows vars_format vars_formula vars_labels",
  below: "constant device profile type",
  data: "any",
  display: (d, _, newId) => ({ theme: { color: {} }, variables: cells(d, newId) }),
  finish: addFormulaData,
};

function cells(d: Source, newId: NewId): unknown {
  const old = record(get(d, "cell"));
  const { labels, formats, formulas } = tables(d);
  const from: CellTables = {
    labels,
    formats,
    formulas,
    alignments: table(d, "column_alignments"),
    conditions: table(d, "conditions"),
  };
  const out = Object.keys(old).map((place) => {
    const cell = record(get(old, place));
    const start: Out = { allow_resize: true, id: newId(), position: position(place), size: "auto" };
    return derived(
      old,
      place,
      get(cell, "type") === "constant" ? constantCell(start, cell) : variableCell(start, cell, from),
    );
  });
  return derived(d, "cell", out);
}

interface CellTables extends Tables {
  readonly alignments: Source | undefined;
  readonly conditions: Source | undefined;
}

function variableCell(out: Out, cell: Source, from: CellTables): Out {
  const { origin, variable, key } = cellVariable(cell);
  const hasConditions = get(from.conditions, key);
  out["data_type"] = derived(cell, "type", "variable");
  out["data"] = { origin, variable, query: "last_value" };
  out["content_type"] = hasConditions ? "icon" : "value";
  setAlias(out, from.labels, key);
  setFormat(out, from.formats, key);
  setFormula(out, from.formulas, key);
  set(out, "alignment", entry(from.alignments, key));
  set(out, "icon_conditions", entry(from.conditions, key));
  return out;
}

function constantCell(out: Out, cell: Source): Out {
  out["data_type"] = derived(cell, "type", "text");
  out["show_bold"] = true;
  set(out, "text_content", copied(cell, "constant"));
  return out;
}

function position(place: string): Out {
  const [row, column] = place.split("_");
  return { x: Number(column) || 0, y: Number(row) || 0 };
}

function cellVariable(cell: Source): { origin: unknown; variable: unknown; key: string } {
  const old = record(get(cell, "variables"));
  const device = record(get(old, "device"));
  return {
    origin: copyOr(device, "id", ""),
    variable: copyOr(old, "variable", ""),
    key: `${plain(get(device, "id"))}${plain(get(old, "variable"))}`,
  };
}

function plain(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

// A formula that uses another variable needs the last value of that variable in the data.
function addFormulaData(out: Out, d: Source, widget: Source): void {
  const formulas = table(d, "vars_formula");
  const cell = record(get(d, "cell"));
  const extra = Object.keys(cell).flatMap((place) => {
    const item = record(get(cell, place));
    const old = record(get(formulas, cellVariable(item).key));
    const isNeeded = get(item, "type") !== "constant" && get(old, "enable") && get(old, "formula_type") === "dynamic";
    return (isNeeded && extraItem(old)) || [];
  });
  if (extra.length > 0) out["data"] = [...copiedItems(get(widget, "data")), ...extra];
}

function extraItem(formula: Source): Out | undefined {
  const variable = record(get(formula, "formula_variable"));
  if (!get(variable, "variable") || originId(variable) === undefined) return undefined;
  const target = reference(formula, "formula_variable");
  const out: Out = { origin: target["origin"], variables: [target["variable"]], query: "last_value" };
  set(out, "bucket", entry(record(get(variable, "origin")), "bucket"));
  return out;
}

export const tableRules: readonly Rule[] = [dynamicTable, staticTable];
