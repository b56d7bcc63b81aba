import { css } from "lit";

export const assetPageStyles = css`
  .page {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 384px;
    height: calc(100dvh - var(--header) - 1px);
  }
  .motion {
    display: grid;
    gap: 12px;
    padding: 0 12px 16px;
  }
  .stage {
    display: flex;
    flex-direction: column;
    min-width: 0;
    min-height: 0;
    background: var(--surface);
  }
  aside {
    display: flex;
    flex-direction: column;
    min-height: 0;
    border-left: 1px solid var(--line);
    background: var(--surface);
  }
  vt-tabs {
    flex: 1;
    min-height: 0;
  }
  .title {
    display: flex;
    align-items: center;
    gap: 10px;
    height: 52px;
    padding: 0 12px 0 10px;
    border-bottom: 1px solid var(--line);
    --menu-button: 36px;
  }
  h1 {
    min-width: 0;
    font-size: 16px;
    font-weight: 600;
    letter-spacing: -0.012em;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  button.badge {
    border: 0;
    height: 24px;
    cursor: pointer;
  }
  .space {
    flex: 1;
  }
  vt-viewport {
    flex: 1;
    min-height: 0;
  }
  .fill {
    flex: 1;
  }
  .message {
    display: grid;
    justify-items: center;
    align-content: center;
    gap: 12px;
    flex: 1;
    min-height: 320px;
    max-width: 560px;
    margin: 0 auto;
    padding: 40px 24px;
    text-align: center;
    text-wrap: balance;
    color: var(--ink-soft);
  }
  .message.over {
    position: absolute;
    inset: 0;
    align-content: center;
  }
  .message h2 {
    color: var(--ink);
    font-size: 22px;
    font-weight: 600;
    letter-spacing: -0.015em;
  }
  .message .bar {
    width: min(320px, 100%);
  }
  .message .why {
    color: var(--ink);
    font-size: 16px;
    overflow-wrap: anywhere;
  }
  .mark {
    display: grid;
    place-items: center;
    width: 64px;
    height: 64px;
    border-radius: 20px;
    background: var(--danger-soft);
    color: var(--danger);
  }
  .mark.blank {
    background: var(--sunken);
    color: var(--ink-soft);
  }
  .mark svg.icon {
    width: 30px;
    height: 30px;
  }
  .message dl {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 8px;
  }
  .message dl > div {
    display: flex;
    gap: 8px;
    padding: 4px 10px;
    border-radius: var(--radius-s);
    background: var(--sunken);
  }
  .message dt {
    font-family: var(--font);
  }
  .message dd {
    color: var(--ink);
    overflow-wrap: anywhere;
  }
  @media (max-width: 980px) {
    .page {
      display: block;
      height: auto;
    }
    vt-viewport,
    .fill {
      height: clamp(280px, 58dvh, 720px);
      flex: none;
    }
    aside {
      border-left: 0;
      border-top: 1px solid var(--line);
      min-height: 60dvh;
    }
  }
  @media (max-width: 720px) {
    .keys {
      display: none;
    }
  }
`;
