#include "loaders/gltf/materials/variants.hpp"

#include <map>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::gltf {
namespace {

constexpr std::string_view extension_name = "KHR_materials_variants";

void warn(Document& document, const io::JsonValue& where, std::string message)
{
    document.warnings().add("invalid_variant", std::move(message), where.pointer());
}

// The array `key`, absent with a warning where it is something else.
io::JsonValue array_of(Document& document, io::JsonValue object, std::string_view key)
{
    const io::JsonValue list = object[key];
    if (list.is_array()) return list;
    if (object.exists()) warn(document, object, "an array \"" + std::string(key) + "\" is expected");
    return {};
}

using MaterialsByVariant = std::map<std::uint32_t, std::uint32_t>; // by variant

// Whether a variant occurred before.
bool read_mapping(Document& document, const scene::Scene& scene, io::JsonValue mapping,
                  MaterialsByVariant& out)
{
    const auto material = to_index(mapping["material"], scene.materials.size());
    if (!material) {
        warn(document, mapping, "the material does not exist; the mapping is ignored");
        return false;
    }
    bool repeated = false;
    for (const io::JsonValue entry : array_of(document, mapping, "variants")) {
        if (const auto variant = to_index(entry, scene.variants.size()))
            repeated |= !out.try_emplace(*variant, *material).second;
        else
            warn(document, entry, "the variant does not exist");
    }
    return repeated;
}

} // namespace

LoadResult<void> load_variants(Document& document, scene::Scene& scene)
{
    LenientFields root(document.root(), document.warnings());
    const io::JsonValue extension = root.extension(extension_name);
    const io::JsonValue variants = array_of(document, extension, "variants");
    if (variants.size() > document.budget().limits().materials)
        return io::limit_exceeded_error(variants.pointer(), "material variants",
                                        document.budget().limits().materials);
    for (const io::JsonValue variant : variants)
        scene.variants.emplace_back(LenientFields(variant, document.warnings()).string("name"));
    return {};
}

std::vector<scene::VariantMaterial> read_variant_materials(Document& document, const scene::Scene& scene,
                                                           io::JsonValue primitive)
{
    const io::JsonValue extension = LenientFields(primitive, document.warnings()).extension(extension_name);
    MaterialsByVariant materials;
    bool repeated = false;
    for (const io::JsonValue mapping : array_of(document, extension, "mappings"))
        repeated |= read_mapping(document, scene, mapping, materials);
    if (repeated) warn(document, extension, "a variant occurs more than once; its first material counts");
    std::vector<scene::VariantMaterial> out;
    for (const auto& [variant, material] : materials)
        out.push_back({variant, material});
    return out;
}

} // namespace vitrine::gltf
