import { type FormEvent, useState } from "react";
import type { DataCreate, Device, Resources } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { countOf } from "../../text/count.ts";
import { deviceFor } from "../api.ts";
import { Area, Input, Outcome, Select } from "../components/basics.tsx";
import { useConsole, useDoing } from "../hooks.ts";
import { parseJson } from "../text.ts";

const TYPES = ["number", "string", "boolean"] as const;

function readingOf(type: string, text: string): NonNullable<DataCreate["value"]> {
  if (type === "string") return text;
  if (type === "boolean") return text === "true";
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number)) throw new Error(`"${text}" is not a number`);
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
  const doing = useDoing();
  const [form, setForm] = useState({ variable: "temperature", value: "21.5", type: "number", unit: "", json: "" });
  const change = (name: keyof typeof form) => (value: string) => setForm({ ...form, [name]: value });
  const send = (make: () => readonly DataCreate[]) => (event: FormEvent) => {
    event.preventDefault();
    doing.run(async () => {
      const records = make();
      await (await clientOf(resources, device)).sendData(records);
      return `Sent ${countOf(records.length, "record")}`;
    });
  };
  const one = (): DataCreate[] => {
    const { variable, type, value, unit } = form;
    return [{ variable, value: readingOf(type, value), ...(unit === "" ? {} : { unit }) }];
  };
  const many = (): DataCreate[] => {
    const value = parseJson(form.json);
    const records: unknown[] = Array.isArray(value) ? value : [value];
    // The platform checks the rest, and says what is wrong.
    return records.map((record) => {
      if (isRecord(record)) return record as unknown as DataCreate;
      throw new Error('Give records such as [{"variable": "level", "value": 5}]');
    });
  };
  return (
    <section>
      <h2>Send a reading</h2>
      <form className="row" onSubmit={send(one)}>
        <Input label="Variable" value={form.variable} onChange={change("variable")} required />
        <Select label="Type" value={form.type} onChange={change("type")} options={TYPES} />
        {form.type === "boolean" ? (
          <Select label="Value" value={form.value} onChange={change("value")} options={["true", "false"]} />
        ) : (
          <Input label="Value" value={form.value} onChange={change("value")} />
        )}
        <Input label="Unit" value={form.unit} onChange={change("unit")} />
        <button type="submit" disabled={doing.isBusy}>
          Send
        </button>
      </form>
      <details>
        <summary>Records as JSON</summary>
        <form onSubmit={send(many)}>
          <Area label="Records" value={form.json} onChange={change("json")} />
          <button type="submit" disabled={doing.isBusy}>
            Send JSON
          </button>
        </form>
      </details>
      <Outcome doing={doing} />
    </section>
  );
}
