// Of the heading of a collection in the library.
import { css } from "lit";

export const collectionHeaderStyles = css`
  section {
    display: grid;
    grid-template-columns: 96px minmax(0, 1fr) auto;
    align-items: center;
    gap: 18px;
    margin-top: 14px;
    padding: 14px;
    border: 1px solid var(--line);
    border-radius: var(--radius-l);
    background: var(--surface);
  }
  .cover {
    display: grid;
    place-items: center;
    width: 96px;
    height: 96px;
    overflow: hidden;
    border-radius: var(--radius);
    background: var(--sunken);
    color: var(--ink-soft);
  }
  .cover img {
    width: 100%;
    height: 100%;
    object-fit: cover;
  }
  .cover svg {
    width: 34px;
    height: 34px;
    stroke-width: 1.3;
  }
  nav {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 6px;
    color: var(--ink-soft);
    font-size: 12.5px;
  }
  nav a {
    color: inherit;
  }
  h2 {
    overflow: hidden;
    font-size: 20px;
    font-weight: 620;
    letter-spacing: -0.015em;
    text-overflow: ellipsis;
  }
  .description {
    display: -webkit-box;
    margin-top: 2px;
    max-width: 80ch;
    overflow: hidden;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 3;
    overflow-wrap: anywhere;
    white-space: pre-line;
  }
  .facts {
    margin-top: 4px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  ul {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
    margin-top: 8px;
  }
  .inside {
    display: inline-flex;
    align-items: center;
    gap: 6px;
    padding: 3px 10px 3px 8px;
    border: 1px solid var(--line);
    border-radius: 14px;
    font-size: 13px;
    text-decoration: none;
  }
  .inside:hover {
    background: var(--hover);
  }
  .inside svg {
    width: 16px;
    height: 16px;
  }
  .acts {
    display: flex;
    align-items: center;
    align-self: start;
    gap: 2px;
  }
  .acts .button {
    height: 30px;
    border-radius: 7px;
  }
  @media (max-width: 720px) {
    section {
      grid-template-columns: 64px minmax(0, 1fr) auto;
      gap: 12px;
      padding: 10px;
    }
    .cover {
      align-self: start;
      width: 64px;
      height: 64px;
    }
    h2 {
      font-size: 17px;
    }
  }
`;
