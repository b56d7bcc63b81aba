// Of native dialogs.
import { css } from "lit";

export const dialogStyles = css`
  dialog {
    width: min(440px, calc(100vw - 32px));
    max-height: calc(100dvh - 48px);
    padding: 24px;
    border: 1px solid var(--line);
    border-radius: var(--radius-l);
    background: var(--raised);
    color: var(--ink);
    box-shadow: var(--shadow-3);
  }
  dialog.wide {
    width: min(640px, calc(100vw - 32px));
  }
  dialog[open] {
    animation: open var(--calm);
  }
  dialog::backdrop {
    background: rgb(16 18 17 / 48%);
  }
  h2 {
    margin-bottom: 12px;
    font-size: 18px;
    font-weight: 600;
    letter-spacing: -0.01em;
    overflow-wrap: anywhere;
  }
  p {
    color: var(--ink-soft);
  }
  label {
    display: grid;
    gap: 6px;
    font-size: 13px;
    color: var(--ink-soft);
  }
  label input {
    color: var(--ink);
    font-size: 14px;
  }
  .buttons {
    display: flex;
    justify-content: flex-end;
    gap: 8px;
    margin-top: 22px;
  }
  .columns {
    columns: 2;
    column-gap: 36px;
  }
  section {
    break-inside: avoid;
    margin-bottom: 16px;
  }
  h3 {
    margin-bottom: 6px;
    color: var(--ink-soft);
    font-size: 12px;
    font-weight: 600;
  }
  dl > div {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    padding: 4px 0;
    font-size: 13px;
  }
  kbd {
    display: inline-block;
    min-width: 22px;
    padding: 0 6px;
    border: 1px solid var(--line);
    border-bottom-width: 2px;
    border-radius: 5px;
    background: var(--ground);
    font: 500 12px/19px var(--font);
    text-align: center;
  }
  @keyframes open {
    from {
      opacity: 0;
      transform: translateY(8px) scale(0.985);
    }
  }
  @media (max-width: 560px) {
    .columns {
      columns: 1;
    }
  }
`;
