// Actions of the model page that outlive it.
import { api } from "../api/client";
import type { KnownAsset } from "../api/types";
import { t } from "../i18n";
import { router } from "./router";
import { library, sentenceOf } from "./library_store";
import { toast } from "./announce";

// Moves the asset to the trash, offers to undo that, and returns to the library.
export async function discardAsset({ id, name }: KnownAsset): Promise<void> {
  try {
    await api.remove(id);
    library.forget(id);
    toast(t.asset.removed(name), "info", { label: t.asset.undo, run: () => void undoDelete(id, name) });
    router.go(router.libraryUrl);
  } catch (error) {
    toast(sentenceOf(error), "error");
  }
}

// The library is updated by an event; reading it again covers a lost event.
async function undoDelete(id: string, name: string): Promise<void> {
  try {
    await api.restore(id);
    library.refresh();
    toast(t.asset.restored(name));
  } catch (error) {
    toast(sentenceOf(error), "error");
  }
}
