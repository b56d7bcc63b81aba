import { css } from "lit";

export const comparePageStyles = css`
  aside {
    overflow-y: auto;
  }
  .models,
  .search {
    display: grid;
    gap: 12px;
    padding: 12px;
  }
  .sizes {
    display: flex;
    gap: 6px;
  }
  .sizes [aria-pressed="true"] {
    background: var(--accent-soft);
    color: var(--accent-soft-ink);
  }
  ol,
  ul {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  ol li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 4px 8px;
    padding: 8px 6px 10px 10px;
    border-radius: var(--radius-s);
  }
  ol li + li {
    box-shadow: 0 -1px 0 var(--line);
  }
  ol li.picked {
    background: var(--accent-soft);
  }
  ol a {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    font-weight: 550;
  }
  ol span {
    color: var(--ink-soft);
    font-size: 12px;
  }
  ol select {
    grid-column: 1 / -1;
    min-width: 0;
    text-align: left;
  }
  .search label {
    display: grid;
    gap: 6px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  .full {
    padding: 12px;
    color: var(--ink-soft);
  }
`;
