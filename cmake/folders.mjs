// The table of folders, cmake/folders.cmake, as the table of ARCHITECTURE.md.
import { readFileSync } from 'node:fs';

// The content of a folder is the comment above its row.
export function folderTableOf(cmake) {
  const rows = [...cmake.matchAll(/((?:^# .*\n)+)vitrine_folder\(([\w/]+)/gm)].map(
    ([, comment, path]) => `| \`${path}\` | ${comment.trim().replaceAll(/^# /gm, '').replaceAll('\n', ' ')} |\n`,
  );
  return `| folder | content |\n|---|---|\n${rows.join('')}`;
}

export const folderTable = () => folderTableOf(readFileSync(new URL('folders.cmake', import.meta.url), 'utf8'));
