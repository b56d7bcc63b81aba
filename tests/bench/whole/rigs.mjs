// Small models with skeletons, as GLB.

// A GLB with a triangle skinned to a chain of joints; clip "wave" turns all of them within a second.
export function chainGlb(count) {
  return riggedGlb(Array.from({ length: count }, (_, i) => ({ name: `joint ${i}`, parent: i - 1, translation: [0, i ? 0.1 : 0, 0] })), [0, 1]);
}

// A humanoid of 22 joints in a T-pose, named as VRM does or as Mixamo does; clip "wave" of 10 s has 30 keys a second.
export function humanoidGlb(naming) {
  const joints = humanoid.map(({ vrm, mixamo, parent, translation }) => ({ name: naming === "vrm" ? vrm : `mixamorig:${mixamo}`,
    parent: humanoid.findIndex(({ vrm: name }) => name === parent), translation: translation.map((value) => value * (naming === "vrm" ? 1 : 0.9)) }));
  return riggedGlb(joints, Array.from({ length: 301 }, (_, i) => i / 30));
}

const sides = [["Left", 1], ["Right", -1]];
const humanoid = [
  { vrm: "Hips", mixamo: "Hips", translation: [0, 1, 0] },
  { vrm: "Spine", mixamo: "Spine", parent: "Hips", translation: [0, 0.1, 0] },
  { vrm: "Chest", mixamo: "Spine1", parent: "Spine", translation: [0, 0.12, 0] },
  { vrm: "UpperChest", mixamo: "Spine2", parent: "Chest", translation: [0, 0.12, 0] },
  { vrm: "Neck", mixamo: "Neck", parent: "UpperChest", translation: [0, 0.15, 0] },
  { vrm: "Head", mixamo: "Head", parent: "Neck", translation: [0, 0.1, 0] },
  ...sides.flatMap(([side, x]) => [
    { vrm: `${side}Shoulder`, mixamo: `${side}Shoulder`, parent: "UpperChest", translation: [0.06 * x, 0.1, 0] },
    { vrm: `${side}UpperArm`, mixamo: `${side}Arm`, parent: `${side}Shoulder`, translation: [0.12 * x, 0, 0] },
    { vrm: `${side}LowerArm`, mixamo: `${side}ForeArm`, parent: `${side}UpperArm`, translation: [0.28 * x, 0, 0] },
    { vrm: `${side}Hand`, mixamo: `${side}Hand`, parent: `${side}LowerArm`, translation: [0.26 * x, 0, 0] },
    { vrm: `${side}UpperLeg`, mixamo: `${side}UpLeg`, parent: "Hips", translation: [0.1 * x, -0.05, 0] },
    { vrm: `${side}LowerLeg`, mixamo: `${side}Leg`, parent: `${side}UpperLeg`, translation: [0, -0.43, 0] },
    { vrm: `${side}Foot`, mixamo: `${side}Foot`, parent: `${side}LowerLeg`, translation: [0, -0.43, 0] },
    { vrm: `${side}Toes`, mixamo: `${side}ToeBase`, parent: `${side}Foot`, translation: [0, -0.06, 0.12] },
  ]),
];

// joints: [{ name, parent, translation }] in an order in which parents come first; a root has the parent -1.
// keys: times in seconds; every joint turns to and fro around z.
function riggedGlb(joints, keys) {
  const floats = new Float32Array([0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const weights = new Float32Array([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
  const influences = new Uint8Array([0, 0, 0, 0, 1, 0, 0, 0, joints.length - 1, 0, 0, 0]);
  const times = new Float32Array(keys);
  const turns = new Float32Array(keys.flatMap((time) => [0, 0, Math.sin((Math.PI * time) / 4), Math.cos((Math.PI * time) / 4)]));
  const parts = [floats, weights, influences, times, turns].map((array) => Buffer.from(array.buffer));
  const bufferViews = [];
  let offset = 0;
  for (const part of parts) {
    bufferViews.push({ buffer: 0, byteOffset: offset, byteLength: part.length });
    offset += part.length;
  }
  const nodes = [{ name: "body", mesh: 0, skin: 0 }];
  for (const [i, { name, translation }] of joints.entries()) {
    const children = joints.flatMap(({ parent }, child) => (parent === i ? [child + 1] : []));
    nodes.push({ name, translation, children: children.length > 0 ? children : undefined });
  }
  const document = {
    asset: { version: "2.0", generator: "script/bench http" },
    scene: 0,
    scenes: [{ nodes: [0, 1] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 0, WEIGHTS_0: 1, JOINTS_0: 2 } }] }],
    skins: [{ joints: nodes.slice(1).map((_, i) => i + 1) }],
    animations: [{ name: "wave", channels: nodes.slice(1).map((_, i) => ({ sampler: 0, target: { node: i + 1, path: "rotation" } })),
      samplers: [{ input: 3, output: 4 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 3, type: "VEC4" },
      { bufferView: 2, componentType: 5121, count: 3, type: "VEC4" },
      { bufferView: 3, componentType: 5126, count: keys.length, type: "SCALAR", min: [0], max: [keys.at(-1)] },
      { bufferView: 4, componentType: 5126, count: keys.length, type: "VEC4" },
    ],
    bufferViews,
    buffers: [{ byteLength: offset }],
  };
  const chunk = (type, bytes, fill) => {
    const padded = Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, fill)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.write(type, 4, "latin1");
    return Buffer.concat([head, padded]);
  };
  const chunks = Buffer.concat([chunk("JSON", Buffer.from(JSON.stringify(document)), " "), chunk("BIN\0", Buffer.concat(parts), 0)]);
  const head = Buffer.alloc(12);
  head.write("glTF", 0, "latin1");
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + chunks.length, 8);
  return Buffer.concat([head, chunks]);
}
