import { displays } from "./displays.ts";
import { displayOf, type Rule } from "./engine.ts";
import { get, isRecord } from "./readers.ts";
import { buttons } from "./rules/buttons.ts";
import { charts } from "./rules/charts.ts";
import { forms } from "./rules/forms.ts";
import { gauges } from "./rules/gauges.ts";
import { maps } from "./rules/maps.ts";
import { media } from "./rules/media.ts";
import { tableRules } from "./rules/tables.ts";
import { values } from "./rules/values.ts";
import { SHARED_NAMES } from "./shared.ts";

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
  const found = branches.get(get(widget, "type"));
  const subType = found?.key === undefined ? undefined : get(displayOf(widget), found.key);
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

const words = (names: string | undefined): string[] => names?.split(" ") ?? [];

const proving = ({ legacy }: Rule): string[] => [...legacy.truthy, ...(legacy.present ?? [])];

const oldKeys: ReadonlySet<string> = new Set(
  rules.flatMap((rule) => [
    ...proving(rule),
    ...(rule.legacy.shared ?? []),
    ...(rule.chosenBy === undefined ? [] : [rule.chosenBy]),
    ...words(rule.keys),
  ]),
);

const newKeys: ReadonlySet<string> = new Set(
  Object.values(displays).flatMap(({ properties = {} }) => Object.keys(properties)),
);

const deeperNames: ReadonlySet<string> = new Set([
  ...words(SHARED_NAMES),
  ...rules.flatMap(({ below }) => words(below)),
]);

/** True for a key that proves a display of this rule's widgets to be old, or that no new display of any widget has. */
export function isOldKey(rule: Rule, key: string): boolean {
  return (oldKeys.has(key) && !newKeys.has(key)) || proving(rule).includes(key);
}

/** True for a key that no old display has. */
export function isNewKey(key: string): boolean {
  return newKeys.has(key) && !oldKeys.has(key);
}

/** True for a name that old displays are known to have, at any depth. */
export function isOldName(name: string): boolean {
  return oldKeys.has(name) || deeperNames.has(name);
}
