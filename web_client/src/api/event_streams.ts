// How a tab gets the events: from a shared worker, from the tab that holds a lock, or by its own connection. HTTP/1.1 allows a
// browser six connections to a host, for all tabs together, so that one stream for each tab would leave none for requests.
import { EventConnection } from "./event_connection";
import type { EventListenerOf } from "./event_connection";
import { reportMs } from "./event_hub";
import type { HubMessage, TabMessage } from "./event_hub";

export interface Stream {
  open(): void;
  close(): void;
}

const visible = (): boolean => !document.hidden;
const graceMs = 5000; // a tab that becomes visible takes over meanwhile

// SharedWorker exists in browsers on computers, also on pages that are not secure contexts.
class WorkerStream implements Stream {
  private worker: SharedWorker | null = null;
  private timer = 0;

  constructor(
    private readonly listener: EventListenerOf,
    private readonly unavailable: () => void,
  ) {}

  open(): void {
    const worker = new SharedWorker(new URL("./events_worker.ts", import.meta.url), { type: "module", name: "vitrine-events" });
    this.worker = worker;
    worker.onerror = () => {
      this.close();
      this.unavailable();
    };
    worker.port.onmessage = ({ data }: MessageEvent<HubMessage>) => {
      if (data.type === "event") this.listener.event(data.event);
      else this.listener.connected(data.connected);
    };
    document.addEventListener("visibilitychange", this.report);
    this.timer = window.setInterval(this.report, reportMs);
    this.report();
  }

  close(): void {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.report);
    this.post({ type: "leave" });
    this.worker?.port.close();
    this.worker = null;
  }

  private readonly report = (): void => this.post({ type: "state", visible: visible() });

  private post(message: TabMessage): void {
    this.worker?.port.postMessage(message);
  }
}

// Visible tabs request one lock; its holder receives the events and passes them on. The lock of a tab that ends or is hidden goes
// to another one, which continues after the last event that it knows.
class ElectedStream implements Stream {
  private readonly connection: EventConnection;
  private channel: BroadcastChannel | null = null;
  private release: (() => void) | null = null; // gives the lock back, or stops waiting for it
  private timer = 0;

  constructor(private readonly listener: EventListenerOf) {
    this.connection = new EventConnection({
      event: (event) => this.share({ type: "event", event }),
      connected: (connected) => this.share({ type: "connected", connected }),
    });
  }

  open(): void {
    this.channel = new BroadcastChannel("vitrine-events");
    this.channel.onmessage = ({ data }: MessageEvent<HubMessage>) => this.receive(data);
    document.addEventListener("visibilitychange", this.visibilityChanged);
    this.visibilityChanged();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.visibilityChanged);
    clearTimeout(this.timer);
    this.release?.();
    this.channel?.close();
    this.channel = null;
  }

  private readonly visibilityChanged = (): void => {
    clearTimeout(this.timer);
    if (!visible()) this.timer = window.setTimeout(() => this.release?.(), graceMs);
    else if (!this.release) this.compete();
  };

  private compete(): void {
    const abort = new AbortController();
    let end: () => void = () => abort.abort();
    this.release = () => {
      this.release = null;
      end();
    };
    const hold = (): Promise<void> => {
      this.connection.open();
      return new Promise((resolve) => {
        end = () => {
          this.connection.close();
          resolve();
        };
      });
    };
    navigator.locks.request("vitrine-events", { signal: abort.signal }, hold).catch(() => undefined); // aborted
  }

  private share(message: HubMessage): void {
    this.channel?.postMessage(message);
    this.receive(message);
  }

  private receive(message: HubMessage): void {
    this.connection.openedBefore = true;
    if (message.type === "connected") return this.listener.connected(message.connected);
    if (message.event.id) this.connection.lastId = message.event.id;
    this.listener.event(message.event);
  }
}

// A connection of this tab, while it is visible.
class OwnStream implements Stream {
  private readonly connection: EventConnection;
  private timer = 0;

  constructor(listener: EventListenerOf) {
    this.connection = new EventConnection(listener);
  }

  open(): void {
    document.addEventListener("visibilitychange", this.visibilityChanged);
    this.visibilityChanged();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.visibilityChanged);
    clearTimeout(this.timer);
    this.connection.close();
  }

  private readonly visibilityChanged = (): void => {
    clearTimeout(this.timer);
    if (visible()) this.connection.open();
    else this.timer = window.setTimeout(() => this.connection.close(), graceMs);
  };
}

function streamWithoutWorker(listener: EventListenerOf): Stream {
  const elects = "locks" in navigator && typeof BroadcastChannel !== "undefined";
  return elects ? new ElectedStream(listener) : new OwnStream(listener);
}

// The best stream of this browser. A worker that cannot be loaded is replaced.
export class BestStream implements Stream {
  private stream: Stream;
  private isOpen = false;

  constructor(listener: EventListenerOf) {
    const replace = (): void => {
      this.stream = streamWithoutWorker(listener);
      if (this.isOpen) this.stream.open();
    };
    this.stream = typeof SharedWorker === "undefined" ? streamWithoutWorker(listener) : new WorkerStream(listener, replace);
  }

  open(): void {
    this.isOpen = true;
    this.stream.open();
  }

  close(): void {
    this.isOpen = false;
    this.stream.close();
  }
}
