// Shared styles of the panels beside the preview.
import { css } from "lit";

export const panelStyles = css`
  :host {
    display: block;
    padding: 12px;
  }
  .empty {
    padding: 28px 12px;
    color: var(--ink-soft);
    text-align: center;
  }
  .loading {
    display: grid;
    gap: 14px;
    padding: 8px;
  }
  .loading div {
    height: 18px;
    border-radius: 5px;
  }
  h2 {
    margin: 18px 12px 6px;
    color: var(--ink-soft);
    font-size: 12px;
    font-weight: 600;
    letter-spacing: 0.02em;
  }
  h2:first-child {
    margin-top: 6px;
  }
  dl.table > div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding: 6px 12px;
  }
  dl.table > div + div {
    box-shadow: 0 -1px 0 var(--line);
  }
  dl.table dt {
    flex: none;
    color: var(--ink-soft);
  }
  dl.table dd {
    min-width: 0;
    text-align: right;
    overflow-wrap: anywhere;
    font-variant-numeric: tabular-nums;
  }
`;

// Of a panel within another one.
export const nestedPanelStyles = [
  panelStyles,
  css`
    :host {
      padding: 0;
    }
  `,
];
