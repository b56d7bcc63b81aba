import { css } from "lit";

export const skeletonStyles = css`
  .tools {
    position: sticky;
    top: 0;
    z-index: 1;
    display: flex;
    align-items: center;
    gap: 6px;
    padding: 2px 0 8px;
    background: var(--surface);
  }
  .tools .field {
    height: 34px;
  }
  .count {
    padding: 0 4px 6px;
    color: var(--ink-soft);
    font-size: 12px;
  }
  .row {
    display: flex;
    align-items: center;
    height: 28px;
    padding: 0 8px 0 calc(var(--level) * 14px);
    border-radius: var(--radius-s);
    cursor: pointer;
    scroll-margin: 56px 0 8px;
  }
  .row:hover {
    background: var(--hover);
  }
  .row:focus-visible {
    outline-offset: -2px;
  }
  .row[aria-selected="true"] {
    background: var(--accent-soft);
    color: var(--accent-soft-ink);
  }
  .twist {
    display: grid;
    place-items: center;
    flex: none;
    width: 24px;
    height: 24px;
    color: var(--ink-faint);
  }
  .twist svg.icon {
    width: 14px;
    height: 14px;
    transition: transform var(--quick);
  }
  .twist.open svg.icon {
    transform: rotate(90deg);
  }
  .name {
    flex: 1;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .match .name {
    font-weight: 650;
  }
  .weight {
    color: var(--ink-faint);
    font-size: 12px;
  }
  [aria-selected="true"] .weight {
    color: inherit;
  }
  .details {
    display: grid;
    justify-items: start;
    gap: 8px;
    margin: 4px 0 8px;
    padding: 10px 12px;
    border: 1px solid var(--line);
    border-radius: var(--radius-s);
    font-size: 13px;
  }
  .details dl {
    display: grid;
    grid-template-columns: auto 1fr;
    gap: 2px 12px;
    white-space: pre-wrap;
  }
  .details dt {
    color: var(--ink-soft);
    font-family: var(--font);
  }
  .button.small {
    flex: none;
  }
`;
