import { css } from "lit";

export const uploadPanelStyles = css`
  section {
    position: fixed;
    right: 20px;
    bottom: 20px;
    z-index: 30;
    width: min(380px, calc(100vw - 28px));
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--raised);
    box-shadow: var(--shadow-3);
    overflow: hidden;
    animation: rise var(--calm);
  }
  header {
    display: flex;
    align-items: center;
    gap: 4px;
    padding: 10px 10px 10px 16px;
  }
  h2 {
    flex: 1;
    font-size: 14px;
    font-weight: 600;
  }
  .fold svg {
    transform: rotate(90deg);
    transition: transform var(--calm);
  }
  .collapsed .fold svg {
    transform: rotate(-90deg);
  }
  .total {
    padding: 0 16px 10px;
  }
  section > ul {
    max-height: min(46vh, 420px);
    overflow-y: auto;
    border-top: 1px solid var(--line);
  }
  section > ul > li {
    display: grid;
    gap: 5px;
    padding: 10px 12px 12px 16px;
  }
  section > ul > li + li {
    border-top: 1px solid var(--line);
  }
  .row {
    display: flex;
    align-items: center;
    gap: 8px;
    min-height: 28px;
  }
  .name {
    flex: 1;
    min-width: 0;
    font-weight: 500;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .name a {
    text-decoration: none;
  }
  .name a:hover,
  .assets a:hover {
    text-decoration: underline;
  }
  .state {
    display: flex;
    justify-content: space-between;
    gap: 12px;
    color: var(--ink-soft);
    font-size: 12px;
    margin-top: -5px;
  }
  .mark.good {
    color: var(--good);
  }
  .mark.bad,
  .problem {
    color: var(--danger);
  }
  .problem {
    font-size: 12px;
    line-height: 1.45;
    overflow-wrap: anywhere;
  }
  .mark svg {
    display: block;
  }
  .files,
  .assets {
    display: grid;
    gap: 5px;
    margin-top: 4px;
    font-size: 12px;
    color: var(--ink-soft);
  }
  .files li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 96px;
    align-items: center;
    gap: 12px;
  }
  .files span[title] {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .assets li {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 3px 12px;
  }
  .assets .bar,
  .assets .problem {
    grid-column: 1 / -1;
  }
  .assets .failed span {
    color: var(--danger);
  }
  .assets a {
    color: var(--ink);
    text-decoration: none;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  @keyframes rise {
    from {
      opacity: 0;
      transform: translateY(12px);
    }
  }
  @media (max-width: 720px) {
    section {
      right: 14px;
      bottom: 14px;
    }
  }
`;
