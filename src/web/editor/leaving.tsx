import { useEffect, useEffectEvent, useState } from "react";
import { Question } from "../components/confirm.tsx";
import { guardLeaving } from "../router.ts";

/** Asks before the editor is left with unsaved changes: by a link, by Back, or by closing the page. */
export function Leaving({ isChanged }: { readonly isChanged: boolean }) {
  const [leave, setLeave] = useState<() => void>();
  const ask = useEffectEvent((go: () => void) => setLeave(() => go));
  useEffect(() => {
    if (!isChanged) return;
    const stay = (event: BeforeUnloadEvent): void => event.preventDefault();
    const release = guardLeaving((go) => ask(go));
    addEventListener("beforeunload", stay);
    return () => {
      release();
      removeEventListener("beforeunload", stay);
    };
  }, [isChanged]);
  if (leave === undefined) return null;
  return (
    <Question
      label="Leave"
      look="main"
      question="There are unsaved changes. They stay in this tab of the browser until you come back and save or discard them."
      onYes={leave}
      onClose={() => setLeave(undefined)}
    />
  );
}
