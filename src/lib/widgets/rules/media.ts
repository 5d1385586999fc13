import type { LegacyKeys, Rule } from "../engine.ts";
import { harmless } from "../harmless.ts";
import { copied, copyOr, derived, drop, get, type Out, type Source, set } from "../readers.ts";
import { mapRecords } from "../shared.ts";

const MEDIA_COLORS = { background: null, header: null };

const legacy: LegacyKeys = {
  truthy: ["type_media", "type_image", "static_media", "static_image", "conditions"],
};

const image: Rule = {
  from: ["image/*", "media/*"],
  type: "image",
  chosenBy: "type_media",
  legacy,
  below: "image media_url",
  data: "list",
  display: (d) => ({
    allow_zoom: false,
    formula: { enable: false, formula_type: "fixed", unit_type: "origin", value: "" },
    object_fit: "contain",
    occupy_whole_widget: false,
    show_zoom_buttons: false,
    source: imageSource(d),
    theme: { color: { ...MEDIA_COLORS } },
  }),
};

function imageSource(d: Source): Out {
  // As on the platform, this key alone decides.
  if (get(d, "type_image") !== "static") {
    for (const key of ["static_image", "static_media"]) drop(d, key, harmless.notStatic);
    return {
      type: derived(d, "type_image", "conditional"),
      conditions: mapRecords(d, "conditions", imageCondition, "empty"),
    };
  }
  const out: Out = { type: derived(d, "type_image", "static") };
  set(out, "static_image", copied(d, get(d, "static_image") ? "static_image" : "static_media"));
  return out;
}

function imageCondition(item: Source): Out {
  const out: Out = {};
  set(out, "condition", copied(item, "condition"));
  set(out, "url", copied(item, get(item, "image") ? "image" : "media_url"));
  set(out, "value", copied(item, "value"));
  return out;
}

const video: Rule = {
  from: ["image/static_video", "media/static_video"],
  type: "video",
  chosenBy: "type_media",
  legacy,
  data: "list",
  display(d) {
    const source: Out = { type: "static" };
    set(source, "static_video", copied(d, get(d, "static_media") ? "static_media" : "static_image"));
    return {
      auto_play: true,
      initially_muted: true,
      loop: true,
      object_fit: "contain",
      occupy_whole_widget: false,
      show_controls: true,
      source,
      theme: { color: { ...MEDIA_COLORS } },
    };
  },
};

const iframe: Rule = {
  from: "iframe",
  type: "iframe",
  legacy: { truthy: [], present: ["watermark"] },
  keys: "header_size parameters url user",
  data: "orEmpty",
  analysisRun: "copy",
  display(d) {
    const out: Out = {
      parameters: copyOr(d, "parameters", []),
      theme: { color: { background: null } },
      url: copyOr(d, "url", ""),
      variables: copyOr(d, "variables", []),
    };
    set(out, "header_size", copied(d, "header_size"));
    set(out, "user", copied(d, "user"));
    return out;
  },
};

export const media: readonly Rule[] = [image, video, iframe];
