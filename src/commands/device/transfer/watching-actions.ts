import type { DeviceInfo, Resources } from "../../../index.ts";
import { isObject } from "../../kit/files/files.ts";

const PAGE = 200;

/** Active actions that look at the data of a device: by its id, or by one of its tags. */
export async function watchingActions(
  { actions }: Resources,
  { id, tags }: Pick<DeviceInfo, "id" | "tags">,
): Promise<{ readonly id: string; readonly name: string }[]> {
  const own = new Set(tags.map(({ key, value }) => JSON.stringify([key, value])));
  const found: { id: string; name: string }[] = [];
  for (let page = 1; ; page += 1) {
    const list = await actions.list({
      page,
      amount: PAGE,
      fields: ["id", "name", "active", "type"],
      filter: { active: true },
    });
    for (const { id: actionID, name, active, type } of list) {
      if (active === false || !/^(condition|mqtt_topic)/.test(String(type))) continue;
      const { trigger } = await actions.info(actionID);
      const isOurs = (each: unknown): boolean =>
        isObject(each) && (each["device"] === id || own.has(JSON.stringify([each["tag_key"], each["tag_value"]])));
      if ((trigger ?? []).some(isOurs)) found.push({ id: actionID, name });
    }
    if (list.length < PAGE) return found;
  }
}
