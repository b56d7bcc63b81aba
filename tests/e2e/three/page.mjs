// In the browser: loads a model with three.js and renders it with the light of `vitrine render --light reference`. Loaders,
// skinning, clips and bounds are those of three.js; only the camera formula and one line of shading are ours.
import * as THREE from "three";

import { loadModel } from "./loaders.mjs";
import { fromLinear } from "./metrics.mjs";

const posesPerSecond = 30;
const mostPoses = 240; // enough for bounds within a pixel on a long clip

const renderer = new THREE.WebGLRenderer({ antialias: false });

// -> { pixels: base64 of the bytes of an image (metrics.mjs), clips: number }
window.drawModel = async ({ url, clip, time, yaw, pitch, size }) => {
  const { root, clips, culls } = await loadModel(url, renderer);
  const scene = new THREE.Scene();
  scene.add(root);
  shade(root, culls);
  const mixer = new THREE.AnimationMixer(root);
  const pose = poser(mixer, scene, clips[clip]);
  const camera = cameraFor(framing(scene, pose, clips[clip]), yaw, pitch);
  pose(time);
  const pixels = draw(scene, camera, size);
  root.traverse((object) => object.geometry?.dispose());
  return { pixels, clips: clips.length };
};

// -> for each time, base64 of floats: x, y and z of every vertex
window.verticesOf = async ({ url, clip, times }) => {
  const { root, clips } = await loadModel(url, renderer);
  const scene = new THREE.Scene();
  scene.add(root);
  const pose = poser(new THREE.AnimationMixer(root), scene, clips[clip]);
  const all = times.map((time) => {
    pose(time);
    const places = [];
    eachVertex(scene, ({ x, y, z }) => places.push(x, y, z));
    return toBase64(new Float32Array(places).buffer);
  });
  root.traverse((object) => object.geometry?.dispose());
  return all;
};

// Poses the scene at a time of the clip, on the file's timeline; without a clip it stays as loaded.
function poser(mixer, scene, clip) {
  const action = clip && mixer.clipAction(clip);
  if (action) action.setLoop(THREE.LoopOnce).clampWhenFinished = true;
  return (time) => {
    action?.reset().play(); // a finished action has stopped
    if (action) mixer.setTime(time);
    scene.updateMatrixWorld(true);
    scene.traverse((object) => object.isSkinnedMesh && object.skeleton.update());
  };
}

function framing(scene, pose, clip) {
  const box = new THREE.Box3();
  for (const time of clip ? momentsOf(clip) : [0]) {
    pose(time);
    grow(box, scene);
  }
  return box;
}

// Returns evenly spaced times and the keys, where a clip's extrema are.
function momentsOf(clip) {
  const keys = clip.tracks.flatMap((track) => [...track.times]);
  const [first, last] = keys.reduce(([low, high], key) => [Math.min(low, key), Math.max(high, key)], [Infinity, -Infinity]);
  const count = Math.min(mostPoses, Math.ceil((last - first) * posesPerSecond) + 1);
  const even = Array.from({ length: count }, (_, index) => first + ((last - first) * index) / Math.max(1, count - 1));
  const distinct = [...new Set(keys)];
  return distinct.length > mostPoses ? even : [...even, ...distinct];
}

const vertex = new THREE.Vector3();
const matrix = new THREE.Matrix4();

function grow(box, scene) {
  eachVertex(scene, (place) => box.expandByPoint(place));
}

// Calls `take` with the world position of each drawn vertex once. The vector is reused.
function eachVertex(scene, take) {
  scene.traverseVisible((object) => {
    const { geometry } = object;
    if (!geometry?.attributes.position) return;
    const range = geometry.drawRange;
    const last = Math.min(range.start + range.count, (geometry.index ?? geometry.attributes.position).count);
    const seen = new Uint8Array(geometry.attributes.position.count);
    const places = [];
    for (let at = range.start; at < last; at++) {
      const index = geometry.index ? geometry.index.getX(at) : at;
      if (seen[index]++) continue;
      if (object.getVertexPosition) object.getVertexPosition(index, vertex);
      else vertex.fromBufferAttribute(geometry.attributes.position, index);
      places.push(vertex.clone());
    }
    for (let copy = 0; copy < (object.isInstancedMesh ? object.count : 1); copy++) {
      matrix.copy(object.matrixWorld);
      if (object.isInstancedMesh) {
        const own = new THREE.Matrix4();
        object.getMatrixAt(copy, own);
        matrix.multiply(own);
      }
      for (const place of places) take(vertex.copy(place).applyMatrix4(matrix));
    }
  });
}

function cameraFor(box, yaw, pitch) {
  const field = 45;
  const target = box.getCenter(new THREE.Vector3());
  const radius = box.getSize(new THREE.Vector3()).length() / 2;
  const distance = (1.05 * radius) / Math.sin(THREE.MathUtils.degToRad(field / 2));
  const [y, p] = [yaw, pitch].map(THREE.MathUtils.degToRad);
  const camera = new THREE.PerspectiveCamera(field, 1, distance - 1.1 * radius, distance + 1.1 * radius);
  if (Math.abs(pitch) > 89) camera.up.set(-Math.sin(y), 0, -Math.cos(y)).multiplyScalar(Math.sign(pitch));
  const away = new THREE.Vector3(Math.sin(y) * Math.cos(p), Math.sin(p), Math.cos(y) * Math.cos(p));
  camera.position.copy(target).addScaledVector(away, distance);
  camera.lookAt(target);
  camera.updateMatrixWorld();
  return camera;
}

function shade(root, culls) {
  root.traverse((object) => {
    if (!object.material) return;
    object.frustumCulled = false;
    const many = Array.isArray(object.material);
    const materials = (many ? object.material : [object.material]).map((material) => (object.isMesh ? lit(material, culls) : material));
    object.material = many ? materials : materials[0];
  });
}

// Of the file's material what has to do with base color, coverage and faces; Lambert's shader for its normals.
function lit(from, culls) {
  const material = new THREE.MeshLambertMaterial({
    color: from.color,
    map: from.map ?? null,
    alphaMap: from.alphaMap ?? null,
    opacity: from.opacity ?? 1,
    transparent: from.transparent,
    alphaTest: from.alphaTest,
    vertexColors: from.vertexColors,
    flatShading: from.flatShading,
    depthWrite: from.depthWrite,
    side: culls ? from.side : THREE.DoubleSide,
    forceSinglePass: true,
  });
  material.onBeforeCompile = (shader) => {
    const light = "outgoingLight = diffuseColor.rgb * (0.3 + 0.7 * max(0.0, dot(normalize(normal), normalize(vViewPosition))));";
    shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", `${light}\n#include <opaque_fragment>`);
  };
  return material;
}

function draw(scene, camera, size) {
  const target = new THREE.WebGLRenderTarget(size, size, { samples: 4, type: THREE.HalfFloatType });
  renderer.setRenderTarget(target);
  renderer.setClearColor(0x000000, 0);
  renderer.clear();
  renderer.render(scene, camera);
  const halves = new Uint16Array(size * size * 4);
  renderer.readRenderTargetPixels(target, 0, 0, size, size, halves);
  renderer.setRenderTarget(null);
  target.dispose();
  const floats = new Float32Array(halves.length);
  for (let at = 0; at < halves.length; at++) floats[at] = THREE.DataUtils.fromHalfFloat(halves[at]);
  return toBase64(fromLinear(floats, size).rgba.buffer);
}

function toBase64(buffer) {
  return new Uint8Array(buffer).toBase64();
}

// A PNG's pixels as base64, straight alpha, top row first: node has no decoder of its own.
window.decodePicture = async (base64) => {
  const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  const bitmap = await createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
  return toBase64(data.buffer);
};

window.encodePicture = async (base64, width, height) => {
  const data = Uint8ClampedArray.from(atob(base64), (letter) => letter.charCodeAt(0));
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
  return toBase64(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
};

window.ready = true;
