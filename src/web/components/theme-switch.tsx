import { useSyncExternalStore } from "react";

const THEMES = ["system", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];
const KEY = "iot-sandbox-theme";

function stored(): Theme {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    // A browser that stores nothing.
    return "system";
  }
}

/** Light, dark or as the system is: the style sheet reads it. */
export function applyTheme(theme: Theme = stored()): void {
  document.documentElement.dataset["theme"] = theme;
  dispatchEvent(new Event("themechange"));
}

/** Paper is light, whatever the screen is. */
export function printInLight(): void {
  addEventListener("beforeprint", () => applyTheme("light"));
  addEventListener("afterprint", () => applyTheme());
}

/** Chooses the colors, now and for later visits. */
export function chooseTheme(name: string): void {
  const chosen = THEMES.find((each) => each === name) ?? "system";
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // It holds until the page is closed.
  }
  applyTheme(chosen);
}

const onTheme = (changed: () => void): (() => void) => {
  addEventListener("themechange", changed);
  return () => removeEventListener("themechange", changed);
};

export function ThemeSwitch() {
  const theme = useSyncExternalStore(onTheme, () => document.documentElement.dataset["theme"] ?? "system");
  return (
    <label className="theme">
      Colors{" "}
      <select value={theme} onChange={({ target }) => chooseTheme(target.value)}>
        {THEMES.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
    </label>
  );
}
