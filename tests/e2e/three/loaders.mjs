// In the browser: three.js' loaders with one interface.
import * as THREE from "three";
import { ColladaLoader } from "three/addons/loaders/ColladaLoader.js";
import { DDSLoader } from "three/addons/loaders/DDSLoader.js";
import { DRACOLoader } from "three/addons/loaders/DRACOLoader.js";
import { FBXLoader } from "three/addons/loaders/FBXLoader.js";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { KTX2Loader } from "three/addons/loaders/KTX2Loader.js";
import { MD2Loader } from "three/addons/loaders/MD2Loader.js";
import { MTLLoader } from "three/addons/loaders/MTLLoader.js";
import { OBJLoader } from "three/addons/loaders/OBJLoader.js";
import { TDSLoader } from "three/addons/loaders/TDSLoader.js";
import { TGALoader } from "three/addons/loaders/TGALoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";

const loaders = { gltf: loadGltf, glb: loadGltf, obj: loadObj, fbx: loadFbx, dae: loadDae, "3ds": load3ds, md2: loadMd2 };

// -> { root, clips, culls }: upright, textures decoded. `culls`: the materials' side is significant.
export async function loadModel(url, renderer) {
  const manager = new THREE.LoadingManager();
  manager.addHandler(/\.tga$/i, new TGALoader(manager));
  manager.addHandler(/\.dds$/i, new DDSLoader(manager));
  let waiting = 0;
  let release;
  const settled = new Promise((resolve) => (release = resolve));
  const [start, end] = [manager.itemStart, manager.itemEnd];
  manager.itemStart = (item) => (waiting++, start(item));
  manager.itemEnd = (item) => (end(item), --waiting === 0 && release());
  manager.itemStart("the model");
  const extension = url.split(".").pop().toLowerCase();
  const model = await loaders[extension](url, manager, renderer);
  manager.itemEnd("the model");
  await settled; // textures are loaded after the model
  return { clips: [], culls: false, ...model };
}

async function loadGltf(url, manager, renderer) {
  const loader = new GLTFLoader(manager);
  loader.setDRACOLoader(new DRACOLoader(manager).setDecoderPath("/three/examples/jsm/libs/draco/gltf/"));
  loader.setKTX2Loader(new KTX2Loader(manager).setTranscoderPath("/three/examples/jsm/libs/basis/").detectSupport(renderer));
  loader.setMeshoptDecoder(MeshoptDecoder);
  const { scene, animations } = await loader.loadAsync(url);
  return { root: scene, clips: animations, culls: true };
}

async function loadObj(url, manager) {
  const text = await (await fetch(url)).text();
  const loader = new OBJLoader(manager);
  const library = /^mtllib\s+(.+?)\s*$/m.exec(text)?.[1];
  if (library) {
    const beside = new URL(library.replaceAll("\\", "/"), new URL(url, location.href));
    if ((await fetch(beside)).ok) loader.setMaterials(await new MTLLoader(manager).loadAsync(beside.href));
  }
  return { root: loader.parse(text) };
}

async function loadFbx(url, manager) {
  const root = await new FBXLoader(manager).loadAsync(url);
  return { root, clips: root.animations };
}

async function loadDae(url, manager) {
  const { scene } = await new ColladaLoader(manager).loadAsync(url);
  return { root: scene, clips: scene.animations };
}

async function load3ds(url, manager) {
  const root = upright(await new TDSLoader(manager).loadAsync(url));
  const materials = new Set();
  root.traverse(({ material }) => [material ?? []].flat().forEach((one) => materials.add(one)));
  materials.forEach(displayColors);
  return { root };
}

// The loader converts Z up by swapping Y and Z, which mirrors, and leaves the skin to the page.
async function loadMd2(url, manager) {
  const geometry = await new MD2Loader(manager).loadAsync(url);
  const skin = url.replace(/\.md2$/i, ".png");
  const material = new THREE.MeshBasicMaterial();
  if ((await fetch(skin)).ok) {
    material.map = await new THREE.TextureLoader(manager).loadAsync(skin);
    material.map.colorSpace = THREE.SRGBColorSpace;
  }
  const root = new THREE.Mesh(geometry, material);
  root.scale.z = -1;
  return { root };
}

// TDSLoader is older than three.js' color management: it stores colors and textures, which are display values, as linear ones.
// Its sibling loaders (MTL, FBX, COLLADA) convert them from sRGB.
function displayColors(material) {
  material.color.convertSRGBToLinear();
  if (material.map) material.map.colorSpace = THREE.SRGBColorSpace;
}

// The format has Z up; three.js leaves the conversion to the page.
function upright(model) {
  const root = new THREE.Group();
  root.rotation.x = -Math.PI / 2;
  root.add(model);
  return root;
}
