// The files that a user has chosen or dropped. Files that are left out are reported.
import { t } from "../i18n";
import { toast } from "../state/announce";
import { maxFiles } from "./collect_files";
import type { PickedFile, PickedFiles } from "./collect_files";

// Returns the files to upload.
export function usePicked({ files, junk, isCut }: PickedFiles): PickedFile[] {
  const said = [files.length === 0 && t.upload.nothing, isCut && t.upload.beyond(maxFiles), junk > 0 && t.upload.junk(junk)].filter(Boolean);
  if (junk > 0 || isCut) toast(said.join(". ") + ".", files.length === 0 ? "error" : "info");
  return files;
}
