// Downloads of several models: the browser saves what the server answers to a form.
import { toast } from "../../state/announce";
import { sentence } from "../../util/format";
import { t } from "../../i18n";

let frames = 0;

// The frame receives the answer: its document is the problem, if there is one, and the page stays. What is saved has no document.
function answerFrame(): HTMLIFrameElement {
  const frame = document.createElement("iframe");
  Object.assign(frame, { name: `download-${++frames}`, hidden: true });
  document.body.append(frame);
  frame.addEventListener("load", () => {
    const text = textIn(frame);
    if (text === "") return; // the empty document from before the answer
    frame.remove();
    toast(sentenceIn(text), "error");
  });
  return frame;
}

// Null: the browser shows a page of its own, of another origin.
function textIn(frame: HTMLIFrameElement): string | null {
  try {
    return frame.contentDocument?.body.textContent ?? null;
  } catch {
    return null;
  }
}

function sentenceIn(text: string | null): string {
  try {
    const { detail, title } = JSON.parse(text ?? "") as { detail?: string; title?: string };
    return sentence(detail ?? title ?? t.organize.downloadFailed);
  } catch {
    return t.organize.downloadFailed;
  }
}

export function downloadForm(fields: Record<string, string>): void {
  const form = document.createElement("form");
  form.method = "post";
  form.action = "/v1/assets:download";
  form.target = answerFrame().name;
  form.hidden = true;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    Object.assign(input, { type: "hidden", name, value });
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}
