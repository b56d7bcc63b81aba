import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { EventConnection } from "../src/api/event_connection";
import type { RawEvent } from "../src/api/event_connection";
import { EventHub } from "../src/api/event_hub";
import type { HubMessage } from "../src/api/event_hub";

class FakeSource {
  readyState = 0;
  closed = false;
  onopen: () => void = () => undefined;
  onerror: () => void = () => undefined;
  private readonly listeners = new Map<string, (event: { data: string; lastEventId: string }) => void>();
  constructor(readonly url: string) {}
  addEventListener(name: string, listener: (event: never) => void) {
    this.listeners.set(name, listener as never);
  }
  close() {
    this.closed = true;
  }
  send(name: string, lastEventId: string) {
    this.listeners.get(name)?.({ data: "{}", lastEventId });
  }
  reject() {
    this.readyState = 2;
    this.onerror();
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("connection to the events", () => {
  function connect() {
    const sources: FakeSource[] = [];
    const events: string[] = [];
    const connected: boolean[] = [];
    const connection = new EventConnection(
      { event: (event: RawEvent) => void events.push(event.name), connected: (value) => void connected.push(value) },
      (url) => {
        sources.push(new FakeSource(url));
        return sources.at(-1) as never;
      },
    );
    connection.open();
    return { connection, sources, events, connected };
  }

  it("continues after the last event", () => {
    const { connection, sources, events } = connect();
    expect(sources[0]!.url).toBe("/v1/events");
    sources[0]!.onopen();
    sources[0]!.send("job", "41");
    sources[0]!.send("asset.updated", "42");
    connection.close();
    expect(sources[0]!.closed).toBe(true);
    connection.open();
    expect(sources[1]!.url).toBe("/v1/events?lastEventId=42");
    sources[1]!.onopen();
    expect(events).toEqual(["job", "asset.updated"]);
  });

  it("reports that events may be lost when it knows no event", () => {
    const { connection, sources, events } = connect();
    sources[0]!.onopen();
    connection.close();
    connection.open();
    sources[1]!.onopen();
    expect(events).toEqual(["reset"]);
  });

  it("opens again after the server has rejected it, later each time", () => {
    const { sources, connected } = connect();
    sources[0]!.reject();
    expect(connected).toEqual([false]);
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(2);
    sources[1]!.reject();
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(2);
    vi.advanceTimersByTime(1000);
    expect(sources).toHaveLength(3);
    sources[2]!.onopen();
    expect(connected.at(-1)).toBe(true);
  });

  it("leaves other interruptions to the browser", () => {
    const { sources } = connect();
    sources[0]!.onerror();
    vi.advanceTimersByTime(60_000);
    expect(sources).toHaveLength(1);
  });
});

class FakeConnection {
  isOpen = false;
  opened = 0;
  open() {
    if (!this.isOpen) this.opened += 1;
    this.isOpen = true;
  }
  close() {
    this.isOpen = false;
  }
}

class FakePort {
  received: HubMessage[] = [];
  postMessage(message: HubMessage) {
    this.received.push(message);
  }
}

describe("events for all tabs", () => {
  let connection: FakeConnection;
  let hub: EventHub;
  let now: number;
  const report = (port: FakePort, visible: boolean) => hub.receive(port, { type: "state", visible }, now);
  const pass = (ms: number) => {
    now += ms;
    vi.advanceTimersByTime(ms);
    hub.tick(now);
  };
  beforeEach(() => {
    connection = new FakeConnection();
    hub = new EventHub(connection);
    now = 0;
  });

  it("come from one connection", () => {
    const ports = Array.from({ length: 10 }, () => new FakePort());
    for (const port of ports) report(port, true);
    expect(connection.opened).toBe(1);
    hub.connectedChanged(true);
    hub.event({ name: "job", data: "{}", id: "7" });
    for (const port of ports) expect(port.received).toEqual([{ type: "connected", connected: true }, { type: "event", event: { name: "job", data: "{}", id: "7" } }]);
  });

  it("tell a new tab whether they are connected", () => {
    report(new FakePort(), true);
    hub.connectedChanged(false);
    const late = new FakePort();
    report(late, true);
    expect(late.received).toEqual([{ type: "connected", connected: false }]);
  });

  it("end while all tabs are hidden, after a while", () => {
    const [first, second] = [new FakePort(), new FakePort()];
    report(first, true);
    report(second, true);
    report(first, false);
    pass(60_000);
    report(second, true);
    expect(connection.isOpen).toBe(true);
    report(second, false);
    pass(4000);
    expect(connection.isOpen).toBe(true);
    report(first, true);
    pass(10_000);
    expect(connection.opened).toBe(1);
    report(first, false);
    pass(6000);
    expect(connection.isOpen).toBe(false);
    report(second, true);
    expect(connection.opened).toBe(2);
  });

  it("end after the last tab has left or ended without a word", () => {
    const [first, second] = [new FakePort(), new FakePort()];
    report(first, true);
    report(second, true);
    hub.receive(first, { type: "leave" }, now);
    pass(20_000);
    report(second, true);
    expect(connection.isOpen).toBe(true);
    pass(100_000);
    pass(6000);
    expect(connection.isOpen).toBe(false);
  });

  it("tell a tab that was suspended for very long to read again", () => {
    const [awake, suspended] = [new FakePort(), new FakePort()];
    report(suspended, false);
    report(awake, true);
    pass(3_700_000);
    report(awake, true);
    hub.event({ name: "job", data: "{}", id: "8" });
    expect(suspended.received).toEqual([]);
    report(suspended, true);
    expect(suspended.received.map((message) => message.type === "event" && message.event.name)).toContain("reset");
  });
});
