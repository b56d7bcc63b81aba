// Groups files into uploads: a folder is one upload, a zip is one, and all loose files are one, named after its model if there is
// only one: only the server can decide which files belong together (textures, a character and its animations). Formats that never
// refer to other files are an exception: each file is one upload.
import { t } from "../i18n";
import { isArchive, isModel, isSelfContained } from "../util/model_formats";

export interface Grouped<T> {
  name: string;
  kind: "zip" | "bundle";
  files: T[];
}

export function groupFiles<T extends { path: string }>(files: T[]): Grouped<T>[] {
  const folders = new Map<string, T[]>();
  const loose: T[] = [];
  const groups: Grouped<T>[] = [];
  for (const file of files) {
    const slash = file.path.indexOf("/");
    if (slash > 0) append(folders, file.path.slice(0, slash), file);
    else if (isArchive(file.path)) groups.push({ name: file.path, kind: "zip", files: [file] });
    else loose.push(file);
  }
  for (const [name, members] of folders) groups.push({ name, kind: "bundle", files: members });
  return [...groups, ...groupLoose(loose)];
}

function groupLoose<T extends { path: string }>(loose: T[]): Grouped<T>[] {
  if (loose.length === 0) return [];
  const companions = loose.some((file) => !isSelfContained(file.path));
  if (companions) {
    const models = loose.filter((file) => isModel(file.path));
    const [only, ...others] = loose.length > 1 ? models : loose;
    const name = only && others.length === 0 ? only.path : t.upload.files(loose.length);
    return [{ name, kind: "bundle", files: loose }];
  }
  return loose.map((file) => ({ name: file.path, kind: "bundle", files: [file] }));
}

function append<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
