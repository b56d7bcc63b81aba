// Favorites of the one who is signed in. The server stores them; this page shows a change before it is answered.
import { organizationApi } from "../api/organization";
import { access } from "./access";
import { toast } from "./announce";
import { library, sentenceOf } from "./library_store";
import { Store } from "./store";

class FavoriteStore extends Store<{ ids: ReadonlySet<string> }> {
  private reading: Promise<void> | null = null;
  private readonly changing = new Map<string, boolean>(); // by asset, what was asked for last

  constructor() {
    super({ ids: new Set() });
  }

  has(id: string): boolean {
    return this.value.ids.has(id);
  }

  // Once, for the first card or page that shows them. A share link has none.
  read(): Promise<void> {
    return (this.reading ??= access.ready
      .then(() => (access.shared ? [] : organizationApi.favorites()))
      .then((ids) => this.show(new Set(ids)))
      .catch(() => void (this.reading = null)));
  }

  async toggle(id: string): Promise<void> {
    const wanted = !this.has(id);
    this.changing.set(id, wanted);
    this.show(new Set(this.value.ids));
    try {
      await organizationApi.setFavorite(id, wanted);
      if (library.value.query.favorite) library.refresh();
    } catch (error) {
      if (this.changing.get(id) === wanted) this.changing.set(id, !wanted);
      this.show(new Set(this.value.ids));
      toast(sentenceOf(error), "error");
    }
  }

  private show(ids: Set<string>): void {
    for (const [id, wanted] of this.changing)
      if (wanted) ids.add(id);
      else ids.delete(id);
    this.patch({ ids });
  }
}

export const favorites = new FavoriteStore();
