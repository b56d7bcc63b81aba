// `vitrine bake` compared with three.js: the vertices of glTF files, in the static pose and at times of their clips, within 1e-4 of the
// model's size. VITRINE_PROGRAM is the path of the program, VITRINE_CORPUS the folder of real files; without it only the samples
// are compared.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";

import { corpus, describeBesideThree, needsCorpus, program } from "../three/comparison_suite.mjs";
import { inspect } from "../three/compare_pair.mjs";
import { distance } from "../three/vertices.mjs";

const tolerance = 1e-4;

// three.js supports four influences per vertex; the tentacle has more.
const ofMoreInfluences = /tentacle/;

const files = `
KayKit-Adventurers/addons/kaykit_character_pack_adventures/Characters/gltf/Barbarian.glb
KayKit-Dungeon/addons/kaykit_dungeon_remastered/Assets/gltf/chest_gold.glb
SharpGLTF/tests/Assets/InconsistentMorphTargets_unfixed.glb
assimp/models/glTF2/AnimatedMorphCube/glTF/AnimatedMorphCube.gltf
assimp/models/glTF2/SimpleMorph/glTF/SimpleMorph.gltf
assimp/models/glTF2/simple_skin/simple_skin.gltf
draco/testdata/SpheresScaledInstances/glTF/spheres_scaled_instances.gltf
glTF-Blender-IO/tests/roundtrip/01_cs_morph/01_cs_morph.gltf
glTF-Blender-IO/tests/roundtrip/01_cs_translate/01_cs_translate.gltf
glTF-Blender-IO/tests/roundtrip/03_all_animations/03_all_animations.gltf
glTF-Blender-IO/tests/roundtrip/23_multi_prim_vertex_attribute/23_multi_prim_vertex_attribute.gltf
glTF-Transform/packages/extensions/test/in/BoxDraco.gltf
ozz/media/gltf/khronos/rigged_simple.gltf
trimesh/models/pins.glb
`.trim().split("\n");

describeBesideThree("vertices beside three.js", ({ samples, studio }) => {
  it("agrees with three.js for the samples", async () => {
    const folders = readdirSync(samples).filter((folder) => folder.endsWith("-glb") && !ofMoreInfluences.test(folder));
    assert.ok(folders.length > 3);
    for (const folder of folders) await expectEqual(join(samples, folder, folder.replace("-", ".")));
  });

  it("agrees with three.js for real files", needsCorpus, async () => {
    for (const file of files) await expectEqual(join(corpus, file));
  });

  async function expectEqual(file) {
    const { clips } = await inspect(program, file);
    for (const clip of [null, ...clips.slice(0, 2).keys()]) {
      const apart = await distance(studio(), program, file, { clip, clips });
      assert.ok(apart <= tolerance, `${file}, ${clip === null ? "in the static pose" : `clip ${clip}`}: ${apart.toExponential(2)} of its size`);
    }
  }
});
