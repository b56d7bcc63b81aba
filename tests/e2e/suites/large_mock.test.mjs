import { largeLibraryScenarios } from "../lib/large_library.mjs";
import { openMock } from "../lib/servers.mjs";

largeLibraryScenarios("the page with thousands of models, against the mock", () => openMock({ count: 5000, limits: { viewers: 1 } }));
