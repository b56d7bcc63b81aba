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

// By joint, in the static pose and the file's unit.
std::vector<glm::dvec3> joint_positions(const Document& document)
{
    std::vector<glm::dvec3> positions;
    for (const Joint& joint : document.joints)
        positions.push_back((joint.parent == scene::none ? glm::dvec3(0.0) : positions[joint.parent]) +
                            joint.offset);
    return positions;
}

// The longest side of the box of all joints: in a T pose the arms reach as far as the figure is high.
double size_of(const std::vector<glm::dvec3>& positions)
{
    glm::dvec3 low = positions[0], high = low;
    for (const glm::dvec3& position : positions) {
        low = glm::min(low, position);
        high = glm::max(high, position);
    }
    const glm::dvec3 size = high - low;
    return std::max({size.x, size.y, size.z});
}

void add_skeleton(const Document& document, const std::vector<glm::dvec3>& positions, std::string name,
                  scene::Scene& scene)
{
    scene::Skin skin{.name = std::move(name), .joints = {}, .inverse_bind = {}};
    for (std::size_t j = 0; j < document.joints.size(); ++j) {
        const Joint& joint = document.joints[j];
        scene::Node node;
        node.name = joint.name;
        node.parent = joint.parent;
        node.local.translation = glm::vec3(joint.offset);
        scene.nodes.push_back(std::move(node));
        skin.joints.push_back(static_cast<std::uint32_t>(j));
        skin.inverse_bind.push_back(glm::translate(glm::mat4(1.0f), glm::vec3(-positions[j])));
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
    const auto positions = joint_positions(*document);
    add_skeleton(*document, positions, stem, scene);
    if (document->frames > 0 && limits.clips == 0) return io::limit_exceeded_error("", "clips", limits.clips);
    if (document->frames > 0) scene.clips.push_back(make_clip(*document, stem, warnings));
    const Unit unit = find_unit(size_of(positions), warnings);
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
