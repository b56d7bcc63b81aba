// Of the dialog about a collection.
import { css } from "lit";

export const collectionDialogStyles = css`
  form > label {
    margin-bottom: 12px;
  }
  textarea.field {
    min-height: 68px;
    padding: 8px 10px;
    color: var(--ink);
    font: inherit;
    font-size: 14px;
    resize: vertical;
  }
  select.field {
    color: var(--ink);
  }
  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  legend {
    padding: 0 0 6px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  .none {
    font-size: 13px;
  }
  .covers {
    display: flex;
    flex-wrap: wrap;
    gap: 8px;
    max-height: 190px;
    margin: 0 -7px;
    padding: 7px;
    overflow-y: auto;
  }
  .covers label {
    position: relative;
    cursor: pointer;
  }
  .covers input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: pointer;
  }
  .covers span {
    display: grid;
    place-items: center;
    width: 72px;
    height: 72px;
    overflow: hidden;
    border-radius: 10px;
    background: var(--sunken);
    color: var(--ink-soft);
    box-shadow: 0 0 0 1px var(--line);
  }
  .covers img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .covers input:checked + span {
    box-shadow: 0 0 0 3px var(--accent);
  }
  .covers input:focus-visible + span {
    outline: 2px solid var(--accent);
    outline-offset: 4px;
  }
`;
