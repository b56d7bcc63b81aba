#include "loaders/vrm/vrm.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loaders/gltf/document/container.hpp"
#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/gltf.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/geometry/geometry.hpp"
#include "loaders/scene/motion/pose.hpp"
#include "loaders/vrm/extensions.hpp"

namespace vitrine {
namespace vrm {
namespace {

struct ExtensionName {
    std::string_view name;
    VrmKind kind;
};
// A character with both versions is read as the newer one.
constexpr std::array extension_names{ExtensionName{"VRMC_vrm", VrmKind::version_1},
                                     ExtensionName{"VRM", VrmKind::version_0},
                                     ExtensionName{"VRMC_vrm_animation", VrmKind::animation}};

std::string_view format_of(VrmKind kind)
{
    return kind == VrmKind::animation ? "vrma" : "vrm";
}

bool is_known_version(VrmKind kind, std::string_view version)
{
    return version.starts_with(kind == VrmKind::version_0 ? "0." : "1.0");
}

std::string read_version(const VrmExtension& extension)
{
    gltf::LenientFields fields(extension.object, extension.warnings());
    std::string version(fields.string("specVersion"));
    // Files of VRM 0.x written before 2020 lack it.
    if (version.empty() && extension.kind == VrmKind::version_0) version = "0.0";
    if (!is_known_version(extension.kind, version))
        extension.warnings().add("unknown_vrm_version",
                                 fmt::format("version \"{}\" is unknown; the file is read as {}", version,
                                             extension.kind == VrmKind::version_0 ? "0.0" : "1.0"),
                                 extension.object.pointer());
    return version;
}

// VRM 0.x faces -Z. The half turn about Y makes its local axes those of VRM 1.0.
const glm::mat3 half_turn(-1, 0, 0, 0, 1, 0, 0, 0, -1);

// The meta object has precedence over what the glTF asset declares.
void declare_origin(const scene::VrmFacts& facts, scene::Attribution& attribution)
{
    const auto authors = fmt::format("{}", fmt::join(facts.authors, ", "));
    if (!facts.title.empty()) attribution.title = facts.title;
    if (!authors.empty()) attribution.author = authors;
    if (!facts.license.empty()) attribution.license = facts.license;
    for (const auto& [name, value] : facts.terms)
        if (name == "copyrightInformation") attribution.copyright = value;
}

LoadResult<void> read_extension(const VrmExtension& extension, scene::Scene& scene)
{
    scene.format = format_of(extension.kind);
    if (extension.kind == VrmKind::version_0) scene.file_space.axes = half_turn;
    read_humanoid(extension, scene);
    if (extension.kind != VrmKind::animation) read_mtoon_materials(extension, scene);
    scene::VrmFacts& facts = scene.vrm.emplace();
    facts.version = read_version(extension);
    read_facts(extension, scene, facts);
    declare_origin(facts, scene.attribution);
    return read_expressions(extension, scene, facts);
}

LoadResult<void> read_extensions(gltf::Document& document, scene::Scene& scene)
{
    gltf::LenientFields root(document.root(), document.warnings());
    for (const auto& [name, kind] : extension_names)
        if (const io::JsonValue object = root.extension(name); object.exists())
            return read_extension({kind, object, document}, scene);
    return {};
}

// The identity for a joint that is scaled to nothing.
glm::mat4 inverse_or_identity(const glm::mat4& matrix)
{
    glm::mat4 inverse = glm::inverse(matrix);
    for (glm::length_t column = 0; column < 4; ++column) {
        if (!glm::all(glm::lessThan(glm::abs(inverse[column]), glm::vec4(1e15f)))) return glm::mat4(1.0f);
        inverse[column].w = column == 3 ? 1.0f : 0.0f;
    }
    return inverse;
}

// A motion has no skin; without one, joints are what moves and what it hangs from.
void add_skeleton(scene::Scene& scene)
{
    scene::Skin skin{.name = "humanoid", .joints = {}, .inverse_bind = {}};
    scene::Pose rest;
    scene::static_pose(scene, rest);
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node) {
        if (scene.nodes[node].human_bone == scene::HumanBone::none) continue;
        skin.joints.push_back(node);
        skin.inverse_bind.push_back(inverse_or_identity(rest.model[node]));
    }
    if (!skin.joints.empty()) scene.skins.push_back(std::move(skin));
}

// Whether the name of an extension stands at the start of the text, between quotes.
bool begins_with_name(std::string_view text)
{
    return std::ranges::any_of(extension_names, [&](const ExtensionName& extension) {
        return text.substr(1).starts_with(extension.name) &&
               text.substr(1 + extension.name.size()).starts_with('"');
    });
}

// memmem() reads texts of embedded data far faster than std::string_view::find().
bool has_extension_name(std::string_view json)
{
    constexpr std::string_view beginning = "\"VRM";
    while (const void* found = memmem(json.data(), json.size(), beginning.data(), beginning.size())) {
        json.remove_prefix(static_cast<std::size_t>(static_cast<const char*>(found) - json.data()));
        if (begins_with_name(json)) return true;
        json.remove_prefix(beginning.size());
    }
    return false;
}

} // namespace
} // namespace vrm

bool is_vrm(Bytes file)
{
    if (file.empty()) return false;
    const std::string_view start(reinterpret_cast<const char*>(file.data()),
                                 std::min<std::size_t>(file.size(), 4));
    if (!start.starts_with("glTF") && !start.contains('{')) return false;
    io::WarningLog ignored;
    const auto container = gltf::split_container(file, ignored);
    if (!container) return false;
    return vrm::has_extension_name(
        {reinterpret_cast<const char*>(container->json.data()), container->json.size()});
}

LoadResult<scene::Scene> load_vrm(Source& source, const Limits& limits)
{
    LoadResult<scene::Scene> scene = load_vrm_with_flat_meshes(source, limits);
    if (scene) scene::expand_flat_meshes(*scene);
    return scene;
}

LoadResult<scene::Scene> load_vrm_with_flat_meshes(Source& source, const Limits& limits)
{
    LoadResult<scene::Scene> scene = load_gltf_with_extensions(source, limits, vrm::read_extensions);
    if (!scene) return scene;
    if (scene->format == "vrma" && scene->skins.empty()) vrm::add_skeleton(*scene);
    if (scene->file_space.axes == vrm::half_turn)
        scene::convert_to_scene_space(*scene, scene::FileSpace(scene->file_space));
    return scene;
}

} // namespace vitrine
