import type { Theme } from "../model/choice.ts";

// Light, dark, or as the machine has it; remembered on this machine, and overruled by the address.
const KEY = "recmeter-theme";

export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === "light" || stored === "dark" ? stored : "auto";
  } catch {
    return "auto"; // storage may be forbidden
  }
}

export function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
}

// When the machine changes its mind, at dusk or because somebody asked it to.
export function onMachineTheme(changed: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
