import { Box, Text } from "ink";
import type { ReactNode } from "react";
import { cut, widthOf } from "../../../text/width.ts";
import { KeyHints } from "../../components/key-hints/key-hints.tsx";
import { TextField } from "../../components/text-field/text-field.tsx";
import { useTheme } from "../../hooks/screen-context.ts";
import { hints, nestedHints } from "../live-keys.ts";
import type { LiveModel } from "../live-model.ts";
import type { LiveState } from "../live-state.ts";
import { countText } from "../words.ts";

interface FootProps {
  readonly model: LiveModel;
  readonly isNested?: boolean;
  readonly width: number;
}

/** What is asked, what was done last, or the keys. */
export function Foot({ model, isNested = false, width }: FootProps): ReactNode {
  const { prompt, notice, overlay } = model.state;
  const { colors, marks } = useTheme();
  if (prompt !== undefined) return <Asked model={model} prompt={prompt} width={width} />;
  if (notice !== "")
    return (
      <Text color={colors.accent} wrap="truncate">
        {cut(notice, width, marks.cut)}
      </Text>
    );
  const [reason] = model.buffer.size > 0 ? model.reasons : [];
  if (overlay === "none" && reason !== undefined)
    return (
      <Text color={colors.bad} wrap="truncate">
        {cut(`No data arrives. ${reason}`, width, marks.cut)}
      </Text>
    );
  if (overlay !== "none")
    return (
      <KeyHints
        hints={[
          ["Esc", "back"],
          ["q", "quit"],
        ]}
        width={width}
      />
    );
  const words = chosenWords(model.state);
  const chosen = words === "" ? "" : `[${cut(words, Math.floor(width / 2), marks.cut)}]  `;
  return (
    <Text wrap="truncate">
      <Text color={colors.waiting}>{chosen}</Text>
      <KeyHints hints={isNested ? nestedHints : hints} width={width - widthOf(chosen)} />
    </Text>
  );
}

/** By variable is how the view begins. */
const groupWords = { variable: "", device: "by device", none: "every record" } as const;

function chosenWords({ filter, group, sort, isReversed }: LiveState): string {
  return [
    filter === "" ? "" : `filter "${filter}"`,
    groupWords[group],
    sort === "time" && !isReversed ? "" : `sorted by ${sort}${isReversed ? " reversed" : ""}`,
  ]
    .filter((text) => text !== "")
    .join(", ");
}

/** Cells a field has at least before the keys beside it leave. */
const FIELD_FROM = 30;

function Asked({ model, prompt, width }: FootProps & { readonly prompt: NonNullable<LiveState["prompt"]> }): ReactNode {
  const { question, keys } = promptTexts(model, prompt);
  const room = width - widthOf(question);
  const after = keys.find((text) => room - widthOf(text) >= FIELD_FROM) ?? "";
  const field = Math.max(4, room - widthOf(after));
  return (
    <Box width={width} height={1} overflow="hidden">
      <Text bold>{question}</Text>
      <Box width={field} flexShrink={0}>
        <TextField field={prompt.field} width={field} />
      </Box>
      <Text dimColor>{after}</Text>
    </Box>
  );
}

interface PromptTexts {
  readonly question: string;
  /** The keys, the longest form first. */
  readonly keys: readonly string[];
}

function promptTexts(model: LiveModel, { kind, isAll }: NonNullable<LiveState["prompt"]>): PromptTexts {
  if (kind === "filter") return { question: "Filter: ", keys: ["  Enter apply  Esc clear", "  Enter  Esc"] };
  const { filter } = model.state;
  const count = countText(model.records(isAll).length);
  const what = isAll || filter === "" ? "all" : "filtered";
  const scope = filter === "" ? "" : `  Tab ${isAll ? "filtered" : "all"}`;
  return {
    question: `Save ${what} ${count} to: `,
    keys: [`${scope}  .csv .ndjson .json  Esc back`, `${scope}  Esc back`, scope],
  };
}
