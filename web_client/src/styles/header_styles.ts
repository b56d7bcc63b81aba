// Of the header of every page.
import { css } from "lit";

export const headerStyles = css`
  :host {
    position: sticky;
    top: 0;
    z-index: 20;
    display: block;
    background: color-mix(in srgb, var(--ground) 88%, transparent);
    backdrop-filter: blur(14px) saturate(1.4);
    border-bottom: 1px solid var(--line);
  }
  header {
    display: flex;
    align-items: center;
    gap: 16px;
    height: var(--header);
    padding: 0 24px;
    max-width: 1760px;
    margin: 0 auto;
  }
  .brand {
    display: flex;
    align-items: center;
    gap: 10px;
    font-size: 17px;
    font-weight: 650;
    letter-spacing: -0.02em;
    text-decoration: none;
    border-radius: 8px;
  }
  .search {
    position: relative;
    flex: 1;
    max-width: 520px;
    margin: 0 auto;
  }
  .search svg {
    position: absolute;
    left: 11px;
    top: 9px;
    color: var(--ink-faint);
    pointer-events: none;
  }
  .search .spinner {
    position: absolute;
    left: 12px;
    top: 10px;
    color: var(--accent);
    pointer-events: none;
  }
  .search input {
    width: 100%;
    height: 36px;
    padding: 0 64px 0 38px;
    border: 1px solid transparent;
    border-radius: var(--radius);
    background: var(--sunken);
    transition:
      background var(--quick),
      border-color var(--quick);
  }
  .search input::placeholder {
    color: var(--ink-faint);
    opacity: 1;
  }
  .search input:placeholder-shown {
    text-overflow: ellipsis;
  }
  .search input:hover {
    border-color: var(--line);
  }
  .search input:focus {
    background: var(--surface);
    border-color: var(--accent);
    outline: 2px solid color-mix(in srgb, var(--focus) 35%, transparent);
    outline-offset: 0;
  }
  input::-webkit-search-cancel-button {
    display: none;
  }
  kbd,
  .clear {
    position: absolute;
    right: 8px;
    top: 8px;
  }
  kbd {
    height: 20px;
    padding: 0 6px;
    border: 1px solid var(--line);
    border-radius: 5px;
    background: var(--surface);
    color: var(--ink-faint);
    font: 500 11px/18px var(--font);
    pointer-events: none;
  }
  .clear {
    top: 4px;
    right: 4px;
  }
  .clear svg {
    position: static;
    color: inherit;
  }
  .tools {
    display: flex;
    align-items: center;
    gap: 6px;
  }
  .offline {
    display: inline-flex;
    align-items: center;
    gap: 7px;
    color: var(--warn);
    font-size: 13px;
  }
  .offline::before {
    content: "";
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: currentColor;
  }
  @media (max-width: 720px) {
    header {
      gap: 10px;
      padding: 0 14px;
    }
    .brand span,
    .upload span,
    .jobs,
    .help,
    .folder,
    kbd {
      display: none;
    }
    .upload {
      width: 36px;
      padding: 0;
    }
    .search input {
      padding-right: 36px;
    }
    .offline span {
      position: absolute;
      clip-path: inset(50%);
    }
  }
`;
