// The place of a collection among those with the same parent.
import { organizationApi } from "../api/organization";
import type { Collection } from "../api/types";
import { t } from "../i18n";
import { announce } from "./announce";
import { siblingsOf } from "./collections";
import { attemptChange, organization } from "./organization";

// `position`: how many of the others with the same parent come before it.
export async function moveCollection(collection: Collection, position: number): Promise<void> {
  const done = await attemptChange(() => organizationApi.changeCollection(collection, { position }));
  if (done) announce(t.organize.moved(collection.name, position + 1));
}

// `by`: 1 or -1 places. False: it is the last or the first one.
export async function shiftCollection(id: string, by: number): Promise<boolean> {
  const { collections } = organization.value;
  const collection = collections.find((one) => one.id === id);
  if (!collection) return false;
  const siblings = siblingsOf(collection, collections);
  const to = siblings.indexOf(collection) + by;
  if (to < 0 || to >= siblings.length) return false;
  await moveCollection(collection, to);
  return true;
}
