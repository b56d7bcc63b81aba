// Shared styles of all elements: type, buttons, fields, focus, progress.
import { css } from "lit";

export const shared = css`
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :host([hidden]),
  [hidden] {
    display: none !important;
  }
  h1,
  h2,
  h3,
  p,
  ul,
  ol,
  dl,
  dd {
    margin: 0;
    padding: 0;
  }
  ul,
  ol {
    list-style: none;
  }
  a {
    color: inherit;
  }
  button,
  input,
  select {
    font: inherit;
    color: inherit;
  }
  :focus-visible {
    outline: 2px solid var(--focus);
    outline-offset: 2px;
  }
  svg.icon {
    width: 18px;
    height: 18px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.7;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .visually-hidden {
    position: absolute;
    width: 1px;
    height: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  .button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    height: 36px;
    padding: 0 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    background-color: var(--surface);
    color: var(--ink);
    font-weight: 500;
    white-space: nowrap;
    text-decoration: none;
    cursor: pointer;
    transition:
      background var(--quick),
      border-color var(--quick),
      color var(--quick);
  }
  .button:hover {
    background-color: var(--hover);
    border-color: var(--line-strong);
  }
  .button.primary {
    background: var(--accent);
    border-color: transparent;
    color: var(--accent-ink);
  }
  .button.primary:hover {
    background: var(--accent-hover);
  }
  .button.danger {
    background: var(--danger);
    border-color: transparent;
    color: var(--surface);
  }
  .button.quiet {
    background-color: transparent;
    border-color: transparent;
    color: var(--ink-soft);
  }
  .button.quiet:hover {
    background-color: var(--hover);
    color: var(--ink);
  }
  .button.icon-only {
    width: 36px;
    padding: 0;
  }
  .button.small {
    height: 28px;
    padding: 0 10px;
    font-size: 13px;
  }
  .button.small.icon-only {
    width: 28px;
    padding: 0;
  }
  .button:disabled {
    opacity: 0.45;
    cursor: default;
  }
  .button[aria-pressed="true"] {
    background: var(--accent-soft);
    border-color: transparent;
    color: var(--accent-soft-ink);
  }
  select.button {
    padding-right: 30px;
    appearance: none;
    background-image:
      linear-gradient(45deg, transparent 50%, var(--ink-soft) 50%), linear-gradient(-45deg, transparent 50%, var(--ink-soft) 50%);
    background-position:
      right 16px top 50%,
      right 11px top 50%;
    background-size:
      5px 5px,
      5px 5px;
    background-repeat: no-repeat;
  }
  select.button.small {
    padding-right: 30px;
  }
  .field {
    width: 100%;
    height: 36px;
    padding: 0 12px;
    border: 1px solid var(--line-strong);
    border-radius: var(--radius-s);
    background: var(--surface);
  }
  .badge {
    display: inline-flex;
    align-items: center;
    height: 20px;
    padding: 0 7px;
    border-radius: 5px;
    background: var(--sunken);
    color: var(--ink-soft);
    font: 600 11px/1 var(--font);
    letter-spacing: 0.03em;
    white-space: nowrap;
  }
  .badge.warn {
    background: var(--warn-soft);
    color: var(--warn);
  }
  .badge.danger {
    background: var(--danger-soft);
    color: var(--danger);
  }
  .bar {
    height: 4px;
    border-radius: 2px;
    background: var(--sunken);
    overflow: hidden;
  }
  .bar > span {
    display: block;
    height: 100%;
    width: 100%;
    border-radius: 2px;
    background: var(--accent);
    transform: scaleX(var(--value, 0));
    transform-origin: left;
    transition: transform var(--calm);
  }
  .spinner {
    flex: none;
    width: 16px;
    height: 16px;
    border: 2px solid color-mix(in srgb, currentColor 30%, transparent);
    border-top-color: currentColor;
    border-radius: 50%;
    animation: turn 0.8s linear infinite;
  }
  @keyframes turn {
    to {
      transform: rotate(360deg);
    }
  }
  .numbers {
    font-variant-numeric: tabular-nums;
  }
  .mono {
    font-family: var(--mono);
    font-size: 12px;
  }
  .shimmer {
    background: linear-gradient(100deg, var(--sunken) 30%, var(--hover) 50%, var(--sunken) 70%) 0 0 / 300% 100%;
    animation: shimmer 1.6s linear infinite;
  }
  @keyframes shimmer {
    from {
      background-position: 100% 0;
    }
    to {
      background-position: -50% 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .shimmer {
      animation: none;
    }
    .spinner {
      animation-duration: 3s;
    }
  }
`;
