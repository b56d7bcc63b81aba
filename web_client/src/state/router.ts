// The current route, from the URL; navigation without reloading the page.
import type { Place } from "./library_store";
import { Store } from "./store";

export type Route = { page: "library" | "compare" | "settings"; params: URLSearchParams } | { page: "asset"; id: string; params: URLSearchParams };

const pagesOfPaths = new Map<string, "compare" | "settings">([
  ["/compare", "compare"],
  ["/settings", "settings"],
]);

export function parseRoute(path: string, search: string): Route {
  const params = new URLSearchParams(search);
  const match = /^\/assets\/([^/]+)(\/versions\/[1-9]\d*)?\/?$/.exec(path);
  if (match?.[1]) return { page: "asset", id: decodeSafely(match[1]) + (match[2] ?? ""), params };
  return { page: pagesOfPaths.get(path) ?? "library", params };
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// The number in the id of a version, ID/versions/N; null: the id of an asset.
export function versionOf(id: string): { asset: string; number: number } | null {
  const match = /^(.*)\/versions\/(\d+)$/.exec(id);
  return match?.[1] ? { asset: match[1], number: Number(match[2]) } : null;
}

export function assetPath(id: string): string {
  return `/assets/${id.split("/").map(encodeURIComponent).join("/")}`;
}

class Router extends Store<{ route: Route }> {
  // URL of the library before a model was opened, to return to it.
  libraryUrl = "/";
  private place: Place | null = null; // in the library, of the last visit

  constructor() {
    super({ route: parseRoute(location.pathname, location.search) });
    history.scrollRestoration = "manual";
    addEventListener("popstate", () => this.arrive());
    document.addEventListener("click", (event) => this.clicked(event));
  }

  go(url: string): void {
    if (this.value.route.page === "library") this.libraryUrl = location.pathname + location.search;
    const back = url === this.libraryUrl && this.value.route.page !== "library";
    history.pushState(back ? { place: this.place } : null, "", url);
    this.arrive();
  }

  // Writes page state into the URL without a history entry.
  replace(url: string): void {
    history.replaceState(null, "", url);
    this.set({ route: parseRoute(location.pathname, location.search) });
  }

  // The place in the library of this history entry; it outlives a reload.
  storedPlace(): Place | null {
    return (history.state as { place?: Place } | null)?.place ?? null;
  }

  storePlace(place: Place): void {
    if (this.value.route.page !== "library") return;
    this.place = place;
    history.replaceState({ place }, "");
  }

  private arrive(): void {
    const route = parseRoute(location.pathname, location.search);
    const opened = route.page !== "library" && this.value.route.page !== route.page;
    this.set({ route });
    if (opened) scrollTo(0, 0);
  }

  // Handles unmodified clicks on links to pages of this application; all others are left to the browser.
  private clicked(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement) as HTMLAnchorElement | undefined;
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname !== "/" && !pagesOfPaths.has(link.pathname) && !link.pathname.startsWith("/assets/")) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();
