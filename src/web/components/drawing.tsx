import { lazy, Suspense, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Resources, WidgetDataResult } from "../../index.ts";
import { type DrawOptions, drawWidget, isChart, type LoadedImage, readWidget } from "../../lib/widgets/draw/page.ts";
import { clockMs } from "../api.ts";
import { useConsole } from "../hooks.ts";

const ChartHover = lazy(async () => ({ default: (await import("./chart-hover.tsx")).ChartHover }));

interface DrawingProps {
  readonly result: WidgetDataResult;
  /** Height of its cell in the grid. */
  readonly heightPx: number;
  /** A picture only: nothing follows the pointer or the time. */
  readonly isStill?: boolean;
}

/** Whether an address is that of a file of this sandbox. Nothing is loaded from anywhere else. */
function isOwnFile(address: string): boolean {
  const url = URL.canParse(address, location.href) ? new URL(address, location.href) : undefined;
  return url?.origin === location.origin && url.pathname.startsWith("/file/");
}

/** An image of a file with its size; undefined for what is no image, or no longer there. */
async function loadImage(resources: Resources, address: string): Promise<LoadedImage | undefined> {
  try {
    const own = new URL(address, location.href);
    const link = new URL(await resources.files.getFileURLSigned(own.origin + own.pathname));
    const href = link.pathname + link.search;
    const image = new Image();
    image.src = href;
    await image.decode();
    return { href, width: image.naturalWidth, height: image.naturalHeight };
  } catch {
    return undefined;
  }
}

/** The images of these addresses that are own files: each is looked for once, and there when it was found. */
function useOwnImages(addresses: readonly string[], onFound: (address: string, image: LoadedImage) => void): void {
  const { resources } = useConsole();
  const asked = useRef(new Set<string>());
  const found = useEffectEvent(onFound);
  useEffect(() => {
    for (const address of addresses) {
      if (asked.current.has(address) || !isOwnFile(address)) continue;
      asked.current.add(address);
      loadImage(resources, address).then((image) => image && found(address, image));
    }
  }, [resources, addresses]);
}

/** A widget with its data, drawn in the width there is. */
export function Drawing({ result, heightPx, isStill = false }: DrawingProps) {
  const { session } = useConsole();
  const holder = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [nowMs, setNow] = useState(Date.now);
  const isClock = !isStill && result.widget.type === "clock";
  const isOverTime = useMemo(() => !isStill && isChart(readWidget(result.widget).type), [result.widget, isStill]);
  useEffect(() => {
    const target = holder.current;
    if (target === null) return;
    const observer = new ResizeObserver(() => setWidth(target.clientWidth));
    observer.observe(target);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    if (!isClock) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isClock]);
  const [images, setImages] = useState<ReadonlyMap<string, LoadedImage>>(new Map());
  const shownMs = clockMs(session.clock, nowMs);
  const options = useMemo(
    (): DrawOptions => ({ width, height: heightPx, nowMs: shownMs, showLabel: false }),
    [width, heightPx, shownMs],
  );
  const { html, addresses } = useMemo(() => {
    const asked = new Set<string>();
    if (width === 0) return { html: "", addresses: [] };
    // The name stands above it already, with the buttons.
    const widget = { ...result.widget, display: { ...result.widget.display, header_buttons: [] } };
    const html = drawWidget(widget, result.content, {
      ...options,
      images: (address) => {
        asked.add(address);
        return images.get(address);
      },
    });
    return { html, addresses: [...asked] };
  }, [result, width, options, images]);
  useOwnImages(addresses, (address, image) => setImages((others) => new Map([...others, [address, image]])));
  useLayoutEffect(() => put(html, holder.current), [html]);
  const drawing = <div ref={holder} className="drawing" />;
  if (!isOverTime) return drawing;
  return (
    <div className="hovered">
      {drawing}
      <Suspense>{width > 0 && <ChartHover result={result} options={options} holder={holder} />}</Suspense>
    </div>
  );
}

/** The drawings escape every string; they hold no script, no style, and of what is loaded only images of own files. */
function put(html: string, target: HTMLElement | null): void {
  target?.replaceChildren(document.createRange().createContextualFragment(html));
}

/** A cell of a drawn table. */
export function DrawnCell({ html, align }: { readonly html: string; readonly align: string }) {
  const holder = useRef<HTMLTableCellElement>(null);
  useLayoutEffect(() => put(html, holder.current), [html]);
  return <td ref={holder} className={align || undefined} />;
}
