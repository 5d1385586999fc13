import { moved } from "../components/select/state.ts";
import type { FailureChoice } from "./engine.ts";
import { choicesFor, widgetItems } from "./items.ts";
import { type Action, type Next, type Question, say, UNDO_TEXT, type WizardState } from "./model.ts";

export const failureQuestion = (text: string): Question => ({ kind: "failure", text, cursor: 0 });

/** Closes a question without an answer; the one about a failure comes back, for the run waits for it. */
function closed(state: WizardState): WizardState {
  const { failure } = state;
  return { ...state, question: failure === undefined ? undefined : failureQuestion(failure) };
}

export const showReport = (state: WizardState): WizardState => ({
  ...state,
  step: "report",
  question: undefined,
  notice: undefined,
});

/** What an answer makes of the state. */
export function onQuestion(state: WizardState, question: Question, action: Action): Next {
  if ("value" in question) return onField(state, question, action);
  if (action.type === "cancel" || action.type === "back") {
    const mayClose = question.kind === "undo" || question.kind === "begin" || question.kind === "refused";
    return [mayClose ? closed(state) : state];
  }
  if (action.type !== "select") return [state];
  const choices = choicesFor(question);
  if (action.action.type === "move") {
    return [{ ...state, question: { ...question, cursor: moved(question.cursor, action.action.by, choices.length) } }];
  }
  const choice = choices[action.action.at ?? question.cursor]?.value;
  return choice === undefined ? [state] : answered({ ...state, question: undefined }, question, choice);
}

function answered(state: WizardState, question: Question, choice: string): Next {
  switch (`${question.kind} ${choice}`) {
    case "interrupted resume":
      return [{ ...state, step: "apply", busy: undefined, total: 0 }, { do: "resume" }];
    case "interrupted undo":
      return [{ ...state, busy: "Taking back the earlier run" }, { do: "undo" }];
    case "interrupted leave":
      return [state, { do: "leave" }];
    case "failure retry":
    case "failure skip":
    case "failure stop":
      return [
        { ...state, failure: undefined },
        { do: "answer", choice: choice as FailureChoice },
      ];
    case "failure undo":
      return [{ ...state, question: { kind: "undo", text: UNDO_TEXT, cursor: 0 } }];
    case "stopped keep":
      return [showReport(state)];
    case "stopped undo":
      return [{ ...state, busy: "Taking back what was written" }, { do: "undo" }];
    case "undo yes":
      return state.step === "apply"
        ? [
            { ...state, busy: "Taking back what was written" },
            { do: "answer", choice: "undo" },
          ]
        : [{ ...state, busy: "Taking back what was written" }, { do: "undo" }];
    case "undo no":
      return [closed(state)];
    case "begin yes":
      return begin(state);
    case "refused again":
      return question.kind === "refused" ? [state, { do: "edit", id: question.id, widget: question.widget }] : [state];
    default:
      return [state];
  }
}

function onField(state: WizardState, question: Extract<Question, { value: string }>, action: Action): Next {
  switch (action.type) {
    case "text":
      return [{ ...state, question: { ...question, value: question.value + action.text } }];
    case "erase":
      return [{ ...state, question: { ...question, value: [...question.value].slice(0, -1).join("") } }];
    case "cancel":
    case "back":
      return [{ ...state, question: undefined }];
    case "submit":
      return submitted({ ...state, question: undefined }, question);
    default:
      return [state];
  }
}

function submitted(state: WizardState, { kind, value }: Extract<Question, { value: string }>): Next {
  const text = value.trim();
  if (kind === "name") return [{ ...state, name: text === "" ? state.engine.defaultName : text }];
  if (kind === "plan") return text === "" ? [state] : [state, { do: "save", path: text }];
  return text === state.engine.nameToType
    ? begin(state)
    : [say(state, "The name does not match; nothing was changed.")];
}

/** The plan is carried out. */
export function begin(state: WizardState): Next {
  const widgets = widgetItems(state);
  return [{ ...state, step: "apply", applied: [], total: widgets.length, isStopping: false }, { do: "apply" }];
}
