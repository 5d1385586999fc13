// Runs the program with the module and the place given as arguments: node|deno|bun direct.js <module> <place as JSON>
import { runProgram } from "./program.js";

const [, , specifier, place] = process.argv;
const library = await import(specifier);
const done = await runProgram(library, JSON.parse(place));
console.log(done.join(", "));
