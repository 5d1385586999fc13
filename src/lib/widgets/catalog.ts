import { displayOf, type Rule } from "./engine.ts";
import { isRecord, own } from "./readers.ts";
import { buttons } from "./rules/buttons.ts";
import { charts } from "./rules/charts.ts";
import { forms } from "./rules/forms.ts";
import { gauges } from "./rules/gauges.ts";
import { maps } from "./rules/maps.ts";
import { media } from "./rules/media.ts";
import { tableRules } from "./rules/tables.ts";
import { values } from "./rules/values.ts";

/** Every converter. */
export const rules: readonly Rule[] = [
  ...gauges,
  ...charts,
  ...tableRules,
  ...maps,
  ...media,
  ...forms,
  ...values,
  ...buttons,
];

/** The converters of one old `type`, chosen by a key of `display` where there are several. */
interface Branch {
  readonly key: string | undefined;
  readonly subTypes: Map<unknown, Rule>;
}

const branches = new Map<unknown, Branch>();
for (const rule of rules) {
  for (const from of [rule.from].flat()) {
    const [type, subType = "*"] = from.split("/");
    const branch = branches.get(type) ?? { key: from === type ? undefined : rule.chosenBy, subTypes: new Map() };
    branches.set(type, branch);
    branch.subTypes.set(subType, rule);
  }
}

/** The converter for a widget, by its old type and the sub-type in its display; undefined when there is none. */
export function ruleFor(widget: unknown): Rule | undefined {
  if (!isRecord(widget)) return undefined;
  const found = branches.get(own(widget, "type"));
  const subType = found?.key === undefined ? undefined : own(displayOf(widget), found.key);
  return found?.subTypes.get(subType) ?? found?.subTypes.get("*");
}

const byNewType = new Map<unknown, Rule>(rules.map((each) => [each.type, each]));

/** The converter whose result has this type; for widgets that carry their new type and old keys. */
export function ruleOfNewType(type: unknown): Rule | undefined {
  return byNewType.get(type);
}

/** The display keys that hold a sub-type. */
export const subTypeKeys: readonly string[] = [...new Set(rules.flatMap(({ chosenBy }) => chosenBy ?? []))];

/** Types that only old widgets have. */
export const oldTypes: ReadonlySet<unknown> = new Set([...branches.keys()].filter((type) => !byNewType.has(type)));
