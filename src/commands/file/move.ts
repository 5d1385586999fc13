import { relocation } from "./relocation.ts";

export const moveFiles = relocation({
  verb: "move",
  done: "Moved",
  route: "/files",
  summary: "Move or rename a file or folder within the profile",
  examples: [
    "iot file move logos-old/plant.svg logos-old/plant-2023.svg",
    "iot file move reports/annual/ archive/annual/ --dry-run",
  ],
});
