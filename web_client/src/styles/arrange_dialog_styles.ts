// Of the dialog with the order of the models of a collection.
import { css } from "lit";

export const arrangeDialogStyles = css`
  ol {
    max-height: min(420px, calc(100dvh - 300px));
    margin: 14px 0 0;
    padding: 3px;
    overflow-y: auto;
    list-style: none;
  }
  li {
    position: relative;
    display: grid;
    grid-template-columns: 48px minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 4px 12px;
    padding: 5px 8px 5px 5px;
    border-radius: var(--radius-s);
    cursor: grab;
  }
  li:focus-visible {
    outline-offset: -2px;
  }
  li:hover {
    background: var(--hover);
  }
  li.dragged {
    opacity: 0.45;
  }
  li.before::before,
  li.after::after {
    content: "";
    position: absolute;
    left: 0;
    right: 0;
    height: 2px;
    border-radius: 1px;
    background: var(--accent);
  }
  li.before::before {
    top: -1px;
  }
  li.after::after {
    bottom: -1px;
  }
  .picture {
    display: grid;
    place-items: center;
    width: 48px;
    height: 48px;
    overflow: hidden;
    border-radius: 8px;
    background: var(--sunken);
    color: var(--ink-soft);
  }
  .picture img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .name {
    overflow: hidden;
    font-weight: 550;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .up svg {
    transform: rotate(-90deg);
  }
  .down svg {
    transform: rotate(90deg);
  }
`;
