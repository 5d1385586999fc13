import type { ChalkInstance } from "chalk";

/** chalk with colour forced on: it checks neither the terminal nor the variables. Loaded on use: it takes 3 ms. */
export async function loadChalk(): Promise<ChalkInstance> {
  const { Chalk } = await import("chalk");
  return new Chalk({ level: 1 });
}

type Paint = (text: string, look: "bold" | "green" | "red" | "yellow") => string;

/** Colours text for people, where colour is on. */
export async function painter(isOn: boolean): Promise<Paint> {
  if (!isOn) return (text) => text;
  const chalk = await loadChalk();
  return (text, look) => chalk[look](text);
}
