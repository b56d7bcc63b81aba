// The collection that the library shows: uploads go into it.
import type { Collection } from "../api/types";
import { access } from "./access";
import { organization } from "./organization";
import { queryFromUrl } from "./query";
import { router } from "./router";

// Where uploads go besides the library; null: nowhere.
export type UploadTarget = Pick<Collection, "id" | "name">;

function shownId(): string {
  const { route } = router.value;
  if (route.page !== "library") return "";
  const { collection, trash } = queryFromUrl(route.params);
  return trash ? "" : collection;
}

// Null: none, or it is not known yet.
export function shownCollection(): Collection | null {
  const id = shownId();
  return id === "" ? null : (organization.value.collections.find((collection) => collection.id === id) ?? null);
}

// Before the collections were read it has no name.
export function uploadTarget(): UploadTarget | null {
  const id = shownId();
  return id === "" ? null : { id, name: shownCollection()?.name ?? "" };
}

// Who writes by a role for a collection uploads into one.
export function mayUpload(): boolean {
  const collection = shownCollection();
  return access.mayEdit || (collection !== null && access.mayChange(collection));
}
