// Lists of the settings: a text and a button a row.
import { css } from "lit";

export const rowListStyles = css`
  li {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 12px;
    padding: 10px 0;
    border-top: 1px solid var(--line);
  }
  li small {
    display: block;
    color: var(--ink-soft);
  }
  li span {
    min-width: 0;
    overflow-wrap: anywhere;
  }
`;
