import { useId, useMemo, useState } from "react";
import { useOutside } from "../hooks.ts";
import { fitting, useListbox } from "./listbox.ts";

interface PickedDevice {
  readonly id: string;
  readonly name: string;
}

interface DevicePickerProps {
  readonly label: string;
  readonly devices: readonly PickedDevice[];
  /** Id of the chosen one; empty for none. */
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

const NONE: PickedDevice = { id: "", name: "None chosen" };
const MAX_SHOWN = 100;

/** A field that searches the devices it can be filled with. */
export function DevicePicker({ label, devices, value, onChoose }: DevicePickerProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const isOpen = typed !== undefined;
  const all = useMemo(() => [NONE, ...devices], [devices]);
  const found = useMemo(() => fitting(all, typed ?? "", ({ name, id: own }) => [name, own], MAX_SHOWN), [all, typed]);
  const chosen = all.find((each) => each.id === value);
  const choose = (at: number): void => {
    const device = found[at];
    setTyped(undefined);
    if (device !== undefined) onChoose(device.id);
  };
  const listbox = useListbox(found.length, isOpen, choose);
  const place = useOutside(isOpen, () => setTyped(undefined));
  const open = (): void => {
    listbox.restart();
    setTyped((known) => known ?? "");
  };
  return (
    <div ref={place} className="field picker">
      <label htmlFor={id}>{label}</label>
      <input
        {...listbox.field}
        id={id}
        placeholder={chosen?.name ?? "Search a device"}
        value={typed ?? chosen?.name ?? value}
        onClick={open}
        onChange={({ target }) => {
          listbox.restart();
          setTyped(target.value);
        }}
        onKeyDown={(event) => {
          if (event.key === "Escape" && isOpen) {
            setTyped(undefined);
            event.preventDefault();
          } else if (!isOpen && ["ArrowDown", "ArrowUp", "Enter"].includes(event.key)) {
            open();
            event.preventDefault();
          } else listbox.keyed(event);
        }}
      />
      {isOpen && (
        <div id={listbox.listId} role="listbox" tabIndex={-1} aria-label={label} className="options">
          {found.map(({ id: own, name }, at) => (
            <button key={own} type="button" {...listbox.option(at)} onClick={() => choose(at)}>
              {name}
            </button>
          ))}
          {found.length === 0 && <p className="none">No devices match</p>}
          {found.length === MAX_SHOWN && <p className="none">The first {MAX_SHOWN}: type to see others</p>}
        </div>
      )}
    </div>
  );
}
