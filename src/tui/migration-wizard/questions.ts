import { moved } from "../components/select/state.ts";
import { type Field, fieldOf } from "../components/text-field/state.ts";
import { templateOf } from "./copy-names.ts";
import type { FailureChoice } from "./engine.ts";
import { choicesFor, widgetItems } from "./items.ts";
import { type Action, type Next, type Question, say, UNDO_TEXT, type WizardState, type Write } from "./model.ts";

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
  if ("field" in question) return onField(state, question, action);
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
      return afterName(state, "resume", question);
    case "interrupted undo":
      return afterName(state, "undo", question);
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
      return [{ ...state, busy: "Undoing what was written" }, { do: "undo" }];
    case "undo yes":
      return state.step === "apply"
        ? [
            { ...state, busy: "Undoing what was written" },
            { do: "answer", choice: "undo" },
          ]
        : [{ ...state, busy: "Undoing what was written" }, { do: "undo" }];
    case "undo no":
      return [closed(state)];
    case "begin yes":
      return write(state, "apply");
    case "refused again":
      return question.kind === "refused" ? [state, { do: "edit", id: question.id, widget: question.widget }] : [state];
    default:
      return [state];
  }
}

function onField(state: WizardState, question: Extract<Question, { field: Field }>, action: Action): Next {
  switch (action.type) {
    case "field":
      return [{ ...state, question: { ...question, field: action.field } }];
    case "cancel":
    case "back":
      return [{ ...state, question: question.kind === "typed" ? question.instead : undefined }];
    case "submit":
      return submitted({ ...state, question: undefined }, question);
    default:
      return [state];
  }
}

function submitted(state: WizardState, question: Extract<Question, { field: Field }>): Next {
  const text = question.field.text.trim();
  if (question.kind === "name") return [{ ...state, name: templateOf(state, text) }];
  if (question.kind === "plan") return text === "" ? [state] : [state, { do: "save", path: text }];
  return text === state.engine.nameToType
    ? write(state, question.then, text)
    : [say({ ...state, question: question.instead }, "The name does not match; nothing changed.")];
}

/** Writes, in a protected environment after its name was typed. */
export function afterName(state: WizardState, then: Write, instead?: Question): Next {
  const { where, nameToType } = state.engine;
  if (nameToType === undefined) return write(state, then);
  const text = `${where} is protected. Type ${nameToType} to continue`;
  return [{ ...state, question: { kind: "typed", text, field: fieldOf(""), then, instead } }];
}

function write(state: WizardState, then: Write, typed?: string): Next {
  const effect = typed === undefined ? { do: then } : { do: then, typed };
  switch (then) {
    case "apply":
      return [{ ...state, step: "apply", applied: [], total: widgetItems(state).length, isStopping: false }, effect];
    case "resume":
      return [{ ...state, step: "apply", busy: undefined, total: 0 }, effect];
    case "undo":
      return [{ ...state, busy: "Undoing the earlier run" }, effect];
  }
}
