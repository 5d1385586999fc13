// The page of the browser check: runs the program and hands the outcome to the server the page came from.
import * as library from "iotdeck";
import { runProgram } from "./program.js";

const outcome = await runProgram(library, globalThis.place).then(
  (done) => ({ done }),
  (error) => ({ error: `${error.name}: ${error.message}\n${error.stack}` }),
);
await fetch("/outcome", { method: "POST", body: JSON.stringify({ ...outcome, agent: navigator.userAgent }) });
