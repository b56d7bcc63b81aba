// Light, dark, or the system's setting, which is resolved here: the stylesheet knows only data-theme.
import { Store } from "./store";

export type ThemeChoice = "auto" | "light" | "dark";
const key = "vitrine.theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function stored(): ThemeChoice {
  try {
    const value = localStorage.getItem(key);
    return value === "light" || value === "dark" ? value : "auto";
  } catch {
    return "auto";
  }
}

class ThemeStore extends Store<{ choice: ThemeChoice }> {
  constructor() {
    super({ choice: stored() });
    system.addEventListener("change", () => this.apply());
    this.apply();
  }

  cycle(): void {
    const order: ThemeChoice[] = ["auto", "light", "dark"];
    const choice = order[(order.indexOf(this.value.choice) + 1) % order.length] ?? "auto";
    try {
      if (choice === "auto") localStorage.removeItem(key);
      else localStorage.setItem(key, choice);
    } catch {
      // Storage is disabled: the selection lasts until the page is closed.
    }
    this.patch({ choice });
    this.apply();
  }

  private apply(): void {
    const { choice } = this.value;
    document.documentElement.dataset.theme = choice === "auto" ? (system.matches ? "dark" : "light") : choice;
  }
}

export const theme = new ThemeStore();
