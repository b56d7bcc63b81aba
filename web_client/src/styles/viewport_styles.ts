import { css } from "lit";

export const viewportStyles = css`
  :host {
    position: relative;
    display: block;
    overflow: hidden;
    background: var(--stage);
  }
  canvas {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: cover;
    touch-action: none;
    cursor: grab;
  }
  canvas:active {
    cursor: grabbing;
  }
  canvas:focus-visible {
    outline-offset: -3px;
  }
  .still {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    object-fit: contain;
    opacity: 0;
    pointer-events: none;
    transition: opacity var(--calm);
  }
  .still.shown {
    opacity: 1;
  }
  .checker {
    background: repeating-conic-gradient(#c9c9c9 0 25%, #f2f2f2 0 50%) 0 0 / 24px 24px;
  }
  .veil {
    position: absolute;
    inset: 0;
    display: grid;
    place-items: center;
    pointer-events: none;
    color: var(--ink-faint);
  }
  .ghost svg.icon {
    width: 72px;
    height: 72px;
    stroke-width: 0.8;
    animation: breathe 1.8s ease-in-out infinite;
  }
  .stats,
  .notice {
    position: absolute;
    border-radius: 8px;
    background: rgb(20 23 22 / 72%);
    color: #f1f4f2;
    font-size: 12px;
    line-height: 26px;
    pointer-events: none;
  }
  .stats {
    left: 12px;
    bottom: 12px;
    display: flex;
    padding: 0 10px;
    backdrop-filter: blur(8px);
  }
  .stats > div {
    display: flex;
    pointer-events: auto;
  }
  .stats > div + div::before {
    content: "·";
    margin: 0 7px;
    opacity: 0.6;
  }
  .device dd::before {
    content: "";
    display: inline-block;
    width: 7px;
    height: 7px;
    margin-right: 7px;
    border-radius: 50%;
    background: #7ddf9a;
    vertical-align: 1px;
  }
  .device.software dd::before {
    background: #f0c264;
  }
  .notice {
    left: 50%;
    top: 64px;
    width: max-content;
    max-width: calc(100% - 32px);
    padding: 3px 16px;
    transform: translateX(-50%);
    border-radius: 16px;
    text-align: center;
    z-index: 3;
  }
  @keyframes breathe {
    50% {
      opacity: 0.35;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .ghost svg.icon {
      animation: none;
    }
  }
  @media (max-width: 720px) {
    .stats {
      font-size: 11px;
      line-height: 22px;
      left: 8px;
      bottom: 8px;
    }
    .bandwidth,
    .codec {
      display: none !important;
    }
  }
`;
