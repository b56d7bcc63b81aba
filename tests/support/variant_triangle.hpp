#pragma once
// A red triangle that fills the middle of a front view, unlit, with material variants: "Red" by default,
// "Green", and "Plain", for which the primitive has no mapping.

namespace vitrine::test {

inline constexpr const char* variant_triangle =
    R"({"asset":{"version":"2.0"},"extensionsUsed":["KHR_materials_unlit","KHR_materials_variants"],
    "extensions":{"KHR_materials_variants":{"variants":[{"name":"Red"},{"name":"Green"},{"name":"Plain"}]}},
    "buffers":[{"byteLength":36,"uri":"data:;base64,AACAvwAAgL8AAAAAAACAPwAAgL8AAAAAAAAAAAAAgD8AAAAA"}],
    "bufferViews":[{"buffer":0,"byteLength":36}],
    "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]}],
    "materials":[{"name":"red","pbrMetallicRoughness":{"baseColorFactor":[1,0,0,1]},
    "extensions":{"KHR_materials_unlit":{}}},
    {"name":"green","pbrMetallicRoughness":{"baseColorFactor":[0,1,0,1]},
    "extensions":{"KHR_materials_unlit":{}}}],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"extensions":
    {"KHR_materials_variants":{"mappings":[{"material":1,"variants":[1]},{"material":0,"variants":[0]}]}}}]}],
    "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0})";

} // namespace vitrine::test
