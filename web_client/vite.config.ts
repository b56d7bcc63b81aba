import { defineConfig } from "vitest/config";

// Files in dist/assets have a content hash in their name: the server lets browsers cache them permanently.
const server = (globalThis as { process?: { env: Record<string, string | undefined> } }).process?.env.VITRINE_SERVER;

export default defineConfig({
  build: {
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  server: {
    fs: { allow: [".."] }, // loaders/formats.json
    proxy: { "/v1": { target: server ?? "http://127.0.0.1:8080", ws: true } },
  },
  test: { environment: "node", include: ["test/**/*.test.ts"] },
});
