// BVH in Node: the joints of a file as three.js places them, and random files.
import { AnimationMixer } from "three";
import { BVHLoader } from "three/addons/loaders/BVHLoader.js";

// three.js reports what it cannot read on the console and goes on.
function parse(text) {
  const faults = [];
  const { error, warn } = console;
  console.error = console.warn = (...words) => faults.push(words.join(" "));
  try {
    const parsed = new BVHLoader().parse(text);
    if (faults.length > 0) throw new Error(faults[0]);
    return parsed;
  } finally {
    Object.assign(console, { error, warn });
  }
}

// -> { duration, poses }: at each time the joints in the order of the file, end sites too, each as a column-major 4x4 matrix in the file's
// unit. The file has one root. Its motion is bound by name, so that names of joints with channels differ.
export function threePoses(text, timesOf) {
  const { skeleton, clip } = parse(text);
  const [root] = skeleton.bones;
  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip).play();
  const poses = timesOf(clip.duration).map((time) => {
    action.time = time;
    mixer.update(0);
    root.updateMatrixWorld(true);
    return skeleton.bones.map(({ matrixWorld }) => matrixWorld.toArray());
  });
  return { duration: clip.duration, poses };
}

// Numbers in [0, 1) that are the same in each run.
export function randomNumbers(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

function shuffled(random, list) {
  const rest = [...list];
  return list.map(() => rest.splice(Math.floor(random() * rest.length), 1)[0]);
}

const isPosition = (channel) => channel.endsWith("position");
const axisOf = (channel) => "XYZ".indexOf(channel[0]);

// Up to three rotations, also two about one axis, and for the root or some of the joints positions along any of the axes, all in any order.
function randomChannels(random, isRoot) {
  const some = (count, kind) => shuffled(random, ["X", "Y", "Z"]).slice(0, count).map((axis) => `${axis}${kind}`);
  const rotations = some(Math.floor(random() * 4), "rotation");
  if (rotations.length > 1 && random() < 0.3) rotations.push(rotations[0]);
  const positions = isRoot || random() < 0.3 ? some(1 + Math.floor(random() * 3), "position") : [];
  return shuffled(random, [...rotations, ...positions]);
}

// No component of an OFFSET is close to zero.
const randomOffset = (random) => Array.from({ length: 3 }, () => (random() < 0.5 ? -1 : 1) * (8 + 17 * random()));

// A joint: { name, offset, channels, children }; without channels an End Site.
function randomJoint(random, prefix, depth, counter = { next: 0 }) {
  const name = `${prefix}${counter.next++}`;
  const children = Array.from({ length: depth > 0 ? 1 + Math.floor(random() * 2) : 0 }, () => randomJoint(random, prefix, depth - 1, counter));
  if (children.length === 0) children.push({ offset: randomOffset(random) });
  return { name, offset: randomOffset(random), channels: randomChannels(random, name === `${prefix}0`), children };
}

const jointsOf = (joint) => [joint, ...(joint.children ?? []).flatMap(jointsOf)];

// A figure whose position channels are near zero (`relative`) or near the OFFSET: { root, frames }, frames as lists of numbers.
export function randomFigure(random, { prefix = "joint", frames, relative }) {
  const root = randomJoint(random, prefix, 3);
  const columns = jointsOf(root).flatMap(({ offset, channels = [] }) => channels.map((channel) => ({ channel, offset })));
  const valueOf = ({ channel, offset }) =>
    isPosition(channel) ? (relative ? 0 : offset[axisOf(channel)]) + 6 * random() - 3 : 360 * random() - 180;
  return { root, frames: Array.from({ length: frames }, () => columns.map(valueOf)) };
}

// The same figure with an OFFSET of zero along the axes that have position channels.
export function withoutReplacedOffsets({ root, frames }) {
  const changed = ({ offset, channels = [], ...joint }) => ({
    ...joint,
    ...(joint.name && { channels }),
    offset: offset.map((value, axis) => (channels.some((channel) => isPosition(channel) && axisOf(channel) === axis) ? 0 : value)),
    children: joint.children?.map(changed),
  });
  return { root: changed(root), frames };
}

function hierarchyText({ name, offset, channels, children }, isRoot) {
  const numbers = offset.map((value) => value.toFixed(5)).join(" ");
  if (!name) return `End Site\n{\nOFFSET ${numbers}\n}\n`;
  const inside = children.map((child) => hierarchyText(child, false)).join("");
  const channelText = ["CHANNELS", channels.length, ...channels].join(" ");
  return `${isRoot ? "ROOT" : "JOINT"} ${name}\n{\nOFFSET ${numbers}\n${channelText}\n${inside}}\n`;
}

// One file of several figures with the same number of frames. `frameTime`: seconds, as the text of the file.
export function bvhText(figures, frameTime) {
  const rows = figures[0].frames.map((_, i) => figures.flatMap(({ frames }) => frames[i]).map((value) => value.toFixed(6)).join(" "));
  const hierarchy = figures.map(({ root }) => hierarchyText(root, true)).join("");
  return `HIERARCHY\n${hierarchy}MOTION\nFrames: ${rows.length}\nFrame Time: ${frameTime}\n${rows.join("\n")}\n`;
}
