import { defineConfig } from "vitest/config";

// Everything under dist/assets has a hash of its content in its name: the server lets browsers keep it for ever.
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
