// Changes of the tags of one asset. Each names only what it adds or removes, so that changes that other people, or this page, have
// under way are kept.
import { organizationApi } from "../api/organization";
import { sentenceOf } from "./library_store";

export interface TagChange {
  op: "tag" | "untag";
  tags: string[];
}

// Returns why the server did not make the change; null: it did.
export async function changeTags(asset: string, change: TagChange): Promise<string | null> {
  try {
    const [result] = await organizationApi.batch([asset], [change]);
    return result?.problem?.detail ?? null;
  } catch (error) {
    return sentenceOf(error);
  }
}

// As the server does it: names that differ only in the case of ASCII letters are one tag.
export function withTags(tags: readonly string[], { op, tags: named }: TagChange): string[] {
  const key = (name: string) => name.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const keys = new Set(named.map(key));
  if (op === "untag") return tags.filter((tag) => !keys.has(key(tag)));
  const known = new Set(tags.map(key));
  return [...tags, ...named.filter((name) => !known.has(key(name)))];
}
