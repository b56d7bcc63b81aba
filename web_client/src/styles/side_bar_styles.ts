// Styles of the lists in the side bar of the library.
import { css } from "lit";

export const sideBarStyles = css`
  h2 {
    margin: 14px 10px 2px;
    color: var(--ink-soft);
    font-size: 12px;
    font-weight: 600;
  }
  p {
    padding: 2px 10px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  li {
    display: flex;
    align-items: center;
    gap: 2px;
  }
  a {
    display: flex;
    flex: 1;
    align-items: center;
    gap: 8px;
    min-width: 0;
    min-height: 32px;
    padding: 4px 10px;
    border-radius: var(--radius-s);
    text-decoration: none;
  }
  a:hover {
    background: var(--hover);
  }
  a[aria-current] {
    background: var(--accent-soft);
    color: var(--accent-soft-ink);
    font-weight: 600;
  }
  a .cover {
    display: grid;
    flex: none;
    place-items: center;
    width: 22px;
    height: 22px;
    border-radius: 5px;
    background: var(--sunken);
    color: var(--ink-soft);
  }
  a .cover img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  a .cover svg {
    width: 14px;
    height: 14px;
  }
  li.before {
    box-shadow: 0 -2px 0 var(--accent);
  }
  li.after {
    box-shadow: 0 2px 0 var(--accent);
  }
  a span {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  a small {
    margin-left: auto;
    font-size: 12px;
    font-variant-numeric: tabular-nums;
  }
  form {
    display: flex;
    gap: 6px;
    padding: 4px 0 4px 10px;
  }
  input {
    flex: 1;
    min-width: 0;
  }
`;
