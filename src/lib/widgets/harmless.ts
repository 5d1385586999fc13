/** Why a key is not needed: the new widget looks and works the same without it. */
export const harmless = {
  decidedElsewhere: "the other settings of this widget decide",
  hiddenVariable: "its variable is not shown by the widget",
  hiddenDevice: "its device is not shown by the widget",
  sameLabel: "same as the variable name",
  repeatedName: "duplicate name",
  defaultZoom: "0 means the default zoom",
  notStatic: 'shown only when type_image is "static"',
} as const;

const reasons: ReadonlySet<string> = new Set(Object.values(harmless));
const OVERRULES = " says otherwise";

/** The reason of a legacy key that a key of the new structure replaces. */
export const overruledBy = (path: string): string => `${path}${OVERRULES}`;

/** Whether nothing is different to see without a key that has this reason. */
export const isHarmless = (reason: string): boolean => reasons.has(reason) || reason.endsWith(OVERRULES);
