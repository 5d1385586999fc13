// Prints as one JSON document what tests compare: the text of api-surface.md, what has no comment, and what is wrong with
// the examples. Together they take half of the time that they take one by one: the compiler reads the sources once.
import { text } from "./api-surface.js";
import { counts, faults } from "./check-examples.js";
import { undocumented } from "./undocumented.js";

console.log(JSON.stringify({ text, undocumented, examples: { ...counts, faults } }));
