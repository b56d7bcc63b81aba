// The models that the user has chosen to compare, for this tab.
import { Store } from "./store";

export interface ComparedModel {
  id: string;
  name: string;
}

const key = "vitrine.comparison";
const max = 16;

function stored(): ComparedModel[] {
  try {
    const list = JSON.parse(sessionStorage.getItem(key) ?? "[]") as ComparedModel[];
    return list.filter(({ id, name }) => typeof id === "string" && typeof name === "string").slice(0, max);
  } catch {
    return [];
  }
}

class Comparison extends Store<{ models: readonly ComparedModel[] }> {
  constructor() {
    super({ models: stored() });
  }

  has(id: string): boolean {
    return this.value.models.some((model) => model.id === id);
  }

  toggle({ id, name }: ComparedModel): void {
    const others = this.value.models.filter((model) => model.id !== id);
    this.keep(this.has(id) ? others : [...others, { id, name }].slice(-max));
  }

  keep(models: readonly ComparedModel[]): void {
    this.patch({ models });
    try {
      sessionStorage.setItem(key, JSON.stringify(models));
    } catch {
      // Without storage the choice ends with the page.
    }
  }
}

export const comparison = new Comparison();

export function comparePath(ids: readonly string[]): string {
  return `/compare?${new URLSearchParams(ids.map((id) => ["asset", id]))}`;
}
