#include "loaders/gltf/document/specification_checks.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"

namespace vitrine::gltf {
namespace {

enum class Support {
    full,         // fully supported
    approximated, // supported approximately
    ignored,      // recognized but not supported
    absent,       // optional only: a file that requires it is rejected
};

struct Extension {
    std::string_view name;
    Support support;
};

constexpr Extension table[] = {
    {"KHR_mesh_quantization", Support::full},
    {"KHR_draco_mesh_compression", Support::full},
    {"EXT_meshopt_compression", Support::full},
    {"KHR_meshopt_compression", Support::full},
    {"KHR_texture_transform", Support::full},
    {"KHR_materials_unlit", Support::full},
    {"KHR_materials_emissive_strength", Support::full},
    {"EXT_texture_webp", Support::full},
    {"MSFT_texture_dds", Support::full},
    {"MSFT_lod", Support::full},
    {"EXT_mesh_gpu_instancing", Support::full},
    {"KHR_node_visibility", Support::full},
    {"KHR_materials_pbrSpecularGlossiness", Support::approximated},
    {"KHR_materials_specular", Support::full},
    {"KHR_materials_ior", Support::full},
    {"KHR_materials_clearcoat", Support::full},
    {"KHR_materials_sheen", Support::full},
    {"KHR_materials_transmission", Support::approximated},
    {"KHR_materials_diffuse_transmission", Support::ignored},
    {"KHR_materials_volume", Support::approximated},
    {"KHR_materials_iridescence", Support::ignored},
    {"KHR_materials_anisotropy", Support::ignored},
    {"KHR_materials_dispersion", Support::ignored},
    {"KHR_materials_variants", Support::full},
    {"KHR_animation_pointer", Support::full},
    {"KHR_texture_basisu", Support::approximated},
    {"KHR_lights_punctual", Support::ignored},
    {"KHR_node_selectability", Support::ignored},
    {"KHR_node_hoverability", Support::ignored},
    {"KHR_xmp_json_ld", Support::full}, // of the asset or its scene; nothing of it is drawn
    {"KHR_xmp", Support::ignored},
    {"EXT_mesh_features", Support::ignored},
    {"EXT_structural_metadata", Support::ignored},
    {"EXT_instance_features", Support::ignored},
    {"VRM", Support::full}, // by loaders/vrm
    {"VRMC_vrm", Support::full},
    {"VRMC_vrm_animation", Support::full},
    {"VRMC_materials_mtoon", Support::approximated},
    {"VRMC_materials_hdr_emissiveMultiplier", Support::ignored},
    {"VRMC_springBone", Support::ignored},
    {"VRMC_springBone_extended_collider", Support::ignored},
    {"VRMC_node_constraint", Support::ignored},
};

Support support_of(std::string_view name)
{
    const auto* const entry = std::ranges::find(table, name, &Extension::name);
    return entry == std::end(table) ? Support::absent : entry->support;
}

void warn(std::string_view name, const std::string& where, io::WarningLog& warnings)
{
    switch (support_of(name)) {
    case Support::full: return;
    case Support::approximated:
        return warnings.add("extension_approximated", fmt::format("{} is supported only in part", name),
                            where);
    case Support::ignored:
        return warnings.add("extension_ignored", fmt::format("{} is not supported; it is ignored", name),
                            where);
    case Support::absent:
        return warnings.add("extension_unknown", fmt::format("{} is unknown; it is ignored", name), where);
    }
}

using Names = std::set<std::string_view>;

void warn_once(std::string_view name, const io::JsonValue& where, Names& reported, io::WarningLog& warnings)
{
    if (!name.empty() && reported.insert(name).second) warn(name, where.pointer(), warnings);
}

void warn_undeclared(std::string_view name, const io::JsonValue& where, io::WarningLog& warnings)
{
    warnings.add("undeclared_extension", fmt::format("{} is not listed in extensionsUsed", name),
                 where.pointer());
}

// Same message as LenientFields: used properties are warned about once.
void warn_about_no_object(const io::JsonValue& extension, io::WarningLog& warnings)
{
    if (!extension.is_object())
        warnings.add("invalid_property", "an object is expected; the default is used", extension.pointer());
}

// Reports extensions that are used but not listed in extensionsUsed, and extensions that are not objects.
void check_unlisted(io::JsonValue root, Names& reported, io::WarningLog& warnings)
{
    const auto check = [&](io::JsonValue object) {
        const io::JsonValue extensions = object["extensions"];
        if (extensions.exists()) warn_about_no_object(extensions, warnings);
        if (!extensions.is_object()) return;
        for (const io::JsonValue extension : extensions) {
            warn_about_no_object(extension, warnings);
            if (!reported.contains(extension.key())) warn_undeclared(extension.key(), extension, warnings);
            warn_once(extension.key(), extension, reported, warnings);
        }
    };
    check(root);
    for (const std::string_view list : {"materials", "textures", "nodes", "meshes"})
        for (const io::JsonValue object : root[list])
            check(object);
}

} // namespace

bool names_extension(io::JsonValue root, std::string_view name)
{
    for (const std::string_view list : {"extensionsUsed", "extensionsRequired"})
        for (const io::JsonValue entry : root[list])
            if (entry.string() == name) return true;
    return false;
}

LoadResult<void> check_extensions(io::JsonValue root, io::WarningLog& warnings)
{
    if (auto checked = check_array(root["extensionsRequired"]); !checked) return checked;
    for (const io::JsonValue required : root["extensionsRequired"]) {
        const std::string_view name = required.string().value_or("");
        if (!required.string()) return fail(LoadErrc::malformed, required.pointer(), "a string is expected");
        if (support_of(name) == Support::absent)
            return fail(LoadErrc::unsupported, required.pointer(),
                        fmt::format("the file requires the extension {}, which is not supported", name));
    }
    Names reported;
    for (const io::JsonValue used : root["extensionsUsed"])
        warn_once(used.string().value_or(""), used, reported, warnings);
    for (const io::JsonValue required : root["extensionsRequired"])
        if (const auto name = required.string().value_or(""); !reported.contains(name)) {
            warn_undeclared(name, required, warnings);
            warn_once(name, required, reported, warnings);
        }
    check_unlisted(root, reported, warnings);
    return {};
}

} // namespace vitrine::gltf
