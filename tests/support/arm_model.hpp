#pragma once
// A small rig with two clips as glTF.

#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>

namespace vitrine::test {

// Two joints, root at the origin and arm 1 m above it, a skinned triangle, and two clips of 1 s: "bend" turns
// the arm by 90 degrees about Z, "slide" moves the root by 2 m along X.
inline constexpr std::string_view arm_gltf = R"({"asset":{"version":"2.0"},
"scene":0,"scenes":[{"nodes":[0,2]}],
"nodes":[{"name":"root","children":[1]},{"name":"arm","translation":[0,1,0]},{"name":"skin","mesh":0,"skin":0}],
"skins":[{"joints":[0,1]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],
"animations":[
{"name":"bend","channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}}],"samplers":[{"input":3,"output":4}]},
{"name":"slide","channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}],"samplers":[{"input":3,"output":5}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,2,0]},
{"bufferView":1,"componentType":5121,"count":3,"type":"VEC4"},
{"bufferView":2,"componentType":5126,"count":3,"type":"VEC4"},
{"bufferView":3,"componentType":5126,"count":2,"type":"SCALAR","min":[0],"max":[1]},
{"bufferView":4,"componentType":5126,"count":2,"type":"VEC4"},
{"bufferView":5,"componentType":5126,"count":2,"type":"VEC3"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":12},
{"buffer":0,"byteOffset":48,"byteLength":48},{"buffer":0,"byteOffset":96,"byteLength":8},
{"buffer":0,"byteOffset":104,"byteLength":32},{"buffer":0,"byteOffset":136,"byteLength":24}],
"buffers":[{"byteLength":160,"uri":"arm.bin"}]})";

// arm.bin
inline std::string arm_buffer()
{
    std::string bytes;
    const auto floats = [&](std::initializer_list<float> values) {
        for (const float value : values)
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    floats({0, 0, 0, 1, 0, 0, 0, 2, 0});
    bytes += std::string("\0\0\0\0\0\0\0\0\1\0\0\0", 12);
    for (int i = 0; i < 3; ++i)
        floats({1, 0, 0, 0});
    const float half = std::sqrt(0.5f);
    floats({0, 1, 0, 0, 0, 1, 0, 0, half, half, 0, 0, 0, 2, 0, 0});
    return bytes;
}

} // namespace vitrine::test
