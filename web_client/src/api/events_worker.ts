// The shared worker that receives the events for all tabs.
import { EventConnection } from "./event_connection";
import { EventHub } from "./event_hub";
import type { TabMessage } from "./event_hub";

const connection = new EventConnection({
  event: (event) => hub.event(event),
  connected: (connected) => hub.connectedChanged(connected),
});
const hub = new EventHub(connection);

// The types of a shared worker are not those of a page.
const scope = globalThis as unknown as { onconnect: (event: MessageEvent) => void };
scope.onconnect = (event) => {
  const port = event.ports[0];
  if (port) port.onmessage = (message: MessageEvent<TabMessage>) => hub.receive(port, message.data, Date.now());
};
setInterval(() => hub.tick(Date.now()), 15_000);
