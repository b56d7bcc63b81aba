import { t } from "../i18n";
import { toast } from "./announce";

// Plain http on another host than localhost has no clipboard: then the text itself is shown.
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t.viewport.copied);
  } catch {
    toast(`${t.viewport.copyFailed} ${text}`, "error");
  }
}

// For a POSIX shell: only single quotes need care inside single quotes.
export function curlCommand(url: string, output: string): string {
  return `curl -o ${shellQuoted(output)} ${shellQuoted(url)}`;
}

function shellQuoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
