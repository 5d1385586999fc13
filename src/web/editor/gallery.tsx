import { useEffect, useMemo, useRef, useState } from "react";
import { displays, sampleData } from "../../lib/widgets/draw/page.ts";
import { nameOf as nameOfType, newWidget } from "../../lib/widgets/starter.ts";
import { countOf } from "../../text/count.ts";
import { clockMs } from "../api.ts";
import { Input } from "../components/basics.tsx";
import { useConsole } from "../hooks.ts";
import { Picture } from "./picture.tsx";

interface GalleryProps {
  readonly onChoose: (type: string) => void;
  readonly onClose: () => void;
}

const PICTURE_PX = 170;

/** Whether an element has been in view: what nobody has scrolled to is not drawn. */
function useSeen(): readonly [ref: (element: HTMLElement | null) => (() => void) | undefined, isSeen: boolean] {
  const [isSeen, setSeen] = useState(false);
  const observe = useRef((element: HTMLElement | null) => {
    if (element === null) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  });
  return [observe.current, isSeen];
}

/** Every type of widget with sample data, to choose a new one from. */
export function Gallery({ onChoose, onClose }: GalleryProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  useEffect(() => dialog.current?.showModal(), []);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = Object.keys(displays()).filter((type) =>
    words.every((word) => `${type} ${nameOfType(type)}`.toLowerCase().includes(word)),
  );
  const choose = (type: string | undefined): void => {
    if (type === undefined) return;
    dialog.current?.close();
    onChoose(type);
  };
  return (
    <dialog ref={dialog} className="wide" aria-label="Add a widget" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(found[0]);
        }}
      >
        <div className="row">
          <Input label="Search widget types" type="search" value={text} onChange={setText} />
          <button type="button" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <span role="status">
            {found.length === 0 ? "No type found" : `${countOf(found.length, "type")}. Enter adds the first one.`}
          </span>
        </div>
      </form>
      <ul className="gallery">
        {found.map((type) => (
          <Sample key={type} type={type} onChoose={() => choose(type)} />
        ))}
      </ul>
    </dialog>
  );
}

function Sample({ type, onChoose }: { readonly type: string; readonly onChoose: () => void }) {
  const { session } = useConsole();
  const [ref, isSeen] = useSeen();
  const nowMs = useState(() => clockMs(session.clock))[0];
  const sample = useMemo(() => {
    const definition = newWidget(type);
    return { definition, content: sampleData(definition, nowMs) };
  }, [type, nowMs]);
  return (
    <li ref={ref}>
      <button type="button" onClick={onChoose}>
        {nameOfType(type)}
      </button>
      <div style={{ height: PICTURE_PX }}>{isSeen && <Picture {...sample} heightPx={PICTURE_PX} />}</div>
    </li>
  );
}
