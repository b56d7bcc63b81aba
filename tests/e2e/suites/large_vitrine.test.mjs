import { largeLibraryScenarios } from "../lib/large_library.mjs";
import { openVitrine } from "../lib/servers.mjs";

const { VITRINE_PROGRAM: program, VITRINE_CLONE_LIBRARY: cloner } = process.env;
largeLibraryScenarios("the page with thousands of models, against vitrine serve", () =>
  openVitrine(program, { flags: ["--viewers", "1"], clone: { program: cloner, count: 5000 } }),
);
