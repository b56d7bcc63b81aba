// Layers of `vitrine pose` compared with three.js: an AnimationMixer with weights, masks and additive clips, relative to their own start
// or to a pose of another clip, gives the same joints
// within 1e-4 of the model's size. Nodes and animations are read from the GLB here. VITRINE_PROGRAM is the path of the program,
// VITRINE_CORPUS the folder of real files; without it only samples are compared.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import {
  AdditiveAnimationBlendMode, AnimationClip, AnimationMixer, AnimationUtils, InterpolateDiscrete, InterpolateLinear, Object3D,
  QuaternionKeyframeTrack, VectorKeyframeTrack, Vector3,
} from "three";

import { corpus, describeBesideThree, needsCorpus, program } from "../three/comparison_suite.mjs";

const tolerance = 1e-4;
const cases = 40;
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
const interpolations = { STEP: InterpolateDiscrete, LINEAR: InterpolateLinear };

function readGlb(file) {
  const bytes = readFileSync(file);
  const jsonLength = bytes.readUInt32LE(12);
  const document = JSON.parse(bytes.subarray(20, 20 + jsonLength));
  return { document, binary: bytes.subarray(28 + jsonLength) };
}

function floatsOf({ document, binary }, index) {
  const accessor = document.accessors[index];
  const view = document.bufferViews[accessor.bufferView];
  assert.equal(accessor.componentType, 5126);
  const at = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
  const count = accessor.count * widths[accessor.type];
  return Array.from({ length: count }, (_, i) => binary.readFloatLE(at + 4 * i));
}

// The nodes of the file as three.js objects, named by their index.
function buildNodes({ nodes }) {
  const objects = nodes.map((node, i) => {
    const object = new Object3D();
    object.name = `node${i}`;
    if (node.matrix) object.applyMatrix4(object.matrix.clone().fromArray(node.matrix));
    object.position.fromArray(node.translation ?? object.position.toArray());
    object.quaternion.fromArray(node.rotation ?? object.quaternion.toArray());
    object.scale.fromArray(node.scale ?? object.scale.toArray());
    return object;
  });
  const root = new Object3D();
  nodes.forEach((node, i) => (node.children ?? []).forEach((child) => objects[i].add(objects[child])));
  objects.filter((object) => !object.parent).forEach((object) => root.add(object));
  return { root, objects };
}

function trackOf(glb, animation, channel) {
  const properties = { translation: "position", rotation: "quaternion", scale: "scale" };
  const property = properties[channel.target.path];
  const sampler = animation.samplers[channel.sampler];
  const interpolation = interpolations[sampler.interpolation ?? "LINEAR"];
  if (!property || !interpolation) return null;
  const Track = property === "quaternion" ? QuaternionKeyframeTrack : VectorKeyframeTrack;
  const name = `node${channel.target.node}.${property}`;
  return new Track(name, floatsOf(glb, sampler.input), floatsOf(glb, sampler.output), interpolation);
}

function clipsOf(glb) {
  return (glb.document.animations ?? []).map((animation, i) => {
    const tracks = animation.channels.map((channel) => trackOf(glb, animation, channel));
    assert.ok(tracks.every(Boolean), "the file has animations that this test cannot read");
    return new AnimationClip(`c${i}`, -1, tracks);
  });
}

// A track of one key that holds the static value of what the track `name` animates.
function restTrack(objects, name) {
  const [node, property] = name.split(".");
  const Track = property === "quaternion" ? QuaternionKeyframeTrack : VectorKeyframeTrack;
  return new Track(name, [0], objects[Number(node.slice(4))][property].toArray());
}

// Evaluates the layers in three.js, whose mixer takes the weighted mean of all actions: a layer that is mixed over the others by m
// weighs as much as their sum times m / (1 - m). What the first layer does not animate begins as a track of the static value.
function pose(glb, clips, [base, ...layers]) {
  const { root, objects } = buildNodes(glb.document);
  const mixer = new AnimationMixer(root);
  const sums = new Map(); // of the weights, by track name
  const clipOf = (name, track) => new AnimationClip(name, -1, [track.clone()]);
  // What the other clip does not animate is relative to the static value. One frame per second: frames are seconds.
  const makeAdditive = (part, { name }, reference) => {
    const track = clips[reference.clip].tracks.find((other) => other.name === name) ?? restTrack(objects, name);
    AnimationUtils.makeClipAdditive(part, reference.time, clipOf("reference", track), 1);
  };
  const play = (track, time, weight, additive, reference) => {
    const part = clipOf(`part${mixer.stats.actions.total}`, track);
    if (reference) makeAdditive(part, track, reference);
    else if (additive) AnimationUtils.makeClipAdditive(part, 0, part);
    const action = mixer.clipAction(part, root, additive ? AdditiveAnimationBlendMode : undefined);
    action.play();
    action.time = Math.min(time, part.duration);
    action.setEffectiveWeight(weight);
  };
  const start = (track, time) => {
    play(track, time, 1, false);
    sums.set(track.name, 1);
  };
  clips[base.clip].tracks.forEach((track) => start(track, base.time));
  for (const { clip, time, weight, mask, additive, reference } of layers) {
    for (const track of clips[clip].tracks.filter(({ name }) => !mask || mask.has(name.split(".")[0]))) {
      if (!sums.has(track.name)) start(restTrack(objects, track.name), 0);
      const sum = sums.get(track.name);
      const share = additive ? weight : (sum * weight) / (1 - weight);
      if (!additive) sums.set(track.name, sum + share);
      play(track, time, share, additive, reference);
    }
  }
  mixer.update(0);
  root.updateMatrixWorld(true);
  return objects.map((object) => new Vector3().setFromMatrixPosition(object.matrixWorld));
}

// The node and all below it, by their names in three.js.
function below(document, node, names = new Set()) {
  names.add(`node${node}`);
  (document.nodes[node].children ?? []).forEach((child) => below(document, child, names));
  return names;
}

// Numbers in [0, 1) that are the same in each run.
function randomNumbers(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

// Joints are addressed by name: the program orders nodes by their depth.
const textOf = ({ clip, time, weight, name, additive, reference }) =>
  `c${clip}@${time}*${weight}${name === undefined ? "" : `~${name}`}${additive ? "!add" : ""}${reference ? `=c${reference.clip}@${reference.time}` : ""}`;

function choose(random, { document }, clips, joints) {
  const some = (count) => Math.floor(random() * count);
  const moment = () => {
    const clip = some(clips.length);
    return { clip, time: Number((random() * clips[clip].duration).toFixed(3)) };
  };
  const layer = (additive) => {
    const { clip, time } = moment();
    const joint = random() < 0.5 ? joints[some(joints.length)] : undefined;
    const mask = joint === undefined ? undefined : below(document, joint);
    const weight = Number((0.1 + 0.8 * random()).toFixed(3));
    const reference = additive && random() < 0.5 ? moment() : undefined;
    return { clip, time, weight, name: document.nodes[joint]?.name, mask, additive, reference };
  };
  const overrides = Array.from({ length: 1 + some(3) }, () => layer(false));
  const additives = Array.from({ length: some(3) }, () => layer(true));
  return [{ ...layer(false), weight: 1, mask: undefined, name: undefined }, ...overrides, ...additives];
}

describeBesideThree("layers beside three.js", ({ samples }) => {
  function expectEqual(test, file, count) {
    const glb = readGlb(file);
    const clips = clipsOf(glb);
    assert.ok(clips.length > 0);
    const joints = [...new Set(glb.document.skins.flatMap((skin) => skin.joints))];
    const random = randomNumbers(7);
    let moved = 0;
    let relative = 0;
    let worst = 0;
    for (let i = 0; i < count; ++i) {
      const layers = choose(random, glb, clips, joints);
      const [base, ...others] = layers;
      relative += others.some(({ reference }) => reference) ? 1 : 0;
      const options = others.flatMap((layer) => ["--layer", textOf(layer)]);
      const text = execFileSync(program, ["pose", file, "--clip", `c${base.clip}`, "--time", `${base.time}`, ...options], { maxBuffer: 1 << 28 });
      const { nodes } = JSON.parse(text);
      const expected = pose(glb, clips, layers);
      const unlayered = pose(glb, clips, [base]);
      const size = Math.max(...expected.map((point) => point.length()), 1e-3);
      joints.forEach((joint) => {
        const { name } = glb.document.nodes[joint];
        const actual = new Vector3(...nodes.find((node) => node.name === name).model.slice(12, 15));
        const apart = actual.distanceTo(expected[joint]) / size;
        worst = Math.max(worst, apart);
        assert.ok(apart <= tolerance, `${file}, ${layers.map(textOf).join(" ")}: ${name} is off by ${apart}`);
        moved += expected[joint].distanceTo(unlayered[joint]) > 0.01 * size ? 1 : 0;
      });
    }
    assert.ok(moved > count, "layers hardly change the pose");
    assert.ok(relative > count / 10, "hardly any layer is relative to another clip");
    test.diagnostic(`${count} cases: joints off by at most ${worst.toExponential(1)} of the model's size`);
  }

  it("agrees with three.js for a sample", (test) => expectEqual(test, join(samples, "robot-glb", "robot.glb"), cases / 2));
  it("agrees with three.js for a character", needsCorpus, (test) =>
    expectEqual(test, join(corpus, "KayKit-Adventurers/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb"), cases));
});
