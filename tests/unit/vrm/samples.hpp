#pragma once
// Small VRM and VRMA files: a figure of seventeen joints in T pose, and a triangle with one morph target.
// Link tests/unit/gltf/builder.cpp.

#include <array>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "loaders/vrm/vrm.hpp"
#include "tests/unit/gltf/builder.hpp"

namespace vitrine::test {

struct FigureJoint {
    std::string_view bone; // in VRM 1.0
    std::string_view children;
    float x, y, z; // relative to its parent; the left side is at +X
};

// The nodes 0 to 16; the triangle is drawn by node 17.
inline constexpr std::array figure_joints{FigureJoint{"", "1,17", 0, 0, 0},
                                          FigureJoint{"hips", "2,10,13", 0, 1, 0},
                                          FigureJoint{"spine", "3,4,7", 0, 0.1f, 0},
                                          FigureJoint{"head", "", 0, 0.5f, 0},
                                          FigureJoint{"leftUpperArm", "5", 0.2f, 0.4f, 0},
                                          FigureJoint{"leftLowerArm", "6", 0.25f, 0, 0},
                                          FigureJoint{"leftHand", "16", 0.25f, 0, 0},
                                          FigureJoint{"rightUpperArm", "8", -0.2f, 0.4f, 0},
                                          FigureJoint{"rightLowerArm", "9", -0.25f, 0, 0},
                                          FigureJoint{"rightHand", "", -0.25f, 0, 0},
                                          FigureJoint{"leftUpperLeg", "11", 0.1f, -0.1f, 0},
                                          FigureJoint{"leftLowerLeg", "12", 0, -0.4f, 0},
                                          FigureJoint{"leftFoot", "", 0, -0.4f, 0},
                                          FigureJoint{"rightUpperLeg", "14", -0.1f, -0.1f, 0},
                                          FigureJoint{"rightLowerLeg", "15", 0, -0.4f, 0},
                                          FigureJoint{"rightFoot", "", 0, -0.4f, 0},
                                          FigureJoint{"leftThumbMetacarpal", "", 0.03f, 0, 0.03f}};

// `front`: 1 if it faces +Z, -1 if it faces -Z.
inline void add_figure_joints(GltfBuilder& builder, float front)
{
    for (const auto& [bone, children, x, y, z] : figure_joints)
        builder.add("nodes",
                    fmt::format(R"({{"name":"joint {}","translation":[{},{},{}]{}}})", bone, front * x, y,
                                front * z,
                                children.empty() ? "" : fmt::format(R"(,"children":[{}])", children)));
}

inline void add_figure(GltfBuilder& builder, float front, const std::string& material)
{
    add_figure_joints(builder, front);
    builder.add("materials", material);
    builder.accessor<float>({-0.1f, 1.5f, front * 0.1f, 0.1f, 1.5f, front * 0.1f, 0, 1.7f, front * 0.1f},
                            "VEC3");
    builder.accessor<float>({0, 0, 0, 0, 0, 0, 0, 0.1f, 0}, "VEC3");
    builder.mesh(R"("POSITION":0)", R"(,"material":0,"targets":[{"POSITION":1}])");
    builder.add("nodes", R"({"name":"face","mesh":0})");
}

// Of VRM 1.0 and VRMA: "hips":{"node":1}, ...
inline std::string figure_bones()
{
    std::string bones;
    for (std::size_t node = 1; node < figure_joints.size(); ++node)
        bones +=
            fmt::format(R"({}"{}":{{"node":{}}})", bones.empty() ? "" : ",", figure_joints[node].bone, node);
    return bones;
}

// Of VRM 0.x, where the metacarpal of the thumb is its proximal joint: {"bone":"hips","node":1}, ...
inline std::string figure_bones_of_version_0()
{
    std::string bones;
    for (std::size_t node = 1; node < figure_joints.size(); ++node)
        bones += fmt::format(R"({}{{"bone":"{}","node":{}}})", bones.empty() ? "" : ",",
                             node == 16 ? "leftThumbProximal" : figure_joints[node].bone, node);
    return bones;
}

inline const std::string toon_1 =
    R"({"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.25,1]},"extensions":{"KHR_materials_unlit":{},)"
    R"("VRMC_materials_mtoon":{"specVersion":"1.0","shadeColorFactor":[0.5,0.25,0]}}})";

inline const std::string facts_1 =
    R"("meta":{"name":"Figure","version":"2","authors":["Ann","Bob"],"licenseUrl":"https://vrm.dev/licenses/1.0/",)"
    R"("avatarPermission":"everyone","modification":"prohibited","allowRedistribution":false,"references":["a","b"],)"
    R"("thumbnailImage":0},"firstPerson":{"meshAnnotations":[{"node":17,"type":"thirdPersonOnly"}]},)"
    R"("lookAt":{"type":"bone"},"expressions":{"preset":{"happy":{"isBinary":true,"morphTargetBinds":)"
    R"([{"node":17,"index":0,"weight":0.5}],"materialColorBinds":[{}]}},"custom":{"wink":{}}})";

inline const std::string springs_1 =
    R"("VRMC_springBone":{"colliders":[{}],"springs":[{"joints":[{"node":3},{"node":4}]}]})";

// `bones` are the members of humanBones, `facts` the other members of VRMC_vrm.
inline GltfBuilder vrm_1(const std::string& bones = figure_bones(), const std::string& facts = facts_1)
{
    GltfBuilder builder;
    add_figure(builder, 1.0f, toon_1);
    builder.root(
        R"("extensionsUsed":["VRMC_vrm","VRMC_springBone","VRMC_materials_mtoon","KHR_materials_unlit"])");
    builder.root(fmt::format(
        R"("extensions":{{{},"VRMC_vrm":{{"specVersion":"1.0","humanoid":{{"humanBones":{{{}}}}},{}}}}})",
        springs_1, bones, facts));
    return builder;
}

inline const std::string facts_0 =
    R"("specVersion":"0.0","meta":{"title":"Figure","version":"1","author":"Ann","licenseName":"CC0",)"
    R"("allowedUserName":"Everyone","texture":0},"firstPerson":{"meshAnnotations":[{"mesh":0,)"
    R"("firstPersonFlag":"FirstPersonOnly"}],"lookAtTypeName":"BlendShape"},"blendShapeMaster":{"blendShapeGroups":)"
    R"([{"name":"Joy","presetName":"joy","binds":[{"mesh":0,"index":0,"weight":75}]},)"
    R"({"name":"Wink","presetName":"unknown","binds":[],"materialValues":[{}],"isBinary":true}]},)"
    R"("secondaryAnimation":{"boneGroups":[{"bones":[3,4]}],"colliderGroups":[{"node":1,"colliders":[{},{}]}]})";

inline const std::string toon_0 =
    R"("materialProperties":[{"shader":"VRM/MToon","floatProperties":{"_BlendMode":1,"_Cutoff":0.25,"_CullMode":0},)"
    R"("vectorProperties":{"_Color":[1,1,1,1],"_ShadeColor":[0.5,0.5,0.5,1]}}])";

// `bones` are the elements of humanBones, `facts` other members of VRM, `materials` the rest.
inline GltfBuilder vrm_0(const std::string& bones = figure_bones_of_version_0(),
                         const std::string& facts = facts_0, const std::string& materials = toon_0)
{
    GltfBuilder builder;
    add_figure(builder, -1.0f, R"({"name":"skin"})");
    builder.root(R"("extensionsUsed":["VRM"])");
    builder.root(fmt::format(R"("extensions":{{"VRM":{{"humanoid":{{"humanBones":[{}]}},{},{}}}}})", bones,
                             facts, materials));
    return builder;
}

// The left arm falls within a second; the expression "happy" rises.
inline GltfBuilder vrma(const std::string& bones = figure_bones())
{
    GltfBuilder builder;
    add_figure_joints(builder, 1.0f);
    builder.add("nodes", R"({"name":"happy"})");
    builder.accessor<float>({0, 1}, "SCALAR");
    builder.accessor<float>({0, 0, 0, 1, 0, 0, -0.70710678f, 0.70710678f}, "VEC4");
    builder.accessor<float>({0, 0, 0, 1, 0, 0}, "VEC3");
    builder.add("animations",
                R"({"name":"fall","samplers":[{"input":0,"output":1},{"input":0,"output":2}],"channels":)"
                R"([{"sampler":0,"target":{"node":4,"path":"rotation"}},)"
                R"({"sampler":1,"target":{"node":17,"path":"translation"}}]})");
    builder.root(R"("extensionsUsed":["VRMC_vrm_animation"])");
    builder.root(fmt::format(
        R"("extensions":{{"VRMC_vrm_animation":{{"specVersion":"1.0","humanoid":{{"humanBones":{{{}}}}},)"
        R"("expressions":{{"preset":{{"happy":{{"node":17}}}}}}}}}})",
        bones));
    return builder;
}

inline LoadResult<scene::Scene> try_vrm(const std::string& bytes, const Limits& limits = {})
{
    MemorySource source("m.vrm", {{"m.vrm", bytes}});
    return load_vrm(source, limits);
}

} // namespace vitrine::test
