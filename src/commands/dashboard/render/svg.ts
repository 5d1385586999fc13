import { slugOf } from "../../../text/slug.ts";
import type { Figure, Pen } from "./drawing.ts";
import type { ReadDashboard, ReadWidget } from "./read.ts";

const labelOf = (widget: ReadWidget): string => ("result" in widget ? widget.result.widget.label : widget.label);

/**
 * A drawing as a file of its own. The figure is HTML, and tables and forms are too: it stands in the SVG as a whole, which
 * web browsers draw.
 */
function svgText({ html, width, height }: Figure, title: string, { styles, theme, escapeText }: Pen): string {
  const [outerWidth, outerHeight] = [width + 2, height + 2];
  const attribute = theme === "auto" ? "" : ` data-theme="${theme}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${outerWidth}" height="${outerHeight}" viewBox="0 0 ${outerWidth} ${outerHeight}"${attribute}>
<title>${escapeText(title)}</title>
<style><![CDATA[${styles}.whole, .iot-widget { height: 100%; }]]></style>
<foreignObject width="100%" height="100%"><div xmlns="http://www.w3.org/1999/xhtml" class="whole">${html.replaceAll("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')}</div></foreignObject>
</svg>
`;
}

/** The files of a folder, one per widget, by name. */
export function svgFiles({ tabs, widgets }: ReadDashboard, pen: Pen): Map<string, string> {
  const files = new Map<string, string>();
  const drawn = new Set<string>();
  for (const place of tabs.flatMap(({ places }) => places)) {
    const widget = widgets.get(place.widget);
    if (widget === undefined || drawn.has(widget.id)) continue;
    drawn.add(widget.id);
    const title = labelOf(widget);
    const base = slugOf(title, "widget");
    // Two widgets may have one name.
    const name = files.has(`${base}.svg`) ? `${base}-${widget.id}.svg` : `${base}.svg`;
    files.set(name, svgText(pen.draw(widget, place), title, pen));
  }
  return files;
}
