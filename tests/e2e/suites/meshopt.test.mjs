// Buffer views written by meshoptimizer's encoder (KHR_meshopt_compression, version 1): `vitrine convert` must produce the same
// numbers as its decoder. VITRINE_PROGRAM is the path of the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, before, describe, it } from "node:test";
import { MeshoptDecoder, MeshoptEncoder } from "meshoptimizer";

const program = process.env.VITRINE_PROGRAM;
const extension = "KHR_meshopt_compression";
const glbMagic = 0x46546c67, jsonChunk = 0x4e4f534a, binaryChunk = 0x004e4942;
const numbersOf = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const largest = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 };

function chunk(bytes, kind, filler) {
  const padded = Buffer.alloc(Math.ceil(bytes.length / 4) * 4, filler);
  padded.set(bytes);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(padded.length, 0);
  head.writeUInt32LE(kind, 4);
  return Buffer.concat([head, padded]);
}

function glb(document, binary) {
  const chunks = Buffer.concat([chunk(Buffer.from(JSON.stringify(document)), jsonChunk, " "), chunk(binary, binaryChunk)]);
  const head = Buffer.alloc(12);
  [glbMagic, 2, 12 + chunks.length].forEach((word, i) => head.writeUInt32LE(word, i * 4));
  return Buffer.concat([head, chunks]);
}

// Returns the numbers of an accessor of an uncompressed GLB; normalized types as their values.
function read(file, pick) {
  const bytes = readFileSync(file);
  const jsonLength = bytes.readUInt32LE(12);
  const document = JSON.parse(bytes.subarray(20, 20 + jsonLength));
  const accessor = document.accessors[pick(document)];
  const view = document.bufferViews[accessor.bufferView];
  const width = widths[accessor.type], kind = numbersOf[accessor.componentType];
  const stride = view.byteStride ?? width * kind.BYTES_PER_ELEMENT;
  const start = 28 + jsonLength + (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  return Array.from({ length: accessor.count }, (_, i) => {
    const element = new kind(Uint8Array.prototype.slice.call(bytes, start + i * stride, start + i * stride + width * kind.BYTES_PER_ELEMENT).buffer);
    return Array.from(element, (n) => (accessor.normalized ? Math.max(n / largest[accessor.componentType], -1) : n));
  }).flat();
}

// Compressed views in sequence, and the decoder's output for each.
class Compressed {
  views = [];
  binary = Buffer.alloc(0);
  decoded = [];

  add(encoded, count, byteStride, mode, filter = "NONE") {
    const there = new Uint8Array(count * byteStride);
    MeshoptDecoder.decodeGltfBuffer(there, count, byteStride, encoded, mode, filter);
    const at = { buffer: 0, byteOffset: this.binary.length, byteLength: encoded.length };
    this.views.push({
      buffer: 1, byteLength: there.length, ...(mode === "ATTRIBUTES" ? { byteStride } : {}),
      extensions: { [extension]: { ...at, count, byteStride, mode, filter } },
    });
    this.decoded.push(there);
    this.binary = Buffer.concat([this.binary, encoded]);
    return this.views.length - 1;
  }

  document(accessors, primitive) {
    return {
      asset: { version: "2.0" }, extensionsUsed: [extension, "KHR_mesh_quantization"], extensionsRequired: [extension, "KHR_mesh_quantization"],
      buffers: [{ byteLength: this.binary.length }, { byteLength: 1 << 20, extensions: { [extension]: { fallback: true } } }],
      bufferViews: this.views, accessors, meshes: [{ primitives: [primitive] }], nodes: [{ mesh: 0 }], scenes: [{ nodes: [0] }], scene: 0,
    };
  }
}

const bytesOf = (numbers) => new Uint8Array(numbers.buffer);
const attribute = (name) => (document) => document.meshes[0].primitives[0].attributes[name];

function expectNear(got, wanted, tolerance, what) {
  assert.equal(got.length, wanted.length, what);
  const wrong = got.findIndex((n, i) => !(Math.abs(n - wanted[i]) <= tolerance * Math.max(1, Math.abs(wanted[i]))));
  assert.equal(wrong, -1, `${what}: number ${wrong} is ${got[wrong]}, not ${wanted[wrong]}`);
}

// Positions that exercise each encoding mode: noise, curves, counting, repetition, nearly constant.
const shapes = [
  (i, c, random) => random() * 100,
  (i, c) => Math.sin(i * 0.01 + c),
  (i, c) => i * (c + 1),
  (i, c) => (i % 7) * 0.5 + c,
  (i, c, random) => (c === 0 ? 1 : 3 + Math.round(random() * 8) / 1024),
];

describe("meshopt compared with meshoptimizer", () => {
  let folder;
  let seed = 7;
  const random = () => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 0x7fffffff;
  before(async () => {
    await Promise.all([MeshoptEncoder.ready, MeshoptDecoder.ready]);
    folder = mkdtempSync(join(tmpdir(), "vitrine-meshopt-"));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function convert(compressed, accessors, primitive) {
    const [from, to] = [join(folder, "in.glb"), join(folder, "out.glb")];
    writeFileSync(from, glb(compressed.document(accessors, primitive), compressed.binary));
    execFileSync(program, ["convert", from, to], { stdio: ["ignore", "ignore", "inherit"] });
    return to;
  }

  function positions(compressed, count, at, level = 2) {
    const numbers = Float32Array.from({ length: count * 3 }, (_, i) => at(Math.floor(i / 3), i % 3, random));
    const stream = MeshoptEncoder.encodeVertexBufferLevel(bytesOf(numbers), count, 12, level, 1);
    assert.equal(stream[0], 0xa1, "version 1");
    const bounds = (pick) => [0, 1, 2].map((c) => numbers.reduce((least, n, i) => (i % 3 === c ? pick(least, n) : least), numbers[c]));
    const bufferView = compressed.add(stream, count, 12, "ATTRIBUTES");
    const accessor = { bufferView, componentType: 5126, count, type: "VEC3", min: bounds(Math.min), max: bounds(Math.max) };
    return { numbers, stream, accessor };
  }

  it("decodes every delta encoding", () => {
    const controls = new Set(), channels = new Set();
    for (const count of [3, 16, 17, 256, 700])
      for (const shape of shapes)
        for (const level of [0, 3]) {
          const compressed = new Compressed();
          const { numbers, stream, accessor } = positions(compressed, count, shape, level);
          for (let bit = 0; bit < 24; bit += 2) controls.add((stream[1 + (bit >> 3)] >> (bit & 7)) & 3);
          for (const mode of stream.slice(-3)) channels.add(mode & 15);
          const out = convert(compressed, [accessor], { attributes: { POSITION: 0 }, mode: 0 });
          expectNear(read(out, attribute("POSITION")), numbers, 1e-6, `${count} elements of shape ${shapes.indexOf(shape)}, level ${level}`);
        }
    assert.deepEqual([...controls].sort(), [0, 1, 2, 3]);
    assert.deepEqual([...channels].sort(), [0, 1, 2]);
  });

  it("decodes triangles, and normals and colors with filters", () => {
    for (const wide of [false, true]) {
      const side = 21, count = side * side, compressed = new Compressed();
      const { numbers, accessor } = positions(compressed, count, (i, c) => [i % side, Math.floor(i / side), Math.sin(i)][c]);
      const corner = (k) => [0, 1, side, 1, side + 1, side][k];
      const triangles = Uint32Array.from({ length: (side - 1) * (side - 1) * 6 }, (_, k) => {
        const cell = Math.floor(k / 6);
        return Math.floor(cell / (side - 1)) * side + (cell % (side - 1)) + corner(k % 6);
      });
      const normals = Float32Array.from({ length: count * 4 }, (_, i) => [0.6 * Math.sin(i >> 2), 0.6 * Math.cos(i >> 2), 0.8, 0][i & 3]);
      const colors = Float32Array.from({ length: count * 4 }, random);
      const stride = wide ? 8 : 4;
      const filtered = (name, encode, data, bits) => {
        const bufferView = compressed.add(MeshoptEncoder.encodeGltfBuffer(encode(data, count, stride, bits), count, stride, "ATTRIBUTES", 1), count, stride, "ATTRIBUTES", name);
        return { bufferView, count, normalized: true };
      };
      const accessors = [
        accessor,
        { ...filtered("OCTAHEDRAL", MeshoptEncoder.encodeFilterOct, normals, wide ? 12 : 8), componentType: wide ? 5122 : 5120, type: "VEC3" },
        { ...filtered("COLOR", MeshoptEncoder.encodeFilterColor, colors, wide ? 14 : 7), componentType: wide ? 5123 : 5121, type: "VEC4" },
        {
          bufferView: compressed.add(MeshoptEncoder.encodeGltfBuffer(bytesOf(triangles), triangles.length, 4, "TRIANGLES"), triangles.length, 4, "TRIANGLES"),
          componentType: 5125, count: triangles.length, type: "SCALAR",
        },
      ];
      const out = convert(compressed, accessors, { attributes: { POSITION: 0, NORMAL: 1, COLOR_0: 2 }, indices: 3 });
      const expected = (view, kind, most) => Array.from(new kind(compressed.decoded[view].buffer), (n) => Math.max(n / most, -1));
      expectNear(read(out, attribute("POSITION")), numbers, 1e-6, "positions");
      expectNear(read(out, (document) => document.meshes[0].primitives[0].indices), [...new Uint32Array(compressed.decoded[3].buffer)], 0, "triangles");
      const shown = expected(1, wide ? Int16Array : Int8Array, wide ? 32767 : 127).filter((_, i) => (i & 3) !== 3);
      expectNear(read(out, attribute("NORMAL")), shown, wide ? 1e-4 : 1e-2, "normals");
      expectNear(read(out, attribute("COLOR_0")), expected(2, wide ? Uint16Array : Uint8Array, wide ? 65535 : 255), 1.01 / 255, "colors");
      expectNear(read(out, attribute("COLOR_0")), [...colors], 0.02, "colors as they were");
    }
  });
});
