import { useMemo } from "react";
import type { WidgetContent } from "../../index.ts";
import { Drawing } from "../components/drawing.tsx";
import type { Definition } from "./model.ts";

interface PictureProps {
  readonly definition: Definition;
  readonly content: readonly WidgetContent[];
  readonly heightPx: number;
}

/** The drawing of a definition, which nobody can press anything in. */
export function Picture({ definition, content, heightPx }: PictureProps) {
  const result = useMemo(
    () => ({ widget: { ...definition, id: "", dashboard: "" }, content: [...content] }),
    [definition, content],
  );
  return (
    <div className="picture" inert>
      <Drawing result={result} heightPx={heightPx} />
    </div>
  );
}
