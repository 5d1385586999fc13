import { useState } from "react";
import { countOf } from "../../text/count.ts";
import { Content, Form, Input, Outcome, State } from "../components/basics.tsx";
import { Confirm } from "../components/confirm.tsx";
import { Table } from "../components/table.tsx";
import { type Doing, useConsole, useDoing, useLoad } from "../hooks.ts";
import { shown } from "../text.ts";

/** The form for a new parameter, which has no id yet. */
const NEW = { id: "", key: "", value: "" };

interface ParamFormProps {
  readonly device: string;
  readonly doing: Doing;
  readonly form: typeof NEW;
  readonly setForm: (form: typeof NEW) => void;
}

/** The form that adds a parameter, or changes the one that is edited. */
function ParamForm({ device, doing, form, setForm }: ParamFormProps) {
  const { resources } = useConsole();
  const save = (): void => {
    const { id, key, value } = form;
    const body = { key, value, sent: false };
    doing.act(async () => {
      await (id === "" ? resources.devices.paramSet(device, [body]) : resources.devices.paramSet(device, body, id));
      setForm(NEW);
    }, "Saved");
  };
  return (
    <Form doing={doing} onSubmit={save}>
      <Input label="Key" name="key" value={form.key} onChange={(key) => setForm({ ...form, key })} required />
      <Input
        label="Parameter value"
        name="value"
        value={form.value}
        onChange={(value) => setForm({ ...form, value })}
      />
      <button type="submit" disabled={doing.isBusy}>
        {form.id === "" ? "Add parameter" : "Save parameter"}
      </button>
    </Form>
  );
}

/** The parameters of a device. */
export function DeviceParams({ device }: { readonly device: string }) {
  const { resources } = useConsole();
  const loaded = useLoad(device, () => resources.devices.paramList(device));
  const doing = useDoing(loaded.reload);
  const [form, setForm] = useState(NEW);
  return (
    <section>
      <h2>Parameters</h2>
      <Content of={loaded}>
        {(params) => (
          <Table
            name="params"
            caption={countOf(params.length, "parameter")}
            rows={params}
            rowKey={({ id }) => id}
            empty="The device has no parameters."
            columns={[
              { title: "Key", cell: ({ key }) => shown(key, 200) },
              { title: "Value", kind: "wide", cell: ({ value }) => shown(value, 500) },
              {
                title: "Read by the device",
                cell: ({ sent }) => (sent ? <State tone="good">Yes</State> : <State tone="plain">No</State>),
              },
              {
                title: "Actions",
                kind: "actions",
                cell: ({ id, key, value }) => (
                  <>
                    <button type="button" onClick={() => setForm({ id, key, value })}>
                      Edit
                    </button>
                    <Confirm
                      label="Delete"
                      question={`Delete the parameter ${shown(key, 60)}?`}
                      onYes={() => doing.act(() => resources.devices.paramRemove(device, id), "Deleted")}
                    />
                  </>
                ),
              },
            ]}
          />
        )}
      </Content>
      <ParamForm device={device} doing={doing} form={form} setForm={setForm} />
      <Outcome doing={doing} />
    </section>
  );
}
