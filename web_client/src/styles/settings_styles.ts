// Of the settings: cards, tables and forms.
import { css } from "lit";

export const settingsStyles = css`
  section {
    margin-bottom: 24px;
    padding: 20px 24px;
    border: 1px solid var(--line);
    border-radius: var(--radius-l);
    background: var(--surface);
  }
  h2 {
    margin-bottom: 12px;
    font-size: 16px;
    font-weight: 600;
  }
  p {
    color: var(--ink-soft);
    overflow-wrap: anywhere;
  }
  form {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 12px;
  }
  label {
    display: grid;
    gap: 6px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  form label {
    flex: 1 1 160px;
    max-width: 280px;
  }
  label :is(input, select) {
    color: var(--ink);
  }
  .scroll {
    overflow-x: auto;
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 14px;
  }
  th {
    padding: 0 16px 8px 0;
    color: var(--ink-soft);
    font-size: 12px;
    font-weight: 500;
    text-align: left;
    white-space: nowrap;
  }
  td {
    padding: 10px 16px 10px 0;
    border-top: 1px solid var(--line);
    vertical-align: middle;
  }
  td:last-child,
  th:last-child {
    padding-right: 0;
  }
  td small {
    display: block;
    font-weight: 400;
    color: var(--ink-soft);
    font-size: 12px;
  }
  .name {
    min-width: 140px;
    font-weight: 550;
    overflow-wrap: anywhere;
  }
  .time {
    white-space: nowrap;
  }
  .acts {
    display: flex;
    flex-wrap: wrap;
    justify-content: flex-end;
    gap: 6px;
  }
  .problem {
    flex-basis: 100%;
    margin: 0;
    color: var(--danger);
    font-size: 13px;
  }
  .more {
    width: 100%;
    margin-top: 8px;
  }
`;
