/** Default texts, colours and URLs of converted widgets. */

export const SUBMIT_TEXT = "Send";
export const SUBMIT_COLOR = "#337ab7";
export const TOOLS_TITLE = "Tools";
export const PIN_COLOR = "rgb(49, 60, 70)";
export const PIN_IMAGE_URL = "https://svg.internal.tago.io/map-marker.svg";
export const DELETE_MESSAGE = "Do you really want to delete this row?";

export const DATE_COLUMN = {
  alias: "Date and Time",
  allow_resize: true,
  fixed_width: 100,
  id: "date",
  is_date: true,
  overflow_behavior: "stretch",
  size: "auto",
} as const;

export const CONTROL_COLUMN = {
  alias: "Controls",
  alignment: "center",
  delete_cancel_text: "Cancel",
  delete_confirm_text: "Yes, delete row",
  delete_title: "Delete row",
  fixed_width: 33,
  id: "control",
  is_control: true,
  overflow_behavior: "stretch",
  size: "fixed",
} as const;

/** Colours of chart variables, in order. */
export const PALETTE = [
  "hsl(210, 71%, 70%)",
  "hsl(240, 4%, 27%)",
  "hsl(110, 76%, 71%)",
  "hsl(26, 87%, 61%)",
  "hsl(237, 70%, 71%)",
  "hsl(346, 84%, 65%)",
  "hsl(53, 73%, 61%)",
  "hsl(179, 54%, 37%)",
  "hsl(0, 87%, 66%)",
  "hsl(175, 65%, 74%)",
  "hsl(0, 100%, 28%)",
  "hsl(191, 78%, 45%)",
  "hsl(267, 46%, 30%)",
  "hsl(217, 68%, 68%)",
  "hsl(0, 68%, 46%)",
  "hsl(82, 47%, 60%)",
] as const;

/** Colour of every variable after the palette is used up. */
export const SPARE_COLOR = "#999";

/** New icon names by the CSS class of the old map pins. */
export const ICON_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["flaticon flaticon-car95", "car"],
  ["flaticon flaticon-pin56", "location"],
  ["flaticon flaticon-home152", "residence"],
  ["flaticon flaticon-home153", "residence"],
  ["flaticon flaticon-vehicle12", "bus"],
  ["flaticon flaticon-scooter8", "motorcycle"],
  ["flaticon flaticon-delivery51", "truck"],
  ["flaticon flaticon-mail10", "mail"],
]);

/** Old interval units, anywhere in a string. */
export const INTERVAL_UNIT = /hra|wek|mth|yer/g;

/** New name of each old interval unit. */
export const INTERVAL_WORDS: ReadonlyMap<string, string> = new Map([
  ["hra", "hour"],
  ["wek", "week"],
  ["mth", "month"],
  ["yer", "year"],
]);
