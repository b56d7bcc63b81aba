// Shares one connection to the events among the tabs of a browser: the state of the shared worker (`events_worker`).
//
// Tabs report whether they are visible, and repeat it, because the end of a tab is not reported. The connection is open while a
// visible tab has reported recently; it continues after the last event when it is opened again.
import type { EventConnection, RawEvent } from "./event_connection";

// From a tab.
export type TabMessage = { type: "state"; visible: boolean } | { type: "leave" };
// To a tab.
export type HubMessage = { type: "event"; event: RawEvent } | { type: "connected"; connected: boolean };

export interface TabPort {
  postMessage(message: HubMessage): void;
}

export const reportMs = 20_000; // interval of the tabs' reports
const silentMs = 90_000; // a visible tab without a report for this time has ended
const forgottenMs = 3_600_000; // hidden tabs may be suspended for long
const graceMs = 5000; // the connection stays open for this time, for users who switch tabs

interface Tab {
  visible: boolean;
  lastReportMs: number;
}

export class EventHub {
  private readonly tabs = new Map<TabPort, Tab>();
  private readonly forgotten = new WeakSet<TabPort>();
  private connected: boolean | null = null; // null: not known yet
  private closing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly connection: Pick<EventConnection, "open" | "close" | "isOpen">) {}

  receive(port: TabPort, message: TabMessage, now: number): void {
    if (message.type === "leave") this.tabs.delete(port);
    else this.report(port, message.visible, now);
    this.update(now);
  }

  // Call it regularly: forgets tabs that have ended.
  tick(now: number): void {
    for (const [port, tab] of this.tabs) {
      if (now - tab.lastReportMs < forgottenMs) continue;
      this.tabs.delete(port);
      this.forgotten.add(port);
    }
    this.update(now);
  }

  event(event: RawEvent): void {
    this.broadcast({ type: "event", event });
  }

  connectedChanged(connected: boolean): void {
    this.connected = connected;
    this.broadcast({ type: "connected", connected });
  }

  private report(port: TabPort, visible: boolean, now: number): void {
    const isNew = !this.tabs.has(port);
    this.tabs.set(port, { visible, lastReportMs: now });
    if (!isNew) return;
    if (this.connected !== null) port.postMessage({ type: "connected", connected: this.connected });
    // It has missed events.
    if (this.forgotten.delete(port)) port.postMessage({ type: "event", event: { name: "reset", data: "{}", id: "" } });
  }

  private update(now: number): void {
    const wanted = [...this.tabs.values()].some((tab) => tab.visible && now - tab.lastReportMs < silentMs);
    if (wanted) {
      clearTimeout(this.closing);
      this.closing = undefined;
      this.connection.open();
    } else if (this.connection.isOpen && this.closing === undefined) {
      this.closing = setTimeout(() => {
        this.closing = undefined;
        this.connection.close();
      }, graceMs);
    }
  }

  private broadcast(message: HubMessage): void {
    for (const port of this.tabs.keys()) port.postMessage(message);
  }
}
