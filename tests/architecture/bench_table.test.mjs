// The table of `script/bench whole`, from lines as its parts print them.
import assert from "node:assert/strict";
import { test } from "node:test";

import { markdown, tableOf } from "../bench/whole/table.mjs";

const printed = `
== inspect
inspect OBJ, 64.1 MB: vitrine 88.0 ms (processor 90.0), assimp 681.0 ms (processor 680.0): 7.74 times as fast (7.50 by processor), wanted 4; peak memory 140.0 MB, 1.90 times the content
inspect GLB without normals, 22.0 MB: vitrine 41.0 ms (processor 50.0), assimp 98.0 ms (processor 98.0): 2.40 times as fast (2.00 by processor), wanted 1.5; peak memory 30.0 MB, 2.20 times the content
inspect small FBX, 0.3 MB: vitrine 9.6 ms (processor 9.0), assimp 6.4 ms (processor 6.0): 0.67 times as fast (0.60 by processor), wanted 0.9; peak memory 20.0 MB
== import
| 300 small models: imported with thumbnails a second | 47.1 (300 succeeded in 6.4 s, uploads 1.2 s) |
| tasks of render threads an asset | 0.97 (291; images 291, batches 0; images and boxes 310) |
| first request of a sprite sheet, 16 frames of 192 x 192, ms | p50 61, p95 140 (40 models) |
| first request of the mesh as OBJ, ms | p50 3, p95 20 (40 models) |
| Barbarian.glb: upload to thumbnail, ms | p50 127, p95 362, max 400 (end of the import: p50 200; processor 90) |
| scan.glb of 3000000 triangles, 54 MB: upload to thumbnail | 1.71 s (processor: server 1.00 s, loader 0.50 s) |
| live frames a second while moving | 55.0 (processor 20.0 ms a frame; first frame after 0.40 s) |
== http
| cached thumbnail, 4096 bytes | 128000 requests/s, p99 1.00 ms, 7.0 us of processor time each | nginx: 114600 requests/s, p99 1.10 ms, 8.0 us of processor time each | 1.12 | ratio 0.7: reached |
| list of 50, 26000 bytes | 9200 requests/s, p99 1.00 ms, 9.0 us of processor time each | nginx: 99800 requests/s, p99 1.10 ms, 8.0 us of processor time each | 0.94 | 10000 requests/s: not reached |
== upload
| 1024 MiB, multipart | 1.66 s | 4.22 s | 0.39 |
== page
| scroll over 100,000 rows in 60 s: frame, median; p95; longest | 16.6; 25.1; 80.0 ms | p95 33 ms |
| scroll over 100,000 rows in 60 s: nodes in use at the end; at most, with garbage | 2,750; 4,625 | 5,000 |
| scroll over 100,000 rows in 60 s: JavaScript heap, at most; private memory of the page's process | 7 MB; 132 MB | 150 MB |
| search in each of 10 tabs at once: median; last | 400 ms; 840 ms | 1 s |
== viewers
| 1 alone                                  |   60.2 |   60.2 |   60.2 |  512 |  10.0 |
| 20 of one view                           |   30.2 |   29.0 |  604.0 |  512 |  10.0 |
| 20 of different views                    |   13.4 |   12.0 |  268.0 |  205 |   4.0 |
== hostile
| nothing else happens | 1.00 | 2.90 |  | 5 | 9 | 0 | 110 |
| carriage returns | 1.00 | 6.30 | 2.17 | 6 | 12 | 0 | 120 |
| dense poses | 1.00 | 4.90 | 1.70 | 6 | 12 | 0 | 370 |
== cold
cold build/bench/samples/robot-glb/robot.glb, vitrine: 112 ms (processor 100), peak 109 MB
cold build/bench/samples/robot-glb/robot.glb, vitrine, static pose: 90 ms (processor 80), peak 109 MB
cold build/bench/samples/robot-glb/robot.glb, f3d: 378 ms (processor 300), peak 203 MB
== renderer skinning
skinning 200000 vertices x 16 frames, device                :  150.1 Mverts/s (  80.0 a second of processor)
skinning 200000 vertices x 16 frames, device, with bounds   :  120.1 Mverts/s (  70.0 a second of processor)
== live 5 live
playing  20 k vertices     60.1 frames/s, 512 pixels wide,  10.0 kB a frame
`;

const rows = new Map(tableOf(printed).map((row) => [row.measure, row]));
const expectRow = (measure, value, reached) => {
  const row = rows.get(measure);
  assert.ok(row, measure);
  assert.ok(Math.abs(row.value - value) < 0.005, `${measure}: ${row.value}`);
  assert.equal(row.reached, reached, measure);
};

test("values of every part are found and compared with their bounds", () => {
  expectRow("inspect OBJ, times as fast as assimp", 7.74, true);
  expectRow("inspect OBJ, peak memory in times of the content", 1.9, true);
  expectRow("inspect GLB without normals, peak memory in times of the content", 2.2, false);
  expectRow("inspect small FBX, times as fast as assimp", 0.67, false);
  expectRow("300 small models imported with thumbnails, a second", 47.1, true);
  expectRow("renders an asset", 0.97, true);
  expectRow("Barbarian.glb, upload to thumbnail, p50, ms", 127, true);
  expectRow("Barbarian.glb, upload to thumbnail, p95, ms", 362, false);
  expectRow("3 M triangles, upload to thumbnail, s", 1.71, true);
  expectRow("3 M triangles, live frames/s while moving", 55, true);
  expectRow("cached thumbnail, times nginx", 1.12, true);
  expectRow("list of 50, a second", 9200, false);
  expectRow("1 GiB multipart, times cp, sha256sum and fsync", 0.39, true);
  expectRow("100,000 rows scrolled, frame p95, ms", 25.1, true);
  expectRow("100,000 rows scrolled, nodes", 4625, true);
  expectRow("100,000 rows scrolled, private memory, MB", 132, true);
  expectRow("ten tabs, search in each at once, last, ms", 840, true);
  expectRow("20 equal viewers, frames/s each", 30.2, true);
  expectRow("20 viewers of different views, all together, times one alone", 268 / 60.2, true);
  expectRow("20 viewers of different views, least, times mean", 12 / 13.4, true);
  expectRow("p99 of others with carriage returns, times quiet", 2.17, false);
  expectRow("p99 of others with dense poses, times quiet", 1.7, true);
  expectRow("server memory with carriage returns, MB more than without", 10, true);
  expectRow("server memory with dense poses, MB more than without", 260, false);
  expectRow("cold render of robot, times as fast as f3d", 378 / 112, false);
  expectRow("skinning 200 k vertices, Mverts/s (145 before)", 150.1, true);
  expectRow("live alone, 20 k vertices, frames/s (60 before)", 60.1, true);
});

test("what is made when it is first requested is reported without a bound", () => {
  expectRow("first request of a sprite sheet, p50, ms", 61, null);
  expectRow("first request of a sprite sheet, p95, ms", 140, null);
  expectRow("first request of the mesh as OBJ, p95, ms", 20, null);
  assert.match(markdown(tableOf(printed)), /\| first request of the mesh as OBJ, p50, ms \| 3 \|  \|  \|/);
  const missing = rows.get("first request of the model as GLB, p50, ms");
  assert.deepEqual([missing.value, missing.reached], [null, null]);
});

test("what was not measured is not reached", () => {
  const missing = rows.get("inspect small 3DS, times as fast as assimp");
  assert.equal(missing.value, null);
  assert.equal(missing.reached, false);
  assert.match(markdown(tableOf("")), /\| inspect OBJ, times as fast as assimp \| not measured \| at least 4 \| \*\*not reached\*\* \|/);
});
