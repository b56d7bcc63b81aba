#include "loaders/scene/variants.hpp"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace vitrine::scene {
namespace {

constexpr std::size_t max_names_listed = 8;

bool is_index_text(std::string_view text, std::size_t count, std::uint32_t& index)
{
    const auto* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, index);
    return error == std::errc() && stop == end && index < count;
}

std::string unknown_variant_message(const Scene& scene, std::string_view requested_name)
{
    const auto sentence = "there is no material variant '" + std::string(requested_name) + "'";
    if (scene.variants.empty()) return sentence + ": the file has no material variants";
    std::string names;
    for (std::size_t i = 0; i < std::min(scene.variants.size(), max_names_listed); ++i)
        names += (i == 0 ? "'" : ", '") + scene.variants[i] + "'";
    if (scene.variants.size() > max_names_listed) names += ", ...";
    return sentence + " among " + std::to_string(scene.variants.size()) + ": " + names;
}

} // namespace

std::expected<std::uint32_t, std::string> find_variant(const Scene& scene, std::string_view requested_name)
{
    const auto found = std::ranges::find(scene.variants, requested_name);
    if (found != scene.variants.end()) return static_cast<std::uint32_t>(found - scene.variants.begin());
    if (std::uint32_t index = 0; is_index_text(requested_name, scene.variants.size(), index)) return index;
    return std::unexpected(unknown_variant_message(scene, requested_name));
}

void apply_variant(Scene& scene, std::uint32_t variant)
{
    assert(variant < scene.variants.size());
    for (Mesh& mesh : scene.meshes) {
        for (Primitive& primitive : mesh.primitives) {
            const auto found =
                std::ranges::lower_bound(primitive.variants, variant, {}, &VariantMaterial::variant);
            if (found != primitive.variants.end() && found->variant == variant)
                primitive.material = found->material;
            primitive.variants.clear();
        }
    }
    scene.variants.clear();
}

} // namespace vitrine::scene
