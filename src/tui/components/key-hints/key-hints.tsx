import { Text } from "ink";
import type { ReactNode } from "react";
import { fitHints, type KeyHint } from "./fit-hints.ts";

/** The line of keys at the bottom of a screen. */
export function KeyHints({ hints, width }: { readonly hints: readonly KeyHint[]; readonly width: number }): ReactNode {
  return (
    <Text wrap="truncate">
      {fitHints(hints, width).map(([key, does], i) => (
        <Text key={key}>
          {i === 0 ? "" : "  "}
          <Text bold>{key}</Text> {does}
        </Text>
      ))}
    </Text>
  );
}
