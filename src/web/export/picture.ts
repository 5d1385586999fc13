import type { WidgetDataResult } from "../../index.ts";
import { type DrawOptions, drawWidget, widgetStyles } from "../../lib/widgets/draw/page.ts";

const SVG = "http://www.w3.org/2000/svg";
const XHTML = "http://www.w3.org/1999/xhtml";

/** A picture of a widget as a file of its own. */
export interface Picture {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

function svgElement(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/** What the style sheet says of an element, which a file of its own does not have. */
const STYLES = ["fill", "stroke", "stroke-width", "filter"] as const;
const NONE: Readonly<Record<string, string>> = {
  fill: "rgb(0, 0, 0)",
  stroke: "none",
  "stroke-width": "1px",
  filter: "none",
};

/** A copy of a drawing whose elements have the colors of the page themselves. */
function colored(drawing: SVGSVGElement): SVGSVGElement {
  const copy = document.importNode(drawing, true);
  const own = drawing.querySelectorAll("*");
  for (const [place, element] of copy.querySelectorAll("*").entries()) {
    const original = own[place];
    if (original === undefined || !element.hasAttribute("class")) continue;
    const style = getComputedStyle(original);
    for (const name of STYLES) {
      const value = style.getPropertyValue(name);
      if (value !== "" && value !== NONE[name]) element.setAttribute(name, value);
    }
    element.removeAttribute("class");
  }
  return copy;
}

/** Puts images into the file itself. */
async function withImages(root: Element): Promise<void> {
  for (const image of root.querySelectorAll("image, img")) {
    const name = image.localName === "img" ? "src" : "href";
    const address = image.getAttribute(name);
    if (address === null || address.startsWith("data:")) continue;
    const blob = await (await fetch(address)).blob();
    const data = await new Promise<string>((resolve, reject) => {
      const reader = new FileReader();
      reader.onload = () => resolve(String(reader.result));
      reader.onerror = () => reject(reader.error ?? new Error("The image cannot be read"));
      reader.readAsDataURL(blob);
    });
    image.setAttribute(name, data);
  }
}

/** The drawing alone, with its name above it: any program that knows SVG can show it. */
function drawingAlone(figure: HTMLElement, drawing: SVGSVGElement, size: DOMRect): SVGElement {
  const { backgroundColor, color } = getComputedStyle(figure);
  const painted = figure.querySelector(".iot-back rect");
  const root = svgElement("svg", { "font-family": "system-ui, 'Segoe UI', Roboto, sans-serif" });
  const background = painted === null ? backgroundColor : getComputedStyle(painted).fill;
  root.append(svgElement("rect", { width: "100%", height: "100%", fill: background }));
  const name = figure.querySelector(".iot-label")?.textContent ?? "";
  if (name !== "") {
    const text = svgElement("text", { x: 14, y: 24, "font-size": 15, "font-weight": 600, fill: color });
    text.textContent = name;
    root.append(text);
  }
  const copy = colored(drawing);
  const { left, top } = drawing.getBoundingClientRect();
  copy.setAttribute("x", String(left - size.left));
  copy.setAttribute("y", String(top - size.top));
  root.append(copy);
  return root;
}

/** What is HTML, such as tables, with its style sheet: browsers show it. */
function page(figure: HTMLElement): SVGElement {
  const dark = getComputedStyle(figure).colorScheme === "dark";
  const root = svgElement("svg", { "data-theme": dark ? "dark" : "light" });
  const style = svgElement("style", {});
  style.textContent = widgetStyles();
  const frame = svgElement("foreignObject", { width: "100%", height: "100%" });
  const body = document.createElementNS(XHTML, "div");
  body.append(document.importNode(figure, true));
  frame.append(body);
  root.append(style, frame);
  return root;
}

/** Draws a widget as it is on the page, with its name, in the colors that the page has now. */
export async function pictureOf(result: WidgetDataResult, options: DrawOptions): Promise<Picture> {
  const host = document.createElement("div");
  host.className = "export-host";
  const html = drawWidget(result.widget, result.content, { ...options, showLabel: true });
  host.append(document.createRange().createContextualFragment(html));
  document.body.append(host);
  try {
    const figure = host.querySelector<HTMLElement>(".iot-widget");
    if (figure === null) throw new Error("The widget has no drawing");
    figure.style.width = `${options.width ?? 480}px`;
    const size = figure.getBoundingClientRect();
    const body = figure.querySelector(".iot-body");
    const drawing = body?.children.length === 1 ? body.querySelector<SVGSVGElement>(":scope > svg.iot-svg") : null;
    const root = drawing === null ? page(figure) : drawingAlone(figure, drawing, size);
    const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
    for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` }))
      root.setAttribute(name, String(value));
    await withImages(root);
    return { text: new XMLSerializer().serializeToString(root), width, height };
  } finally {
    host.remove();
  }
}

/** Pixels for one of the page: sharp on screens and in documents. */
const SHARPNESS = 2;

/** The picture in pixels. */
export async function pngOf({ text, width, height }: Picture): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [width * SHARPNESS, height * SHARPNESS];
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error("This browser cannot make a picture of the widget"));
      else resolve(blob);
    }, "image/png");
  });
}
