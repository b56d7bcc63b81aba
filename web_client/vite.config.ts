import { defineConfig } from "vitest/config";

// /assets/{id} is a page of the application, so the built files live under /static.
const server = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.VITRINE_SERVER;

export default defineConfig({
  build: {
    assetsDir: "static",
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { "/v1": { target: server ?? "http://127.0.0.1:8080", ws: true } },
  },
  test: { environment: "node", include: ["test/**/*.test.ts"] },
});
