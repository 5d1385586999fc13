import type { LegacyKeys, Rule } from "../engine.ts";
import { by, copied, list, type Out, or, own, put, type Source } from "../readers.ts";
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
  const conditions = list(own(d, "conditions")).length > 0;
  const isStatic =
    own(d, "type_image") === "static" || (!conditions && (own(d, "static_image") || own(d, "static_media")));
  if (!isStatic) {
    return {
      type: by(d, "type_image", "conditional"),
      conditions: mapRecords(d, "conditions", imageCondition, "empty"),
    };
  }
  const out: Out = { type: by(d, "type_image", "static") };
  put(out, "static_image", copied(d, own(d, "static_image") ? "static_image" : "static_media"));
  return out;
}

function imageCondition(item: Source): Out {
  const out: Out = {};
  put(out, "condition", copied(item, "condition"));
  put(out, "url", copied(item, own(item, "image") ? "image" : "media_url"));
  put(out, "value", copied(item, "value"));
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
    put(source, "static_video", copied(d, own(d, "static_media") ? "static_media" : "static_image"));
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
      parameters: or(d, "parameters", []),
      theme: { color: { background: null } },
      url: or(d, "url", ""),
      variables: or(d, "variables", []),
    };
    put(out, "header_size", copied(d, "header_size"));
    put(out, "user", copied(d, "user"));
    return out;
  },
};

export const media: readonly Rule[] = [image, video, iframe];
