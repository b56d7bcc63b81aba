#include "loaders/bvh/bvh.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <glm/gtc/matrix_transform.hpp>

#include "loaders/base/ascii.hpp"
#include "loaders/bvh/document.hpp"
#include "loaders/bvh/unit_guess.hpp"
#include "loaders/io/file_opener.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine {
namespace bvh {
namespace {

struct StaticJoint { // in the file's unit
    glm::dvec3 local{0.0};
    glm::dvec3 position{0.0}; // model space
};

// Files whose joints have positions in place of an OFFSET have the bones of the first frame.
glm::dvec3 static_offset(const Document& document, const Joint& joint)
{
    glm::dvec3 at = joint.offset;
    if (joint.parent == scene::none || at != glm::dvec3(0.0) || document.frames == 0) return at;
    for (std::uint32_t c = joint.first_channel; c < joint.first_channel + joint.channel_count; ++c)
        if (is_position(document.channels[c])) at[axis_of(document.channels[c])] = document.values[c];
    return at;
}

std::vector<StaticJoint> static_joints(const Document& document)
{
    std::vector<StaticJoint> joints;
    for (const Joint& joint : document.joints) {
        const glm::dvec3 local = static_offset(document, joint);
        const bool is_root = joint.parent == scene::none;
        joints.push_back({local, is_root ? local : joints[joint.parent].position + local});
    }
    return joints;
}

// The longest side of the box of all joints: in a T pose the arms reach as far as the figure is high.
double size_of(const std::vector<StaticJoint>& joints)
{
    glm::dvec3 low = joints[0].position, high = low;
    for (const StaticJoint& joint : joints) {
        low = glm::min(low, joint.position);
        high = glm::max(high, joint.position);
    }
    const glm::dvec3 size = high - low;
    return std::max({size.x, size.y, size.z});
}

void add_skeleton(const Document& document, const std::vector<StaticJoint>& at_rest, std::string name,
                  scene::Scene& scene)
{
    scene::Skin skin{.name = std::move(name), .joints = {}, .inverse_bind = {}};
    for (std::size_t j = 0; j < document.joints.size(); ++j) {
        const Joint& joint = document.joints[j];
        scene::Node node;
        node.name = joint.name;
        node.parent = joint.parent;
        node.local.translation = glm::vec3(at_rest[j].local);
        scene.nodes.push_back(std::move(node));
        skin.joints.push_back(static_cast<std::uint32_t>(j));
        skin.inverse_bind.push_back(glm::translate(glm::mat4(1.0f), glm::vec3(-at_rest[j].position)));
    }
    scene.skins.push_back(std::move(skin));
}

Unit find_unit(double size, io::WarningLog& warnings)
{
    const Unit unit = guess_unit(size);
    warnings.add("bvh_unit_guessed",
                 fmt::format("the format has no unit; the figure, {:.4g} units high, is read in {}: {:.2f} m",
                             size, unit.name, size * unit.meters),
                 "OFFSET");
    return unit;
}

LoadResult<scene::Scene> load(std::string_view text, const std::string& stem, const Limits& limits)
{
    io::WarningLog warnings;
    const auto document = parse(text, limits, warnings);
    if (!document) return std::unexpected(document.error());
    scene::Scene scene;
    scene.format = "bvh";
    const auto at_rest = static_joints(*document);
    add_skeleton(*document, at_rest, stem, scene);
    if (document->frames > 0 && limits.clips == 0) return io::limit_exceeded_error("", "clips", limits.clips);
    if (document->frames > 0) scene.clips.push_back(make_clip(*document, stem, warnings));
    const Unit unit = find_unit(size_of(at_rest), warnings);
    scene::convert_to_scene_space(scene, {.unit_meters = unit.meters});
    scene.warnings = warnings.take();
    return scene;
}

} // namespace
} // namespace bvh

bool is_bvh(Bytes bytes)
{
    constexpr std::string_view word = "HIERARCHY";
    std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                          std::min<std::size_t>(bytes.size(), 256));
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    text = ascii::trimmed(text);
    return ascii::equal_ignoring_case(text.substr(0, word.size()), word) &&
           (text.size() == word.size() || ascii::is_space(text[word.size()]));
}

LoadResult<scene::Scene> load_bvh(Source& source, const Limits& limits)
{
    const auto bytes = io::FileOpener(source, limits).open(source.main_name());
    if (!bytes) return std::unexpected(bytes.error());
    std::string storage;
    return bvh::load(io::as_text(*bytes, storage), io::to_utf8(io::stem_of(source.main_name())), limits);
}

} // namespace vitrine
