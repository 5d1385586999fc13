import type { Source } from "../readers.ts";
import { colorOf, inkOn, shadeClass } from "./color.ts";
import { ICON_PATHS } from "./icon-paths.ts";
import { imageTag } from "./images.ts";
import { type Attributes, label, tag, VALUE } from "./markup.ts";
import { below, textOf } from "./read.ts";
import type { Scene } from "./scene.ts";

type Name = keyof typeof ICON_PATHS;

/** Words that icons are called by, beside the names that they have here. */
const WORDS = {
  activity: "pulse heartbeat ecg",
  "air-vent": "ac conditioner air-conditioning hvac",
  "alarm-clock": "alarm",
  "battery-full": "charged",
  bell: "notification ring",
  bike: "bicycle cycle cyclist",
  box: "cube parcel",
  building: "office company skyscraper buildings",
  bus: "vehicle12 autobus coach",
  camera: "photo photograph",
  car: "car95 automobile auto taxi cab",
  cctv: "surveillance security-camera",
  "chart-column": "bar-chart bars graph chart statistics analytics histogram",
  "chart-line": "line-chart",
  "chart-pie": "pie-chart pie",
  check: "tick ok checkmark check-mark",
  "circle-check": "checked checked-symbol check-circle success done verified",
  "circle-question-mark": "question question-mark help",
  "circle-x": "cancel error times-circle fail failure",
  clock: "time watch-clock",
  "cloud-lightning": "storm thunder thunderstorm",
  "cloud-rain": "rain rainy",
  "cloud-snow": "snow",
  contrast: "adjust adjust-contrast",
  cpu: "chip processor microprocessor",
  cylinder: "tank silo",
  "dollar-sign": "dollar money usd",
  "door-closed": "door",
  "door-open": "open-door exit-door",
  droplet: "drop water tint water-drop humidity liquid oil tint-drop rain-drop",
  droplets: "drops",
  "ev-charger": "charger charging-station",
  eye: "visibility",
  factory: "industry plant",
  fan: "ventilator ventilation blower",
  faucet: "tap water-tap",
  flag: "finish",
  flame: "fire burn",
  "flask-conical": "flask lab laboratory",
  fuel: "gas gas-station gas-pump petrol gasoline diesel",
  funnel: "filter",
  gauge: "dashboard speedometer meter tachometer pressure manometer speed",
  globe: "world earth internet global planet",
  "grid-3x3": "grid th table",
  "hard-hat": "helmet worker",
  heart: "love",
  heater: "radiator heating",
  hospital: "clinic h-square",
  house: "home residence home152 home153 houses",
  image: "picture",
  info: "information info-circle about",
  key: "keys",
  landmark: "bank institution museum",
  leaf: "nature eco leaves",
  lightbulb: "bulb idea light",
  lock: "padlock locked closed-lock",
  "lock-open": "unlock unlocked open-lock",
  mail: "mail10 envelope email letter message",
  "map-pin": "pin56 location marker pin map-marker place position placeholder location-pin map-pointer poi",
  "message-square": "comment chat speech-bubble",
  mic: "microphone",
  minus: "subtract",
  monitor: "desktop screen computer display pc",
  motorbike: "motorcycle scooter8 scooter moped",
  navigation: "location-arrow direction",
  network: "sitemap hierarchy",
  "octagon-alert": "stop",
  pen: "pencil edit write",
  phone: "telephone call",
  plane: "airplane aircraft airport",
  plug: "socket outlet connector electric-plug",
  power: "power-off power-button switch-off on-off",
  plus: "add",
  printer: "print",
  radio: "broadcast beacon gateway",
  "radio-tower": "cell-tower tower transmitter",
  "refresh-cw": "refresh sync reload update",
  refrigerator: "fridge freezer",
  road: "highway street",
  rss: "feed",
  satellite: "orbit",
  save: "floppy floppy-disk diskette",
  search: "magnifier magnifying-glass zoom",
  settings: "setting configuration configure gear cogwheel gears cog cogs",
  "share-2": "share",
  ship: "boat vessel",
  "shopping-cart": "cart basket",
  signal: "signal-bars reception coverage",
  siren: "emergency beacon-light alert-light",
  "sliders-horizontal": "sliders controls",
  smartphone: "mobile cellphone mobile-phone cell-phone",
  snowflake: "frost ice",
  "solar-panel": "solar photovoltaic pv",
  sprout: "seedling seed crop",
  store: "shop market",
  tag: "label price-tag",
  target: "bullseye crosshairs aim",
  thermometer: "temperature temp",
  timer: "stopwatch",
  "toggle-left": "toggle-off",
  "toggle-right": "toggle toggle-on switch switch-on",
  "train-front": "train railway subway metro",
  trash: "bin garbage delete waste dustbin",
  "tree-deciduous": "tree",
  "triangle-alert": "warning attention alert exclamation exclamation-triangle caution danger hazard",
  truck: "delivery51 lorry delivery",
  user: "person man woman avatar account people-one profile",
  users: "people group team persons",
  utensils: "cutlery food restaurant",
  "utility-pole": "power-pole pylon electricity-pole",
  video: "video-camera film movie",
  "volume-2": "volume volume-up sound audio",
  "volume-x": "mute volume-off",
  warehouse: "storehouse depot",
  "waves-horizontal": "waves wave flood sea",
  weight: "load mass kilogram",
  wheat: "grain barley",
  wind: "air breeze",
  wrench: "spanner tool tools repair maintenance service",
  x: "close cross times remove",
  zap: "bolt lightning electricity electric energy flash lightning-bolt thunderbolt voltage current",
} as const satisfies Partial<Record<Name, string>>;

const PATHS = new Map<string, string>(Object.entries(ICON_PATHS));
const NAMES = new Map<string, string>(
  Object.entries(WORDS).flatMap(([name, words]) => words.split(" ").map((word) => [word, name] as const)),
);

/** Words of the names of icons that say nothing of what they show. */
const LOOKS =
  /^(?:icon|icons|symbol|sign|silhouette|shape|shadow|black|white|solid|circle|square|outline|outlined|filled|fill|line|regular|variant|button|alt|o|\d+)$/;
/** Last words that make something else of what is shown. */
const CHANGES = /^(?:plus|minus|add|remove|x|times|check|off|on|up|down|left|right|open|slash)$/;
/** What comes before the names of a set, such as fa- and mdi-. */
const SETS = /^(?:fa|fas|far|fal|fab|fa-solid|fa-regular|mdi|mdi-light|flaticon|icon|lucide|tabler|bi|ri|ti)[-:]/;

/** The name in a name or an address: `https://svg.internal.tago.io/map-marker.svg` is `map-marker`. */
const nameIn = (text: string): string => {
  const [, file] = /([^/?#]+)\.(?:svg|png)(?:[?#].*)?$/i.exec(text) ?? [];
  const name = file ?? (/[/?#]/.test(text) ? "" : (text.trim().split(/\s+/).at(-1) ?? ""));
  return name.toLowerCase().replaceAll("_", "-").replace(SETS, "");
};

/** Path data of a named icon; undefined for one that is not known. */
function pathOf(text: string): string | undefined {
  if (text.length > 300) return undefined;
  const find = (name: string): string | undefined => PATHS.get(NAMES.get(name) ?? name) ?? PATHS.get(name);
  const name = nameIn(text);
  // What stands before "on", "of" or "with" is shown, the last word of it in any case: "delivery-truck-silhouette".
  const [shown = ""] = name.split(/-(?:on|of|with|in|for|and|inside|to|from)-/);
  const words = shown.split("-").filter((word) => !LOOKS.test(word));
  const last = words.at(-1) ?? "";
  return find(name) ?? find(words.join("-")) ?? (words.length > 1 && CHANGES.test(last) ? undefined : find(last));
}

/** Whether an icon is that of a location on a map. */
export const isPin = (text: string): boolean => pathOf(text) === ICON_PATHS["map-pin"];

/** Lines of a named icon around a point; undefined for one that is not known. */
export function glyph(x: number, y: number, size: number, name: string, look: Attributes): string | undefined {
  const d = pathOf(name);
  if (d === undefined) return undefined;
  const place = { x: x - size / 2, y: y - size / 2, width: size, height: size, viewBox: "0 0 24 24" };
  const lines = { d, fill: "none", "stroke-width": 2, "stroke-linecap": "round", "stroke-linejoin": "round" };
  return tag("svg", { ...place, "aria-hidden": "true" }, tag("path", { ...lines, ...look }));
}

/** What lines are painted with. */
export const strokeWith = (color: string | undefined): Attributes =>
  color === undefined ? { class: "iot-icon" } : { stroke: color, class: shadeClass(color) };

/** The name or address of an icon in the settings of a variable, a button, a pin or a condition. */
export const iconIn = (settings: Source | undefined): string =>
  textOf(settings, "icon", "url", "icon_url") || textOf(below(settings, "icon"), "url", "name");

/** An icon in its color; the image of an unknown one where it may be loaded, else a round mark with the first letter. */
export function badge(
  scene: Scene,
  x: number,
  y: number,
  r: number,
  name: string,
  color: string | undefined,
  icon = "",
): string {
  const known = glyph(x, y, r * 2, icon, strokeWith(color));
  if (known !== undefined) return known;
  const image = icon === "" ? undefined : scene.images(icon);
  if (image !== undefined) return imageTag(image.href, { x: x - r, y: y - r, width: r * 2, height: r * 2 });
  const letter = [...name.trim()][0]?.toUpperCase() ?? "";
  return (
    tag("circle", { cx: x, cy: y, r, ...(color === undefined ? { class: "iot-accent" } : { fill: color }) }) +
    label(x, y + r * 0.36, letter, { ...VALUE, size: r, fill: color === undefined ? "#fff" : inkOn(color) })
  );
}

/** An icon as the mark of a condition in a table: the dot of its color where it is not known. */
export function mark(color: unknown, icon: string): string {
  const shown = colorOf(color);
  const known = glyph(7, 7, 14, icon, strokeWith(shown));
  const dot = tag("circle", {
    cx: 7,
    cy: 7,
    r: 6,
    ...(shown === undefined ? { class: "iot-accent" } : { fill: shown }),
  });
  return tag(
    "svg",
    { class: "iot-mark", width: 14, height: 14, viewBox: "0 0 14 14", "aria-hidden": "true" },
    known ?? dot,
  );
}
