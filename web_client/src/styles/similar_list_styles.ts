// Of the list of similar models.
import { css } from "lit";

export const similarListStyles = css`
  .kinds {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    margin: 0;
    padding: 4px 12px 0;
    border: 0;
  }
  .kinds label {
    position: relative;
    cursor: pointer;
  }
  .kinds input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .kinds span {
    display: block;
    padding: 5px 12px;
    border: 1px solid var(--line);
    border-radius: 15px;
    background: var(--surface);
    font-size: 13px;
    font-weight: 500;
    transition: background var(--quick);
  }
  .kinds input:hover + span {
    background: var(--hover);
  }
  .kinds input:checked + span {
    border-color: var(--accent);
    background: var(--accent-soft);
    color: var(--accent-soft-ink);
  }
  .kinds input:focus-visible + span {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .hint {
    margin: 10px 12px;
    color: var(--ink-soft);
    font-size: 12.5px;
  }
  ul {
    display: grid;
    gap: 2px;
  }
  a {
    display: grid;
    grid-template-columns: 56px minmax(0, 1fr) auto;
    align-items: center;
    gap: 0 12px;
    padding: 6px 12px 6px 6px;
    border-radius: var(--radius-s);
    text-decoration: none;
    transition: background var(--quick);
  }
  a:hover {
    background: var(--hover);
  }
  .picture {
    grid-row: span 2;
    display: grid;
    width: 56px;
    height: 56px;
    overflow: hidden;
    border-radius: 8px;
    background: var(--sunken);
  }
  .picture img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .name {
    align-self: end;
    overflow: hidden;
    font-weight: 550;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .score {
    align-self: end;
    color: var(--ink-soft);
    font-size: 12px;
  }
  .reason {
    grid-column: 2 / -1;
    align-self: start;
    color: var(--ink-soft);
    font-size: 12px;
    overflow-wrap: anywhere;
  }
  .waiting span {
    display: block;
    height: 56px;
    margin: 6px;
    border-radius: 8px;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 8px;
  }
  .empty .mark {
    display: grid;
    place-items: center;
    width: 48px;
    height: 48px;
    border-radius: 14px;
    background: var(--sunken);
  }
  .empty small {
    color: var(--ink-soft);
  }
  .more {
    margin: 6px 12px;
  }
`;
