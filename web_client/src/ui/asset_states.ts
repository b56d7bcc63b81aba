// States of the model page without an image: importing, failed, missing.
import { html, nothing } from "lit";

import type { Job, KnownAsset } from "../api/types";
import { t } from "../i18n";
import { assetPath, router, versionOf } from "../state/router";
import { sentence } from "../util/format";
import { icons } from "../styles/icons";

export function importingState(job: Job | null) {
  const progress = job?.progress ?? 0;
  return html`<div class="message" role="status">
    <h2>${t.asset.importingTitle}</h2>
    <p>${t.stages[job?.stage ?? "queued"] ?? t.card.importing}</p>
    <div class="bar" role="progressbar" aria-label=${t.card.importing} aria-valuemin="0" aria-valuemax="100" aria-valuenow=${Math.round(progress * 100)}>
      <span .style=${`--value: ${Math.max(0.04, progress)}`}></span>
    </div>
    <p>${t.asset.importingText}</p>
  </div>`;
}

// The asset was not received yet. `slow`: for long.
export function waitingState(slow: boolean) {
  return html`<div class="page" aria-busy="true">
    <div class="stage">
      <div class="shimmer fill"></div>
      ${slow ? html`<div class="message over" role="status"><span class="spinner"></span><p>${t.asset.slow}</p></div>` : nothing}
    </div>
    <aside></aside>
  </div>`;
}

// `again`: imports the files once more, null: not by this person; `busy`: that was requested.
export function failedState({ problem }: KnownAsset, busy: boolean, again: (() => void) | null) {
  return html`<div class="message failed">
    <span class="mark">${icons.failed}</span>
    <h2>${t.asset.failedTitle}</h2>
    <p class="why">${sentence(problem?.detail ?? t.card.failedText)}</p>
    <dl class="mono">
      ${problem?.code ? html`<div><dt>${t.asset.failedCode}</dt><dd>${problem.code}</dd></div>` : nothing}
      ${problem?.where ? html`<div><dt>${t.asset.failedAt}</dt><dd>${problem.where}</dd></div>` : nothing}
    </dl>
    <p>${t.asset.failedNext}</p>
    ${again ? html`<button class="button" ?disabled=${busy} @click=${again}>${icons.retry}${t.asset.reimport}</button>` : nothing}
  </div>`;
}

// Imported, but without visible geometry.
export function blankState() {
  return html`<div class="message">
    <span class="mark blank">${icons.cube}</span>
    <h2>${t.asset.blankTitle}</h2>
    <p>${t.asset.blankText}</p>
  </div>`;
}

export function missingState(failure: { status: number; text: string }) {
  const missing = failure.status === 404;
  return html`<div class="message" role="alert">
    <h2>${missing ? t.asset.notFoundTitle : t.asset.errorTitle}</h2>
    <p>${missing ? t.asset.notFoundText : failure.text}</p>
    <a class="button" href=${router.libraryUrl}>${icons.back}${t.asset.back}</a>
  </div>`;
}

// Of an older version, with the way back; nothing of the version that the asset has now.
export function versionBadge(assetId: string) {
  const named = versionOf(assetId);
  if (!named) return nothing;
  return html`<span class="badge">${t.versions.name(named.number)}</span><a class="button quiet small" href=${assetPath(named.asset)}>${t.versions.newest}</a>`;
}
