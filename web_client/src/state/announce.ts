// Screen reader announcements and toasts; the app element renders both.
import { Store } from "./store";

export interface Toast {
  key: number;
  text: string;
  kind: "info" | "error";
  action?: { label: string; run: () => void };
}

let lastKey = 0;
export const notices = new Store<{ toasts: Toast[]; spoken: string }>({ toasts: [], spoken: "" });

export function announce(text: string): void {
  // A repeated sentence must be announced again.
  notices.patch({ spoken: text === notices.value.spoken ? `${text}\u00a0` : text });
}

export function toast(text: string, kind: Toast["kind"] = "info", action?: Toast["action"]): void {
  const key = ++lastKey;
  notices.patch({ toasts: [...notices.value.toasts.slice(-2), { key, text, kind, action }] });
  announce(text);
  setTimeout(() => dismiss(key), kind === "error" || action ? 10000 : 4500);
}

export function dismiss(key: number): void {
  notices.patch({ toasts: notices.value.toasts.filter((entry) => entry.key !== key) });
}
