import { css } from "lit";

export const cardStyles = css`
  vt-favorite {
    position: absolute;
    right: 8px;
    top: 8px;
    z-index: 2;
    border-radius: 7px;
    background: color-mix(in srgb, var(--raised) 80%, transparent);
  }
  .pick {
    position: absolute;
    left: 12px;
    top: 12px;
    z-index: 2;
    width: 22px;
    height: 22px;
    margin: 0;
    accent-color: var(--accent);
  }
  :host {
    display: block;
    contain: layout size;
    border-radius: var(--radius);
  }
  a,
  .placeholder {
    display: flex;
    flex-direction: column;
    height: 100%;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    text-decoration: none;
    overflow: hidden;
  }
  a {
    transition:
      border-color var(--quick),
      box-shadow var(--calm);
  }
  a:hover,
  a:focus-visible {
    border-color: color-mix(in srgb, var(--line-strong) 70%, transparent);
    box-shadow: var(--shadow-2);
  }
  a:focus-visible {
    outline-offset: -2px;
  }
  .thumbnail {
    position: relative;
    display: grid;
    place-items: center;
    flex: none;
    aspect-ratio: 1;
    overflow: hidden;
    background: hsl(var(--hue) var(--placeholder-chroma) var(--placeholder-light));
  }
  .thumbnail > * {
    grid-area: 1 / 1;
  }
  img,
  canvas {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  img {
    opacity: 0;
  }
  img.ready {
    opacity: 1;
    transition: opacity var(--calm);
  }
  canvas {
    opacity: 0;
  }
  .playing canvas {
    opacity: 1;
  }
  .playing img {
    visibility: hidden;
  }
  .stamp {
    color: hsl(var(--hue) 14% 52%);
    opacity: 0.7;
  }
  .stamp svg.icon {
    width: 56px;
    height: 56px;
    stroke-width: 1;
  }
  .stamp.failed {
    color: var(--danger);
    opacity: 1;
  }
  .importing .stamp {
    animation: breathe 1.8s ease-in-out infinite;
  }
  .failed .thumbnail {
    background: var(--danger-soft);
  }
  .failure {
    display: grid;
    justify-items: center;
    gap: 10px;
    padding: 12px 16px;
    min-width: 0;
    width: 100%;
    text-align: center;
  }
  .placeholder .thumbnail {
    background-color: var(--sunken);
  }
  .line {
    display: block;
    background-color: var(--sunken);
    width: 70%;
    height: 11px;
    margin: 5px 0 10px;
    border-radius: 6px;
  }
  .line + .line {
    width: 40%;
    height: 9px;
    margin: 0;
  }
  .text {
    flex: 1;
    min-height: 0;
    padding: 11px 13px 0;
    overflow: hidden;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 8px;
    height: 20px;
  }
  h2 {
    flex: 1;
    min-width: 0;
    font-size: 14px;
    font-weight: 600;
    line-height: 1.4;
    letter-spacing: -0.005em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .summary {
    display: flex;
    align-items: center;
    margin-top: 3px;
    overflow: hidden;
    color: var(--ink-soft);
    font-size: 12px;
    line-height: 20px;
    white-space: nowrap;
  }
  .summary span:not([hidden]) ~ span::before {
    content: "·";
    margin: 0 6px;
    color: var(--ink-faint);
  }
  .match {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .match b {
    margin-left: 6px;
    font-weight: 550;
    color: var(--ink);
  }
  .problem {
    color: var(--danger);
    font-size: 12px;
    line-height: 1.45;
    display: -webkit-box;
    -webkit-line-clamp: 4;
    -webkit-box-orient: vertical;
    overflow: hidden;
    overflow-wrap: anywhere;
  }
  .progress {
    display: grid;
    gap: 4px;
    margin-top: 2px;
    color: var(--ink-soft);
    font-size: 12px;
    line-height: 16px;
  }
  @media (max-width: 720px) {
    .joints {
      display: none;
    }
    .failure {
      gap: 4px;
      padding: 8px 10px;
    }
    .failure .stamp svg.icon {
      width: 36px;
      height: 36px;
    }
  }
  @keyframes breathe {
    50% {
      opacity: 0.3;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .importing .stamp {
      animation: none;
    }
  }
`;
