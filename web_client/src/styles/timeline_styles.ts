import { css } from "lit";

export const timelineStyles = css`
  :host {
    display: block;
    border-top: 1px solid var(--line);
    background: var(--surface);
  }
  .still {
    padding: 20px 20px;
    color: var(--ink-soft);
    font-size: 13px;
  }
  .timeline {
    display: flex;
    align-items: center;
    gap: 16px;
    min-height: 64px;
    padding: 8px 16px;
  }
  .buttons {
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .button.play {
    width: 40px;
    height: 40px;
    border-radius: 50%;
  }
  .track {
    position: relative;
    flex: 1;
    min-width: 80px;
    height: 44px;
    cursor: pointer;
    touch-action: none;
    border-radius: 6px;
  }
  .rail {
    position: absolute;
    left: 0;
    right: 0;
    top: 15px;
    height: 4px;
    border-radius: 2px;
    background: var(--line);
    overflow: hidden;
  }
  .rail span {
    display: block;
    height: 100%;
    background: var(--accent);
    transform: scaleX(var(--at));
    transform-origin: left;
  }
  .track i {
    position: absolute;
    top: 23px;
    width: 1px;
    height: 5px;
    background: var(--line-strong);
    opacity: 0.7;
  }
  .track b {
    position: absolute;
    top: 5px;
    left: 0;
    transform: translateX(-50%);
    color: var(--ink-faint);
    font: 400 10.5px/14px var(--font);
    font-variant-numeric: tabular-nums;
  }
  .track i {
    opacity: 1;
  }
  .track i:nth-of-type(1) b {
    transform: none;
  }
  .head {
    position: absolute;
    left: calc(var(--at) * 100%);
    top: 9px;
    width: 16px;
    height: 16px;
    margin-left: -8px;
    border: 3px solid var(--surface);
    border-radius: 50%;
    background: var(--accent);
    box-shadow: 0 0 0 1px var(--accent);
  }
  .readout {
    display: grid;
    min-width: 96px;
    text-align: right;
    font-size: 13px;
    line-height: 18px;
    white-space: nowrap;
  }
  .frame,
  .key {
    color: var(--ink-faint);
    font-size: 12px;
  }
  .speed {
    width: 70px;
    padding: 0 26px 0 8px;
  }
  @media (max-width: 720px) {
    .timeline {
      flex-wrap: wrap;
      gap: 2px 12px;
      padding: 6px 14px 10px;
    }
    .track {
      order: -1;
      flex: 1 0 100%;
    }
    .readout {
      flex: 1;
      text-align: left;
      min-width: 0;
    }
    .buttons:first-child {
      order: 0;
    }
  }
  /* The time above the track: beside the buttons is no space for it. */
  @media (max-width: 480px) {
    .timeline {
      justify-content: space-between;
    }
    .readout {
      order: -2;
      display: flex;
      flex: 1 0 100%;
      flex-wrap: wrap;
      gap: 0 12px;
    }
  }
`;
