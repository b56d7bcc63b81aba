// In the browser: joints of VRM and VRMA files as three.js and three-vrm place them, in meters: {name: [x, y, z]}.
import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { VRMLoaderPlugin, VRMUtils } from "@pixiv/three-vrm";
import { VRMAnimationLoaderPlugin, createVRMAnimationClip } from "@pixiv/three-vrm-animation";

function load(url) {
  const loader = new GLTFLoader();
  loader.register((parser) => new VRMLoaderPlugin(parser));
  loader.register((parser) => new VRMAnimationLoaderPlugin(parser));
  return loader.loadAsync(url);
}

const positionOf = (object) => new THREE.Vector3().setFromMatrixPosition(object.matrixWorld).toArray();

// The bones of a character by their names in VRM 1.0. It faces +Z.
function bonesOf(vrm) {
  vrm.scene.updateMatrixWorld(true);
  const bones = Object.keys(vrm.humanoid.humanBones);
  return Object.fromEntries(bones.map((bone) => [bone, positionOf(vrm.humanoid.getRawBoneNode(bone))]));
}

async function loadCharacter(url) {
  const { vrm } = (await load(url)).userData;
  VRMUtils.rotateVRM0(vrm);
  return vrm;
}

function play(root, clip) {
  const mixer = new THREE.AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(THREE.LoopOnce);
  action.clampWhenFinished = true;
  action.play();
  return mixer;
}

export async function restPose({ url }) {
  return bonesOf(await loadCharacter(url));
}

// The nodes of the motion's file at each time, by their names in the file.
export async function motionPoses({ url, times }) {
  const { scene, animations, parser } = await load(url);
  const mixer = play(scene, animations[0]);
  return times.map((time) => {
    mixer.setTime(time);
    scene.updateMatrixWorld(true);
    const nodes = [...parser.associations].filter(([object, { nodes }]) => object.isObject3D && nodes !== undefined);
    return Object.fromEntries(nodes.map(([object, { nodes }]) => [parser.json.nodes[nodes].name, positionOf(object)]));
  });
}

// The bones of a character that performs the motion.
export async function performedPoses({ url, motionUrl, times }) {
  const vrm = await loadCharacter(url);
  const [animation] = (await load(motionUrl)).userData.vrmAnimations;
  const mixer = play(vrm.scene, createVRMAnimationClip(animation, vrm));
  return times.map((time) => {
    mixer.setTime(time);
    vrm.update(0);
    return bonesOf(vrm);
  });
}
