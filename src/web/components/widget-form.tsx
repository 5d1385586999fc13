import { type FormEvent, useState } from "react";
import type { Resources, WidgetDataCreate, WidgetDataResult } from "../../index.ts";
import type { Doing } from "../hooks.ts";
import { countOf, isRecord, recordsOf, shown } from "../text.ts";
import { Input, Select } from "./basics.tsx";

interface FormField {
  readonly id: string;
  readonly type: string;
  readonly label: string;
  readonly isRequired: boolean;
  readonly origin: string;
  readonly variable: string;
  readonly options: readonly string[];
}

/** Fields of the present form and of the old one that write a variable of a device. */
function fieldsOf({ widget: { display } }: WidgetDataResult): FormField[] {
  const fields = [
    ...recordsOf(display?.["sections"]).flatMap(({ fields: own }) => recordsOf(own)),
    ...recordsOf(display?.["fields"]),
    ...recordsOf(display?.["vars"]),
  ];
  return fields.flatMap((field, index) => {
    const target = isRecord(field["data"]) ? field["data"] : field;
    const origin = shown(target["origin"] ?? target["bucket"]);
    const variable = shown(target["variable"]);
    if (origin === "" || variable === "") return [];
    return {
      id: `${index} ${shown(field["id"])}`,
      type: shown(field["type"]),
      label: shown(field["label"], 100) || variable,
      isRequired: field["required"] === true,
      origin,
      variable,
      options: recordsOf(field["options"]).map((option) => shown(option["value"])),
    };
  });
}

function readingOf({ type, label }: FormField, text: string): NonNullable<WidgetDataCreate["value"]> {
  if (/number|slider|range/.test(type)) {
    const number = Number(text);
    if (!Number.isFinite(number)) throw new Error(`${label}: "${text}" is not a number`);
    return number;
  }
  if (/switch|checkbox|boolean/.test(type)) return text === "true";
  return text;
}

interface FormProps {
  readonly result: WidgetDataResult;
  readonly resources: Resources;
  readonly doing: Doing;
  readonly reload: () => void;
}

/** A form of a dashboard: writes its records as the platform does, then runs the analysis of its button. */
export function WidgetForm({ result, resources, doing, reload }: FormProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const { widget } = result;
  const fields = fieldsOf(result);
  const [button] = recordsOf(widget.display?.["buttons"]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    doing.run(async () => {
      const filled = fields.filter(({ id }) => (values[id] ?? "") !== "");
      const records = filled.map((field) => ({
        origin: field.origin,
        variable: field.variable,
        value: readingOf(field, values[field.id] ?? ""),
      }));
      if (records.length === 0) throw new Error("Fill in a field first");
      await resources.dashboards.widgets.sendData(widget.dashboard, widget.id, records);
      setValues({});
      reload();
      return `Sent ${countOf(records.length, "record")}`;
    });
  };
  if (fields.length === 0) return <p className="none">The fields of this form write no variables.</p>;
  return (
    <form className="row" onSubmit={submit}>
      {fields.map((field) => {
        const value = values[field.id] ?? "";
        const change = (text: string): void => setValues({ ...values, [field.id]: text });
        const isSwitch = /switch|checkbox|boolean/.test(field.type);
        const options = isSwitch ? ["true", "false"] : field.options;
        if (options.length > 0)
          return (
            <Select
              key={field.id}
              label={field.label}
              value={value}
              onChange={change}
              options={[["", "Choose"], ...options]}
            />
          );
        const type = /number/.test(field.type) ? "number" : field.type === "password" ? "password" : "text";
        return (
          <Input
            key={field.id}
            label={field.label}
            type={type}
            value={value}
            onChange={change}
            required={field.isRequired}
          />
        );
      })}
      <button type="submit" disabled={doing.isBusy}>
        {shown(button?.["text"], 60) || "Send"}
      </button>
    </form>
  );
}
