// The page against the mock: fast, and distinguishes faults of the page from faults of the server.
import { scenarios } from "../lib/scenarios.mjs";
import { openMock } from "../lib/servers.mjs";

scenarios("the page and a mock server", openMock);
