// node tests/bench/whole/table.mjs FILE: the table of `script/bench whole` from what its parts printed. A measure that is missing
// (a peer that is not installed) is not reached. Some rows have no bound: what the first asker waits for.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// Each: the measure, what must be reached, and the values of a pattern's groups in the text.
const rows = [
  ...inspect("OBJ", 4, 2),
  ...inspect("FBX ASCII", 12, 2),
  ...inspect("DAE", 3, 2),
  ...inspect("GLB without normals", 1.5, 2),
  ...inspect("GLB with normals", 1.5, 2),
  ...inspect("GLB with 76 clips", 1.5),
  ...inspect("small FBX", 0.9),
  ...inspect("small DAE", 0.9),
  ...inspect("small 3DS", 0.9),
  atLeast("300 small models imported with thumbnails, a second", 25, /small models: imported with thumbnails a second \| ([\d.]+)/),
  atMost("renders an asset", 1.5, /tasks of render threads an asset \| ([\d.]+)/),
  atMost("Barbarian.glb, upload to thumbnail, p50, ms", 200, /Barbarian.*upload to thumbnail, ms \| p50 (\d+)/),
  atMost("Barbarian.glb, upload to thumbnail, p95, ms", 350, /Barbarian.*upload to thumbnail, ms \| p50 \d+, p95 (\d+)/),
  ...["a sprite sheet", "a thumbnail of 512 pixels", "the mesh as OBJ", "the model as GLB"].flatMap(firstRequest),
  atLeast("cached thumbnail, times nginx", 0.7, peerRatio("cached thumbnail")),
  atLeast("asset JSON, times nginx", 0.7, peerRatio("asset JSON")),
  atLeast("304, times nginx", 0.7, peerRatio("304 of asset JSON")),
  atLeast("list of 50, a second", 10_000, /\| list of 50, \d+ bytes \| (\d+) requests\/s/),
  atLeast("skeleton of 41 joints, a second", 15_000, /\| skeleton of 41 joints, \d+ bytes \| (\d+) requests\/s/),
  atMost("1 GiB multipart, times cp, sha256sum and fsync", 1.3, /MiB, multipart \| [\d.]+ s \| [\d.]+ s \| ([\d.]+)/),
  atLeast("20 equal viewers, frames/s each", 30, viewers("20 of one view")),
  share("20 viewers of different views, all together, times one alone", viewers("1 alone"), viewers("20 of different views", 3)),
  atLeast("20 viewers of different views, least, times mean", 0.8, viewers("20 of different views", 2), viewers("20 of different views")),
  atMost("3 M triangles, upload to thumbnail, s", 3, /of 3000000 triangles, \d+ MB: upload to thumbnail \| ([\d.]+) s/),
  atLeast("3 M triangles, live frames/s while moving", 15, /live frames a second while moving \| ([\d.]+)/),
  atMost("ten tabs, search in each at once, last, ms", 1000, /search in each of 10 tabs at once: median; last \| \d+ ms; (\d+) ms/),
  atMost("100,000 rows scrolled, nodes", 5000, /nodes in use at the end; at most, with garbage \| [\d,]+; ([\d,]+)/),
  atMost("100,000 rows scrolled, private memory, MB", 150, /private memory of the page's process \| \d+ MB; (\d+) MB/),
  atMost("100,000 rows scrolled, frame p95, ms", 33, /: frame, median; p95; longest \| [\d.]+; ([\d.]+)/),
  ...["carriage returns", "slow readers", "dense poses", "stalled log"].map((name) =>
    atMost(`p99 of others with ${name}, times quiet`, 2, new RegExp(`\\| ${name} \\| [\\d.]+ \\| [\\d.]+ \\| ([\\d.]+)`))),
  ...["carriage returns", "slow readers", "dense poses"].map(serverMemory),
  cold("robot"),
  cold("vase"),
  atLeast("skinning 200 k vertices, Mverts/s (145 before)", 138, /skinning 200000 vertices x 16 frames, device +: +([\d.]+) Mverts/),
  atLeast("live alone, 20 k vertices, frames/s (60 before)", 57, /playing +20 k vertices +([\d.]+) frames/),
];

function inspect(name, ratio, memory) {
  const line = `inspect ${name}, .*`;
  const speed = atLeast(`inspect ${name}, times as fast as assimp`, ratio, new RegExp(`${line}: ([\\d.]+) times as fast`));
  return memory ? [speed, atMost(`inspect ${name}, peak memory in times of the content`, memory, new RegExp(`${line}, ([\\d.]+) times the content`))] : [speed];
}

function peerRatio(name) {
  return new RegExp(`\\| ${name}, \\d+ bytes \\|.*\\| nginx: .* \\| ([\\d.]+) \\|`);
}

// column: 1 frames/s each, 2 least, 3 all
function viewers(name, column = 1) {
  return new RegExp(`\\| ${name} +\\|${" +[\\d.]+ \\|".repeat(column - 1)} +([\\d.]+) \\|`);
}

function atLeast(measure, bound, pattern, divisor = null) {
  return { measure, bound: `at least ${bound.toLocaleString("en")}`, patterns: [pattern, divisor].filter(Boolean), value: (a, b = 1) => a / b, reached: (value) => value >= bound };
}

function atMost(measure, bound, pattern) {
  return { measure, bound: `at most ${bound.toLocaleString("en")}`, patterns: [pattern], value: (a) => a, reached: (value) => value <= bound };
}

function reported(measure, pattern) {
  return { measure, bound: "", patterns: [pattern], value: (a) => a, reached: () => null };
}

function firstRequest(what) {
  const line = `first request of ${what}[^|]*, ms \\| p50`;
  return [reported(`first request of ${what}, p50, ms`, new RegExp(`${line} (\\d+)`)),
    reported(`first request of ${what}, p95, ms`, new RegExp(`${line} \\d+, p95 (\\d+)`))];
}

// Different views share the device: together they get what one alone gets.
function share(measure, alone, together) {
  return { measure, bound: "at least 1", patterns: [together, alone], value: (all, one) => all / one, reached: (value) => value >= 1 };
}

// Beyond that of the same requests alone: twice what responses that are being sent may take by default (--response-memory-mb 128),
// so that as much remains for making them.
function serverMemory(attack) {
  const peak = (name) => new RegExp(`^\\| ${name} \\|.* (\\d+) \\|$`, "m");
  return { measure: `server memory with ${attack}, MB more than without`, bound: "at most 256", patterns: [peak(attack), peak("nothing else happens")],
    value: (attacked, quiet) => attacked - quiet, reached: (value) => value <= 256 };
}

function cold(sample) {
  const time = (program) => new RegExp(`cold .*${sample}\\.glb, ${program}: (\\d+) ms`);
  return { measure: `cold render of ${sample}, times as fast as f3d`, bound: "at least 4", patterns: [time("f3d"), time("vitrine")], value: (theirs, ours) => theirs / ours, reached: (value) => value >= 4 };
}

// -> [{ measure, bound, value, reached }]; value: null without a measurement; reached: null without a bound
export function tableOf(text) {
  return rows.map(({ measure, bound, patterns, value, reached }) => {
    const found = patterns.map((pattern) => pattern.exec(text)?.[1].replaceAll(",", ""));
    const result = found.every((one) => one !== undefined) ? value(...found.map(Number)) : null;
    return { measure, bound, value: result, reached: result === null && bound !== "" ? false : reached(result) };
  });
}

export function markdown(table) {
  const text = (value) => (value === null ? "not measured" : Number.isInteger(value) ? value.toLocaleString("en") : value.toFixed(2));
  const verdict = ({ reached }) => (reached === null ? "" : reached ? "reached" : "**not reached**");
  const lines = table.map((row) => `| ${row.measure} | ${text(row.value)} | ${row.bound} | ${verdict(row)} |`);
  return ["| measure | measured | must reach | |", "|---|---|---|---|", ...lines].join("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const table = tableOf(readFileSync(process.argv[2], "utf8"));
  console.log(`\n${markdown(table)}`);
  const bounded = table.filter(({ reached }) => reached !== null);
  console.log(`\n${bounded.filter(({ reached }) => reached).length} of ${bounded.length} reached.`);
}
