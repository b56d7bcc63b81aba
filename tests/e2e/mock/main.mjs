// node mock/main.mjs [port] [count]: only the mock, for work on the web client: `VITRINE_SERVER=http://127.0.0.1:8090 npm run
// dev`.
import { startMock } from "./server.mjs";

const mock = await startMock({ port: Number(process.argv[2] ?? 8090), count: Number(process.argv[3] ?? 40) });
console.log(`mock server at ${mock.url}`);
