// Of forms that filter the library.
import { css } from "lit";

export const filterFormStyles = css`
  form {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(210px, 1fr));
    gap: 12px 18px;
    margin-top: 12px;
    padding: 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius-m, 12px);
    background: var(--surface);
  }
  fieldset {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: 6px;
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend,
  label span {
    padding: 0 0 4px;
    color: var(--ink-soft);
    font-size: 12px;
    font-weight: 600;
  }
  label {
    display: grid;
    align-content: start;
    min-width: 0;
  }
  input,
  select {
    width: 100%;
    min-width: 0;
  }
  p {
    grid-column: 1 / -1;
    color: var(--danger-ink, var(--ink));
  }
`;
