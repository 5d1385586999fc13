import { useState } from "react";
import type { DataCreate, Device, Resources } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { deviceFor } from "../api.ts";
import { Area, Form, Input, Outcome, Select } from "../components/basics.tsx";
import { useConsole, useDoing } from "../hooks.ts";
import { FormError, parseJson } from "../text.ts";

const TYPES = ["number", "string", "boolean"] as const;

function readingOf(type: string, text: string): NonNullable<DataCreate["value"]> {
  if (type === "string") return text;
  if (type === "boolean") return text === "true";
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new FormError({ value: `"${text}" is not a number` });
  return number;
}

/** The platform takes data from the device itself only: one of its tokens is used. */
async function clientOf(resources: Resources, device: string): Promise<Device> {
  const tokens = await resources.devices.tokenList(device, { amount: 100, fields: ["token", "permission"] });
  const found = tokens.find(({ permission }) => permission === "full" || permission === "write");
  if (found === undefined) throw new Error("The device has no token that can write. Create one below");
  return deviceFor(found.token);
}

/** Sends a reading to a device, or any records as JSON. */
export function SendReading({ device }: { readonly device: string }) {
  const { resources } = useConsole();
  const [form, setForm] = useState({ variable: "temperature", value: "21.5", type: "number", unit: "", json: "" });
  const change = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value });
  const [reading, records] = [useDoing(), useDoing()];
  const send = async (made: readonly DataCreate[]): Promise<string> => {
    await (await clientOf(resources, device)).sendData(made);
    return `Sent ${countOf(made.length, "record")}`;
  };
  const one = (): DataCreate[] => {
    const { variable, type, value, unit } = form;
    return [{ variable, value: readingOf(type, value), ...(unit === "" ? {} : { unit }) }];
  };
  const many = (): DataCreate[] => {
    const value = parseJson("json", form.json);
    const given: unknown[] = Array.isArray(value) ? value : [value];
    // The platform checks the rest, and says what is wrong.
    return given.map((record) => {
      if (isRecord(record)) return record as unknown as DataCreate;
      throw new FormError({ json: 'Give records such as [{"variable": "level", "value": 5}]' });
    });
  };
  return (
    <section>
      <h2>Send a reading</h2>
      <Form doing={reading} onSubmit={() => reading.run(async () => send(one()))}>
        <Input label="Variable" name="variable" value={form.variable} onChange={change("variable")} required />
        <Select label="Type" value={form.type} onChange={change("type")} options={TYPES} />
        {form.type === "boolean" ? (
          <Select
            label="Value"
            name="value"
            value={form.value}
            onChange={change("value")}
            options={["true", "false"]}
          />
        ) : (
          <Input label="Value" name="value" value={form.value} onChange={change("value")} />
        )}
        <Input label="Unit" name="unit" value={form.unit} onChange={change("unit")} />
        <button type="submit" disabled={reading.isBusy}>
          Send
        </button>
      </Form>
      <Outcome doing={reading} />
      <details>
        <summary>Records as JSON</summary>
        <Form className="column" doing={records} onSubmit={() => records.run(async () => send(many()))}>
          <Area label="Records" name="json" value={form.json} onChange={change("json")} />
          <button type="submit" disabled={records.isBusy}>
            Send JSON
          </button>
        </Form>
        <Outcome doing={records} />
      </details>
    </section>
  );
}
