// Environment of the suites that compare the program with three.js: VITRINE_PROGRAM, its sample library, a studio, and the folder
// of real files (VITRINE_CORPUS) or the reason why there is none.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe } from "node:test";
import { fileURLToPath } from "node:url";

import { openStudio } from "./studio.mjs";

export const program = process.env.VITRINE_PROGRAM;
export const corpus = process.env.VITRINE_CORPUS ?? fileURLToPath(new URL("../../../../shared/corpus", import.meta.url));
export const needsCorpus = { skip: existsSync(corpus) ? false : "no corpus: set VITRINE_CORPUS" };

// suite({ samples, studio }): the folder of the samples, and a function that returns the studio during tests.
export function describeBesideThree(title, suite) {
  describe(title, { concurrency: false }, () => {
    const samples = mkdtempSync(join(tmpdir(), "vitrine-samples-"));
    let studio;
    before(async () => {
      execFileSync(program, ["samples", samples], { stdio: "ignore" });
      studio = await openStudio();
    });
    after(async () => {
      await studio?.close();
      rmSync(samples, { recursive: true, force: true });
    });
    suite({ samples, studio: () => studio });
  });
}
