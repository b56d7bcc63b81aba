#include "loaders/md3/surface_materials.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::md3 {
namespace {

constexpr std::size_t max_skin_files = 64; // of a part
constexpr std::size_t max_skins = 64;

// "nodraw" is the game's name for surfaces that are not shown.
bool is_nodraw(std::string_view shader)
{
    return io::to_utf8(io::stem_of(shader)) == "nodraw";
}

// The game maps the whole image onto sprites, so files may have one texture coordinate for all four corners.
void lay_out_sprites(std::span<glm::vec2> uvs)
{
    constexpr std::array<glm::vec2, 4> whole{{{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}}};
    for (std::size_t first = 0; first + 4 <= uvs.size(); first += 4) {
        const auto corners = uvs.subspan(first, 4);
        if (std::ranges::adjacent_find(corners, std::ranges::not_equal_to{}) == corners.end())
            std::ranges::copy(whole, corners.begin());
    }
}

std::string key_of(const std::string& shader, const std::string& mesh)
{
    return shader + '\n' + mesh;
}

// A surface that a skin hides.
scene::Material transparent_material(const std::string& name)
{
    scene::Material material;
    material.name = name;
    material.base_color.w = 0.0f;
    material.alpha_mode = scene::AlphaMode::mask;
    return material;
}

} // namespace

const SurfaceMaterials::PartSkins& SurfaceMaterials::skins_of(const std::string& part)
{
    const auto [found, is_new] = skins_.try_emplace(part);
    PartSkins& skins = found->second;
    if (!is_new) return skins;
    skins.files = find_skins(source_, part);
    for (const NamedSkin& skin : skins.files.all) {
        const bool is_read = skins.contents.size() < max_skin_files || skin.file == skins.files.chosen;
        const auto bytes = is_read ? source_.open(skin.file) : std::nullopt;
        skins.contents.push_back(bytes ? SkinFile(*bytes) : SkinFile());
    }
    return skins;
}

bool SurfaceMaterials::is_hidden(const std::string& shader)
{
    return is_nodraw(shader) || picker_.is_never_drawn(shader);
}

void SurfaceMaterials::add(const ModelPart::Level& surfaces, const std::string& part)
{
    const PartSkins& skins = skins_of(part);
    for (std::size_t s = 0; s < surfaces.nodes.size(); ++s) {
        if (surfaces.nodes[s] == scene::none) continue;
        const Md3Surface& in_file = surfaces.file.surfaces[s];
        Surface surface{.node = surfaces.nodes[s], .part = part};
        for (std::size_t i = 0; i < skins.contents.size(); ++i) {
            std::string shader = skins.contents[i].find_shader(in_file.name);
            if (shader.empty()) continue;
            if (skins.files.all[i].file == skins.files.chosen) surface.shaders.push_back(shader);
            surface.skins.emplace_back(skins.files.all[i].name, std::move(shader));
        }
        for (const std::string_view shader : in_file.shaders)
            surface.shaders.push_back(io::to_utf8(shader));
        scene::Node& node = scene_.nodes[surface.node];
        if (!surface.shaders.empty() && is_hidden(surface.shaders[0])) {
            node.visible = false;
            node.levels = {};
        }
        picker_.claim(surface.shaders, scene_.meshes[node.mesh].name);
        surfaces_.push_back(std::move(surface));
    }
}

// Surfaces with equal shader and name share a material.
LoadResult<void> SurfaceMaterials::add_material(const Surface& surface)
{
    scene::Mesh& mesh = scene_.meshes[scene_.nodes[surface.node].mesh];
    const auto& shaders = surface.shaders;
    const auto next = static_cast<std::uint32_t>(scene_.materials.size());
    const auto [known, is_new] =
        materials_.try_emplace(key_of(shaders.empty() ? std::string() : shaders[0], mesh.name), next);
    for (scene::Primitive& primitive : mesh.primitives)
        primitive.material = known->second;
    if (!shaders.empty() && picker_.is_sprite_shader(shaders[0])) lay_out_sprites(mesh.uv0);
    if (!is_new) return {};
    if (next >= limits_.materials)
        return io::limit_exceeded_error("", "shaders", "materials", limits_.materials);
    scene_.materials.push_back(picker_.material(shaders, mesh.name));
    return {};
}

// The material of a skin; none if its image does not exist.
std::uint32_t SurfaceMaterials::find_or_add(const std::string& shader, const std::string& mesh)
{
    const auto next = static_cast<std::uint32_t>(scene_.materials.size());
    const auto [known, is_new] = materials_.try_emplace(key_of(shader, mesh), next);
    if (!is_new) return known->second;
    auto material = next < limits_.materials ? picker_.find_material(shader) : std::nullopt;
    if (!material && next < limits_.materials && is_hidden(shader)) material = transparent_material(shader);
    if (material)
        scene_.materials.push_back(*std::move(material));
    else
        known->second = scene::none;
    return known->second;
}

SurfaceMaterials::WornSkins SurfaceMaterials::find_skins_worn()
{
    WornSkins skins;
    for (const Surface& surface : surfaces_) {
        const std::uint32_t mesh = scene_.nodes[surface.node].mesh;
        for (const auto& [name, shader] : surface.skins) {
            if (!skins.contains(name) && skins.size() >= max_skins) continue;
            if (const auto material = find_or_add(shader, scene_.meshes[mesh].name); material != scene::none)
                skins[name].push_back({mesh, material});
        }
    }
    return skins;
}

// The skin that is shown comes first.
void SurfaceMaterials::add_variants()
{
    const bool has_several =
        std::ranges::any_of(skins_, [](const auto& part) { return part.second.files.all.size() > 1; });
    if (!has_several) return;
    const auto skins = find_skins_worn();
    if (skins.size() < 2) return;
    const auto& of_main = skins_of(source_.main_name()).files;
    const auto chosen = std::ranges::find(of_main.all, of_main.chosen, &NamedSkin::file);
    const std::string shown = chosen == of_main.all.end() ? "default" : chosen->name;
    if (skins.contains(shown)) scene_.variants.push_back(shown);
    for (const auto& [name, worn] : skins)
        if (name != shown) scene_.variants.push_back(name);
    for (std::uint32_t variant = 0; variant < scene_.variants.size(); ++variant)
        for (const WornMaterial& worn : skins.at(scene_.variants[variant]))
            for (scene::Primitive& primitive : scene_.meshes[worn.mesh].primitives)
                if (primitive.variants.empty() || primitive.variants.back().variant < variant)
                    primitive.variants.push_back({variant, worn.material});
}

void SurfaceMaterials::warn_about_missing_skins()
{
    const auto is_offered = [&](const NamedSkin& skin) {
        return std::ranges::find(scene_.variants, skin.name) != scene_.variants.end();
    };
    for (const auto& [part, skins] : skins_) {
        const auto& files = skins.files;
        if (files.all.size() < 2 || std::ranges::all_of(files.all, is_offered)) continue;
        warnings_.add("md3_skins",
                      fmt::format("there are {} .skin files; {} is used, and images of others are missing",
                                  files.all.size(), io::shown(files.chosen)),
                      files.chosen);
    }
}

LoadResult<void> SurfaceMaterials::make()
{
    for (const Surface& surface : surfaces_) {
        warnings_.enter_file(surface.part == source_.main_name() ? "" : surface.part);
        auto added = add_material(surface);
        warnings_.enter_file("");
        if (!added) return added;
    }
    add_variants();
    warn_about_missing_skins();
    return {};
}

} // namespace vitrine::md3
