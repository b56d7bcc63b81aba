// A character of VRM: a figure in T pose whose joints have the names and roles of VRM 1.0. Faces +Z; 1.6 m
// tall.

#include <algorithm>
#include <cmath>

#include <glm/gtc/matrix_transform.hpp>

#include "server/samples/models.hpp"
#include "server/samples/primitive_shapes.hpp"
#include "server/samples/procedural_texture.hpp"
#include "server/samples/rig.hpp"

namespace vitrine::samples {

namespace {

enum AvatarMaterial : std::uint32_t { skin, hair, coat, trousers, shoe, eye, mouth };

std::vector<scene::Material> avatar_materials()
{
    std::vector<scene::Material> materials(7);
    const auto set = [&](AvatarMaterial material, const char* name, glm::vec3 srgb) {
        materials[material].name = name;
        materials[material].base_color = linear(srgb);
        materials[material].roughness = 0.8f;
    };
    set(skin, "skin", rgb(246, 206, 178));
    set(hair, "hair", rgb(86, 52, 40));
    set(coat, "coat", rgb(66, 122, 158));
    set(trousers, "trousers", rgb(58, 62, 78));
    set(shoe, "shoe", rgb(120, 70, 52));
    set(eye, "eye", rgb(32, 40, 60));
    set(mouth, "mouth", rgb(190, 84, 84));
    return materials;
}

void add_side(Rig& rig, const std::string& side, float x, std::uint32_t hips, std::uint32_t chest)
{
    const auto leg = rig.joint(side + "UpperLeg", hips, {x * 0.09f, 0.80f, 0});
    const auto shin = rig.joint(side + "LowerLeg", leg, {x * 0.09f, 0.44f, 0});
    const auto foot = rig.joint(side + "Foot", shin, {x * 0.09f, 0.08f, 0});
    rig.joint(side + "Toes", foot, {x * 0.09f, 0.03f, 0.10f});
    const auto shoulder = rig.joint(side + "Shoulder", chest, {x * 0.04f, 1.22f, 0});
    const auto upper = rig.joint(side + "UpperArm", shoulder, {x * 0.14f, 1.22f, 0});
    const auto lower = rig.joint(side + "LowerArm", upper, {x * 0.36f, 1.22f, 0});
    const auto hand = rig.joint(side + "Hand", lower, {x * 0.58f, 1.22f, 0});
    const auto thumb = rig.joint(side + "ThumbMetacarpal", hand, {x * 0.60f, 1.21f, 0.03f});
    const auto middle = rig.joint(side + "ThumbProximal", thumb, {x * 0.625f, 1.21f, 0.055f});
    rig.joint(side + "ThumbDistal", middle, {x * 0.645f, 1.21f, 0.07f});
}

Rig avatar_rig()
{
    Rig rig;
    const auto hips = rig.joint("hips", scene::none, {0, 0.86f, 0});
    const auto spine = rig.joint("spine", hips, {0, 0.96f, 0});
    const auto chest = rig.joint("chest", spine, {0, 1.08f, 0});
    const auto neck = rig.joint("neck", chest, {0, 1.28f, 0});
    rig.joint("head", neck, {0, 1.36f, 0});
    add_side(rig, "left", 1.0f, hips, chest);
    add_side(rig, "right", -1.0f, hips, chest);
    return rig;
}

// A limb from one joint to another, with round ends.
MeshShape limb(const glm::vec3& from, const glm::vec3& to, float radius, float end_radius)
{
    constexpr int steps = 24;
    const float length = glm::distance(from, to);
    std::vector<glm::vec2> profile;
    for (int step = 0; step <= steps; ++step) {
        const float along = 0.5f - 0.5f * std::cos(pi * static_cast<float>(step) / steps);
        const float cap = std::sqrt(std::max(0.0f, 1.0f - std::pow(std::abs(2.0f * along - 1.0f), 16.0f)));
        profile.emplace_back(cap * glm::mix(radius, end_radius, along), along * length);
    }
    const glm::vec3 up = (to - from) / length;
    const glm::vec3 side =
        glm::normalize(glm::cross(up, std::abs(up.z) < 0.9f ? glm::vec3(0, 0, 1) : glm::vec3(1, 0, 0)));
    const glm::mat4 axes(glm::vec4(side, 0), glm::vec4(up, 0), glm::vec4(glm::cross(side, up), 0),
                         glm::vec4(from, 1));
    return transformed(lathe(profile, 20), axes);
}

MeshShape placed_sphere(glm::vec3 at, glm::vec3 size)
{
    return transformed(sphere(0.5f), moved(at) * glm::scale(glm::mat4(1.0f), size));
}

void add_avatar_head(ShapeBuilder& mesh, const Rig& rig)
{
    const auto head = rig.find("head");
    mesh.add(limb({0, 1.24f, 0}, {0, 1.40f, 0}, 0.045f, 0.045f), skin, rig.find("neck"));
    mesh.add(placed_sphere({0, 1.46f, 0}, {0.20f, 0.25f, 0.22f}), skin, head);
    mesh.add(placed_sphere({0, 1.50f, -0.025f}, {0.235f, 0.25f, 0.23f}), hair, head);
    mesh.add(placed_sphere({0, 1.45f, 0.112f}, {0.022f, 0.03f, 0.03f}), skin, head);
    for (const float x : {-0.04f, 0.04f})
        mesh.add(placed_sphere({x, 1.475f, 0.098f}, {0.026f, 0.04f, 0.02f}), eye, head);
    mesh.add(placed_sphere({0, 1.405f, 0.092f}, {0.06f, 0.012f, 0.02f}), mouth, head);
}

void add_avatar_body(ShapeBuilder& mesh, const Rig& rig)
{
    mesh.add(placed_sphere({0, 0.88f, 0}, {0.30f, 0.22f, 0.20f}), trousers, rig.find("hips"));
    mesh.add(placed_sphere({0, 1.00f, 0}, {0.27f, 0.28f, 0.18f}), coat, rig.find("spine"));
    mesh.add(placed_sphere({0, 1.14f, 0}, {0.32f, 0.30f, 0.20f}), coat, rig.find("chest"));
    for (const std::string side : {"left", "right"}) {
        const auto joint = [&](const char* name) { return rig.find(side + name); };
        const auto at = [&](const char* name) { return rig.position(joint(name)); };
        mesh.add(limb(at("UpperLeg"), at("LowerLeg"), 0.075f, 0.055f), trousers, joint("UpperLeg"));
        mesh.add(limb(at("LowerLeg"), at("Foot"), 0.055f, 0.045f), trousers, joint("LowerLeg"));
        mesh.add(placed_sphere(at("Foot") + glm::vec3(0, -0.035f, 0.03f), {0.09f, 0.09f, 0.20f}), shoe,
                 joint("Foot"));
        mesh.add(placed_sphere(at("Toes"), {0.085f, 0.06f, 0.11f}), shoe, joint("Toes"));
        mesh.add(limb(at("Shoulder"), at("UpperArm"), 0.05f, 0.05f), coat, joint("Shoulder"));
        mesh.add(limb(at("UpperArm"), at("LowerArm"), 0.048f, 0.04f), coat, joint("UpperArm"));
        mesh.add(limb(at("LowerArm"), at("Hand"), 0.04f, 0.032f), coat, joint("LowerArm"));
        const glm::vec3 palm = at("Hand") + 0.25f * (at("Hand") - at("LowerArm"));
        mesh.add(placed_sphere(palm, {0.14f, 0.035f, 0.08f}), skin, joint("Hand"));
        mesh.add(limb(at("ThumbMetacarpal"), at("ThumbProximal"), 0.014f, 0.012f), skin,
                 joint("ThumbMetacarpal"));
        mesh.add(limb(at("ThumbProximal"), at("ThumbDistal"), 0.012f, 0.010f), skin, joint("ThumbProximal"));
    }
}

// A morph target of the vertices with one material.
scene::MorphTarget morph_target(const scene::Mesh& mesh, std::uint32_t material, std::string name,
                                const std::function<glm::vec3(glm::vec3)>& delta)
{
    std::vector<bool> moves(mesh.positions.size(), false);
    for (const auto& primitive : mesh.primitives)
        for (std::uint32_t i = 0; primitive.material == material && i < primitive.count; ++i)
            moves[mesh.indices[primitive.first + i]] = true;
    scene::MorphTarget target;
    target.name = std::move(name);
    for (std::uint32_t v = 0; v < moves.size(); ++v) {
        if (!moves[v]) continue;
        target.vertices.push_back(v);
        target.position_deltas.push_back(delta(mesh.positions[v]));
    }
    return target;
}

void add_expressions(scene::Scene& scene)
{
    auto& mesh = scene.meshes[0];
    mesh.morph_targets.push_back(morph_target(
        mesh, eye, "closed eyes", [](glm::vec3 p) { return glm::vec3(0, 0.85f * (1.475f - p.y), 0); }));
    mesh.morph_targets.push_back(morph_target(
        mesh, mouth, "smile", [](glm::vec3 p) { return glm::vec3(0, 18.0f * p.x * p.x, 0.3f * p.x * p.x); }));
    mesh.morph_weights.assign(2, 0.0f);
}

scene::VrmFacts avatar_facts(std::uint32_t mesh_node)
{
    return {.version = "1.0",
            .title = "Avatar",
            .model_version = "1",
            .authors = {"Vitrine"},
            .license = "https://vrm.dev/licenses/1.0/",
            .terms = {{"avatarPermission", "everyone"},
                      {"commercialUsage", "corporation"},
                      {"modification", "allowModificationRedistribution"}},
            .look_at = {},
            .first_person = {{mesh_node, scene::FirstPersonFlag::automatic}},
            .expressions = {{.name = "blink", .is_preset = true, .weights = {{mesh_node, 0, 1.0f}}},
                            {.name = "happy", .is_preset = true, .weights = {{mesh_node, 1, 1.0f}}}}};
}

void set_roles(scene::Scene& scene)
{
    for (auto& node : scene.nodes)
        node.human_bone = scene::find_human_bone(node.name).value_or(scene::HumanBone::none);
}

} // namespace

scene::Scene make_avatar()
{
    const auto rig = avatar_rig();
    ShapeBuilder mesh;
    add_avatar_head(mesh, rig);
    add_avatar_body(mesh, rig);
    scene::Scene avatar;
    avatar.materials = avatar_materials();
    avatar.meshes.push_back(mesh.finish("avatar"));
    rig.build(avatar, "avatar");
    set_roles(avatar);
    add_expressions(avatar);
    avatar.vrm = avatar_facts(static_cast<std::uint32_t>(avatar.nodes.size() - 1));
    return avatar;
}

scene::Scene make_avatar_motion()
{
    const auto rig = avatar_rig();
    scene::Scene motion;
    rig.build(motion, "unused");
    motion.nodes.pop_back(); // draws the mesh
    motion.skins.clear();
    set_roles(motion);
    constexpr float length = 2.0f;
    Motion bow("bow", length, 30.0);
    const auto bent = [](float t) { return std::sin(pi * t / length); };
    bow.translate(rig.find("hips"), [=](float t) { return glm::vec3(0, 0.86f, -0.06f * bent(t)); });
    bow.rotate(rig.find("hips"), [=](float t) { return euler(12 * bent(t), 0, 0); });
    bow.rotate(rig.find("spine"), [=](float t) { return euler(22 * bent(t), 0, 0); });
    bow.rotate(rig.find("head"), [=](float t) { return euler(14 * bent(t), 0, 0); });
    for (const auto& [side, sign] : {std::pair<std::string, float>{"left", -1.0f}, {"right", 1.0f}}) {
        bow.rotate(rig.find(side + "UpperArm"),
                   [=](float t) { return euler(0, 0, sign * (70 + 5 * bent(t))); });
        bow.rotate(rig.find(side + "LowerArm"), [=](float t) { return euler(0, sign * 25 * bent(t), 0); });
        bow.rotate(rig.find(side + "UpperLeg"), [=](float) { return euler(0, 0, 0); });
    }
    motion.clips = {bow.finish()};
    return motion;
}

} // namespace vitrine::samples
