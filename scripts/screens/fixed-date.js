// Loaded before the program's own code: its date is that of the file SCREENS_DATE_OF, and timers run as usual.
import { statSync } from "node:fs";

globalThis.Date = class extends Date {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Date.now()] : parts));
  }
  static now() {
    return Math.round(statSync(process.env.SCREENS_DATE_OF).mtimeMs);
  }
};
