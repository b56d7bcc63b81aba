// Of the libraries in the settings: a list of cards, and the form of a new one.
import { css } from "lit";

export const libraryListStyles = css`
  .intro {
    margin-bottom: 4px;
  }
  li {
    display: grid;
    grid-template-columns: 1fr auto;
    gap: 4px 16px;
    padding: 16px 0;
    border-top: 1px solid var(--line);
  }
  li:first-child {
    margin-top: 16px;
  }
  li:last-child {
    padding-bottom: 0;
  }
  h3 {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    min-width: 0;
    font-size: 15px;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .badge.ready {
    background: var(--accent-soft);
    color: var(--accent-soft-ink);
  }
  .facts {
    min-width: 0;
    color: var(--ink-soft);
    font-size: 13px;
    overflow-wrap: anywhere;
  }
  .facts > p + p {
    margin-top: 4px;
  }
  .facts .problem {
    color: var(--danger);
  }
  code {
    padding: 1px 5px;
    border-radius: 4px;
    background: var(--sunken);
    font-family: var(--mono);
    font-size: 12px;
  }
  .acts {
    grid-row: 1 / span 2;
    grid-column: 2;
    align-items: start;
  }
  .scan {
    display: flex;
    align-items: center;
    gap: 10px;
    max-width: 420px;
    margin-top: 8px;
  }
  .scan .bar {
    flex: 1;
  }
  form {
    display: grid;
    grid-template-columns: 1fr 1fr;
    align-items: start;
  }
  form label {
    max-width: none;
  }
  form small {
    color: var(--ink-soft);
    font-size: 12px;
  }
  textarea.field {
    height: auto;
    min-height: 76px;
    padding: 8px 12px;
    color: var(--ink);
    font: 13px/1.5 var(--mono);
    resize: vertical;
  }
  form .problem {
    grid-column: 1 / -1;
  }
  form .button {
    justify-self: start;
  }
  @media (max-width: 640px) {
    li,
    form {
      grid-template-columns: 1fr;
    }
    .acts {
      grid-row: auto;
      grid-column: 1;
      justify-content: flex-start;
      margin-top: 8px;
    }
  }
`;
