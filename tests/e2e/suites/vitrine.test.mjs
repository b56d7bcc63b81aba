// The page against the real program, which parses, renders and streams the uploads.
import { scenarios } from "../lib/scenarios.mjs";
import { openVitrine } from "../lib/servers.mjs";

const program = process.env.VITRINE_PROGRAM;
if (!program) throw new Error("VITRINE_PROGRAM names the vitrine program to test");
scenarios("the page and vitrine serve", () => openVitrine(program), { video: true });
