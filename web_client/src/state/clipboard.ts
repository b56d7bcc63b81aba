import { t } from "../i18n";
import { toast } from "./announce";

// Pages over plain http on hosts other than localhost have no clipboard: then the text is shown.
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(t.viewport.copied);
  } catch {
    toast(`${t.viewport.copyFailed} ${text}`, "error");
  }
}

// Quotes for a POSIX shell: only single quotes must be escaped inside single quotes.
export function curlCommand(url: string, output: string): string {
  return `curl -o ${shellQuoted(output)} ${shellQuoted(url)}`;
}

function shellQuoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replace(/'/g, `'\\''`)}'`;
}
