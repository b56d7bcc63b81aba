#include <glm/gtc/matrix_transform.hpp>

#include "tests/support/scenes.hpp"

namespace vitrine::test {

using namespace vitrine::scene;

namespace {

Texture odd_texture(std::uint32_t image)
{
    return {.image = image,
            .uv_set = 1,
            .wrap_s = Wrap::clamp,
            .wrap_t = Wrap::mirror,
            .nearest = true,
            .offset = {0.25f, -0.5f},
            .scale = {2.0f, 3.0f},
            .rotation = 0.7f};
}

} // namespace

MaterialExtensions odd_extensions(std::uint32_t colors, std::uint32_t numbers)
{
    return {.ior = 1.4f,
            .specular = 0.7f,
            .specular_texture = odd_texture(numbers),
            .specular_color = {0.9f, 1.2f, 0.3f},
            .specular_color_texture = odd_texture(colors),
            .clearcoat = 0.6f,
            .clearcoat_texture = odd_texture(numbers),
            .clearcoat_roughness = 0.2f,
            .clearcoat_roughness_texture = odd_texture(numbers),
            .sheen = {0.3f, 0.2f, 0.1f},
            .sheen_texture = odd_texture(colors),
            .sheen_roughness = 0.45f,
            .sheen_roughness_texture = odd_texture(numbers),
            .transmission = 0.8f,
            .transmission_texture = odd_texture(numbers),
            .thickness = 0.25f,
            .attenuation_distance = 0.5f,
            .attenuation_color = {0.9f, 0.5f, 0.25f}};
}

namespace {

Material odd_material()
{
    Material m;
    m.name = "Mat\xC3\xA9riau";
    m.base_color = {0.1f, 0.2f, 0.3f, 0.4f};
    m.base_color_texture = odd_texture(0);
    m.metallic = 0.6f;
    m.roughness = 0.3f;
    m.metallic_roughness_texture = odd_texture(1);
    m.normal_texture = odd_texture(0);
    m.normal_scale = 0.9f;
    m.occlusion_texture = odd_texture(1);
    m.occlusion_strength = 0.8f;
    m.emissive = {1.5f, 0.5f, 0.25f};
    m.emissive_texture = odd_texture(0);
    m.alpha_mode = AlphaMode::mask;
    m.alpha_cutoff = 0.33f;
    m.double_sided = true;
    m.unlit = true;
    m.extensions = test::odd_extensions(0, 1);
    return m;
}

void fill_streams(Mesh& mesh)
{
    mesh.more_uvs.resize(2); // the first of them empty
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const auto f = static_cast<float>(v);
        mesh.tangents.emplace_back(1.0f, 0.0f, 0.0f, v % 2 ? 1.0f : -1.0f);
        mesh.uv0.emplace_back(f * 0.1f, 1.0f - f * 0.1f);
        mesh.uv1.emplace_back(f * 0.2f, f * 0.3f);
        mesh.more_uvs[1].emplace_back(f * 0.4f, f * 0.5f);
        mesh.colors.emplace_back(f * 0.05f, 0.5f, 0.25f, 1.0f);
        mesh.frames.positions.push_back(mesh.positions[v] * 2.0f);
        mesh.frames.normals.push_back(mesh.normals[v]);
    }
    mesh.frames.count = 1;
    mesh.influences.positions.assign(mesh.influences.joints.size(), glm::vec3(0.5f, 1.5f, 2.5f));
    mesh.influences.dual_quaternion_weights.assign(mesh.positions.size(), 0.125f);
}

Node skewed_node()
{
    Node skewed;
    skewed.name = "skewed";
    skewed.matrix = glm::mat4(1.0f);
    (*skewed.matrix)[1].x = 0.5f;
    skewed.visible = false;
    skewed.color = {0.5f, 2.0f, 0.25f, 0.75f};
    skewed.local.scale = {1.0f, 2.0f, 3.0f};
    skewed.helper_of = 0;
    skewed.human_bone = scene::HumanBone::left_upper_arm;
    skewed.levels = {2, 5};
    return skewed;
}

VrmFacts odd_vrm()
{
    return {.version = "1.0",
            .title = "Ad\xC3\xA8le",
            .model_version = "3",
            .authors = {"one", "two"},
            .license = "https://vrm.dev/licenses/1.0/",
            .terms = {{"commercialUsage", "personalNonProfit"}},
            .look_at = "bone",
            .first_person = {{2, FirstPersonFlag::third_person_only}},
            .expressions = {{"happy", true, true, {{2, 0, 0.5f}}, 3}},
            .springs = 4,
            .spring_joints = 5,
            .spring_colliders = 6,
            .constraints = 7};
}

// Every path, interpolation and extrapolation.
void extend(Clip& clip)
{
    clip.start_time = 2.5;
    clip.frame_rate = 24.0;
    clip.frames = 2;
    clip.declared_boxes = {{{-1, -2, -3}, {1, 2, 3}}, {{0, 0, 0}, {4, 5, 6}}};
    clip.channels.push_back({2, Path::weights, Interpolation::cubic, {0.0f, 0.5f}, {0, 0, 1, -1, 1, 0}});
    clip.channels.push_back({2, Path::vertex_frame, Interpolation::step, {0.0f}, {0.0f}});
    clip.channels.back().before = {.mode = ExtrapolationMode::mirror, .repeats = 3};
    clip.channels.back().after = {.mode = ExtrapolationMode::slope, .repeats = 4};
    clip.channels.back().is_placeholder = true;
    clip.channels.push_back({0, Path::scale, Interpolation::linear, {0.25f}, {1, 2, 1}});
}

} // namespace

Scene everything()
{
    Scene scene = skinned_bar();
    scene.format = "everything";
    scene.generator = "hand";
    scene.attribution = {"Bar",   "a bar", "Jane", "2026 Jane", "CC-BY-4.0", "https://example.org/bar",
                         "metal", "7",     "heavy"};
    scene.file_space = {.axes = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, .unit_meters = 0.0254, .front = {1, 0, 0}};
    scene.source_vertices = 5'000'000'000;
    scene.source_polygons = 10;
    Mesh& mesh = scene.meshes[0];
    fill_streams(mesh);
    mesh.morph_targets.push_back({.name = "smile",
                                  .vertices = {3, 1},
                                  .position_deltas = {{1, 2, 3}, {4, 5, 6}},
                                  .normal_deltas = {{0, 1, 0}, {0, 0, 1}},
                                  .tangent_deltas = {{1, 0, 0}, {0, 1, 0}}});
    mesh.morph_weights = {0.25f};
    mesh.indices.insert(mesh.indices.end(), {0, 1, 2});
    mesh.primitives[0].material = 0;
    mesh.primitives[0].variants = {{1, 0}};
    scene.variants = {"worn", "new"};
    mesh.primitives.push_back({.topology = Topology::lines, .first = 60, .count = 2, .material = none});
    mesh.primitives.push_back(
        {.topology = Topology::points, .first = 62, .count = 1, .material = 0, .has_normals = true});
    scene.nodes[2].morph_weights = {0.75f};
    scene.nodes.push_back(skewed_node());
    Skin other = scene.skins[0]; // not drawn by any node
    other.name = "other";
    other.method = SkinningMethod::blended;
    scene.skins.push_back(std::move(other));
    extend(scene.clips[0]);
    scene.materials = {odd_material()};
    scene.images = {{.name = "a.png", .width = 1, .height = 2, .pixels = {1, 2, 3, 4, 5, 6, 7, 8}},
                    {.name = "missing.tga", .width = 0, .height = 0, .pixels = {}}};
    scene.vrm = odd_vrm();
    scene.warnings = {
        {.code = "missing_image", .message = "missing.tga is not in the upload", .where = "/images/1"}};
    return scene;
}

} // namespace vitrine::test
