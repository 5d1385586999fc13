import type { StoredDashboard } from "../../index.ts";
import type { ShownVariable } from "../../lib/widgets/starter.ts";
import { nameOf } from "../components/basics.tsx";
import { useConsole, useLoad } from "../hooks.ts";
import { recordsOf, shown } from "../text.ts";
import { type Choice, Combobox } from "./combobox.tsx";

interface SourceProps {
  readonly dashboard: StoredDashboard;
  readonly source: ShownVariable;
  /** Position among the variables of the widget, from 1. */
  readonly number: number;
  readonly disabled: boolean;
  readonly onChange: (source: ShownVariable) => void;
  readonly onRemove: () => void;
}

const MAX_FOUND = 20;

/** The placeholders of a blueprint, which stand for devices. */
const placeholdersOf = ({ blueprint_devices: placeholders }: StoredDashboard): Choice[] =>
  recordsOf(placeholders).map(({ id, label, name }) => ({
    value: shown(id),
    text: nameOf(label ?? name, shown(id)),
    note: "placeholder",
  }));

/** The device and the variable of one line of a widget. */
export function Source({ dashboard, source, number, disabled, onChange, onRemove }: SourceProps) {
  const { resources } = useConsole();
  const { origin, variable } = source;
  const placeholders = placeholdersOf(dashboard);
  const known = placeholders.find(({ value }) => value === origin)?.text;
  const device = useLoad(`${origin} ${known}`, async () =>
    origin === "" || known !== undefined ? known : nameOf((await resources.devices.info(origin)).name, origin),
  );
  const findDevices = async (text: string): Promise<Choice[]> => {
    const filter = text === "" ? {} : { filter: { name: `*${text}*` } };
    const found = await resources.devices.list({
      ...filter,
      amount: MAX_FOUND,
      fields: ["id", "name"],
      orderBy: ["name", "asc"],
    });
    const own = placeholders.filter((each) => each.text.toLowerCase().includes(text.toLowerCase()));
    return [...own, ...found.map(({ id, name }) => ({ value: id, text: nameOf(name, id) }))];
  };
  const findVariables = async (text: string): Promise<Choice[]> => {
    if (origin === "" || known !== undefined) return [];
    const records = await resources.devices.getDeviceData(origin, { query: "last_item" });
    const names = [...new Set(records.map((record) => record.variable))].sort();
    return names
      .filter((name) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, MAX_FOUND)
      .map((name) => ({ value: name, text: name }));
  };
  return (
    <li className="row" aria-label={`Variable ${number}`}>
      <Combobox
        label={`Device ${number}`}
        text={device.data ?? origin}
        of="devices"
        search={findDevices}
        disabled={disabled}
        onChoose={(value) => onChange({ origin: value, variable })}
      />
      <Combobox
        label={`Variable ${number}`}
        text={variable}
        of={origin}
        search={findVariables}
        isFree
        disabled={disabled}
        onChoose={(value) => onChange({ origin, variable: value })}
      />
      <button type="button" disabled={disabled} aria-label={`Remove variable ${number}`} onClick={onRemove}>
        ✕
      </button>
    </li>
  );
}
