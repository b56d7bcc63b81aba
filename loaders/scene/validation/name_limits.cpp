#include "loaders/scene/validation/name_limits.hpp"

#include "loaders/base/utf8.hpp"
#include "loaders/scene/material_textures.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/scene/validation/validate_helpers.hpp"

namespace vitrine::scene {
namespace {

// visit(list, index in it, name)
template <class List, class Visit>
void visit_list(const char* place, List& list, const Visit& visit)
{
    for (std::size_t i = 0; i < list.size(); ++i)
        visit(place, i, list[i].name);
}

template <class AnyScene, class Visit>
void visit_names(AnyScene& scene, const Visit& visit)
{
    visit_list("/nodes", scene.nodes, visit);
    visit_list("/meshes", scene.meshes, visit);
    for (std::size_t i = 0; i < scene.meshes.size(); ++i)
        for (auto& target : scene.meshes[i].morph_targets)
            visit("/meshes", i, target.name);
    visit_list("/skins", scene.skins, visit);
    visit_list("/clips", scene.clips, visit);
    visit_list("/materials", scene.materials, visit);
    visit_list("/images", scene.images, visit);
}

template <class Facts, class Visit>
void visit_vrm(Facts& vrm, const Visit& visit)
{
    for (auto* text : {&vrm.version, &vrm.title, &vrm.model_version, &vrm.license, &vrm.look_at})
        visit(*text, max_name_bytes);
    for (auto& author : vrm.authors)
        visit(author, max_name_bytes);
    for (auto& term : vrm.terms) {
        visit(term.name, max_name_bytes);
        visit(term.value, max_name_bytes);
    }
    for (auto& expression : vrm.expressions)
        visit(expression.name, max_name_bytes);
}

// visit(text, bytes) for texts that are not names.
template <class AnyScene, class Visit>
void visit_sentences(AnyScene& scene, const Visit& visit)
{
    visit(scene.format, max_name_bytes);
    visit(scene.generator, max_name_bytes);
    for (auto& warning : scene.warnings) {
        visit(warning.code, max_name_bytes);
        visit(warning.message, max_message_bytes);
        visit(warning.where, max_name_bytes);
    }
    if (scene.vrm) visit_vrm(*scene.vrm, visit);
    for (const auto& [name, member] : attribution_members)
        visit(scene.attribution.*member, max_name_bytes);
}

} // namespace

TruncatedNames truncate_names(Scene& scene)
{
    TruncatedNames cut;
    visit_names(scene, [&](const char* list, std::size_t index, std::string& name) {
        if (name.size() <= max_name_bytes) return;
        name = std::string(truncate_utf8(name, max_name_bytes));
        if (cut.count++ == 0) cut.first = at(list, index);
    });
    visit_sentences(scene, [](std::string& text, std::size_t bytes) {
        if (text.size() > bytes) text = std::string(truncate_utf8(text, bytes));
    });
    return cut;
}

ValidationResult check_repeated_names(const Scene& scene)
{
    constexpr auto detail = "names are repeated in more bytes than allowed for one scene";
    std::size_t bytes = 0;
    for (const auto& material : scene.materials)
        for (const auto* texture : textures_of(material))
            if (texture->image != none) bytes += scene.images[texture->image].name.size();
    if (bytes > max_repeated_names) return fail(LoadErrc::limit_exceeded, "/materials", detail);
    for (std::size_t i = 0; i < scene.clips.size(); ++i) {
        bytes = 0;
        for (const auto& channel : scene.clips[i].channels)
            bytes += scene.nodes[channel.node].name.size();
        if (bytes > max_repeated_names) return fail(LoadErrc::limit_exceeded, at("/clips", i), detail);
    }
    return {};
}

LoadResult<void> check_names(const Scene& scene)
{
    LoadResult<void> result;
    const auto keep = [&](std::string_view text, std::size_t bytes, auto place) {
        if (text.size() > bytes && result)
            result = fail(LoadErrc::malformed, place(), "the text is too long");
    };
    visit_names(scene, [&](const char* list, std::size_t index, std::string_view name) {
        keep(name, max_name_bytes, [&] { return at(list, index); });
    });
    visit_sentences(scene, [&](std::string_view text, std::size_t bytes) {
        keep(text, bytes, [] { return std::string(); });
    });
    return result;
}

} // namespace vitrine::scene
