import type { WidgetContent, WidgetData } from "../../index.ts";
import { Records, sampleData } from "../../lib/widgets/draw/page.ts";
import { clockMs } from "../api.ts";
import { useConsole, useLoad, useSettled } from "../hooks.ts";
import { type Definition, isSame } from "./model.ts";
import { hasSources } from "./sources.ts";

interface ContentProps {
  readonly dashboard: string;
  readonly id: string;
  readonly definition: Definition;
  /** As the platform has it; undefined for a widget that is new. */
  readonly stored: Definition | undefined;
}

interface Shown {
  readonly content: readonly WidgetContent[];
  /** Nothing was read: it is made up. */
  readonly isSample: boolean;
}

/** What is typed is read from devices once it has stood for this long. */
const TYPED_MS = 400;
const RECORDS = 96;
const ID = /^[0-9a-f]{24}$/;

/** What a widget shows as it is edited: its data where there is some, otherwise sample data. */
export function useContent({ dashboard, id, definition, stored }: ContentProps): Shown {
  const { session, resources } = useConsole();
  const { data, resource } = definition;
  const isStored = stored !== undefined && isSame([stored.data, stored.resource], [data, resource]);
  const asked = isStored || !hasSources(definition) ? "" : JSON.stringify(data ?? []);
  const settled = useSettled(asked, TYPED_MS);
  const loaded = useLoad(`${dashboard} ${id} ${isStored} ${settled}`, async (signal) => {
    // Here nothing depends on it: what cannot be read is drawn with sample data.
    const read = async (): Promise<WidgetContent[]> => {
      if (isStored) return (await resources.dashboards.widgets.getData(dashboard, id, undefined, { signal })).content;
      const entries = (settled === "" ? [] : JSON.parse(settled)) as WidgetData[];
      return Promise.all(
        entries.map(async (entry) => {
          const { origin, variables } = entry;
          if (!ID.test(String(origin)) || variables === undefined) return { data: entry, result: [] };
          const query = { variables: [variables].flat(), qty: RECORDS };
          return { data: entry, result: await resources.devices.getDeviceData(origin, query, { signal }) };
        }),
      );
    };
    return read().catch(() => []);
  });
  const content = loaded.data ?? [];
  if (!hasSources(definition) || !new Records(content).isEmpty) return { content, isSample: false };
  return { content: sampleData(definition, clockMs(session.clock)), isSample: true };
}
