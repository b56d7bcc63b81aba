#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "loaders/export/gltf/gltf_materials.hpp"
#include "loaders/export/gltf/gltf_tree.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::exporting {
namespace {

using scene::HumanBone;
using scene::VrmKind;

std::string_view vrm_0_name_of(HumanBone bone)
{
    for (const auto& [name, named] : scene::vrm_0_bone_names)
        if (named == bone) return name;
    return scene::name_of(bone);
}

class VrmWriter {
public:
    VrmWriter(const scene::Scene& scene, VrmKind kind, GltfTree& tree, JsonWriter& json)
        : scene_(scene), kind_(kind), tree_(tree), json_(json)
    {
    }

    void run()
    {
        json_.begin_object().member("specVersion", kind_ == VrmKind::version_0 ? "0.0" : "1.0");
        write_humanoid();
        if (kind_ != VrmKind::animation && scene_.vrm) {
            write_meta();
            write_first_person();
            if (kind_ == VrmKind::version_0)
                write_expressions_of_version_0();
            else
                write_expressions();
        }
        json_.end_object();
    }

private:
    bool is_version_0() const { return kind_ == VrmKind::version_0; }

    void write_humanoid()
    {
        json_.key("humanoid").begin_object().key("humanBones");
        is_version_0() ? json_.begin_array() : json_.begin_object();
        for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node) {
            const HumanBone bone = scene_.nodes[node].human_bone;
            if (bone == HumanBone::none) continue;
            if (!is_version_0()) json_.key(scene::name_of(bone));
            json_.begin_object();
            if (is_version_0()) json_.member("bone", vrm_0_name_of(bone)).member("useDefaultValues", true);
            json_.member("node", tree_.index(node)).end_object();
        }
        is_version_0() ? json_.end_array() : json_.end_object();
        json_.end_object();
    }

    void write_meta()
    {
        const scene::VrmFacts& vrm = *scene_.vrm;
        json_.key("meta").begin_object();
        json_.member(is_version_0() ? "title" : "name", vrm.title).member("version", vrm.model_version);
        if (is_version_0()) {
            json_.member("author", vrm.authors.empty() ? std::string() : vrm.authors.front());
            json_.member("licenseName", vrm.license);
        } else {
            json_.key("authors").begin_array();
            for (const auto& author : vrm.authors)
                json_.value(std::string_view(author));
            json_.end_array().member("licenseUrl", vrm.license);
        }
        std::set<std::string_view> written{"title",   "name",        "version",   "author",
                                           "authors", "licenseName", "licenseUrl"};
        for (const auto& term : vrm.terms)
            if (written.insert(term.name).second) write_term(term);
        json_.end_object();
    }

    void write_term(const scene::VrmTerm& term)
    {
        json_.key(term.name);
        if (term.value == "true" || term.value == "false")
            json_.value(term.value == "true");
        else if (term.name == "references")
            json_.begin_array().value(std::string_view(term.value)).end_array();
        else
            json_.value(std::string_view(term.value));
    }

    void write_first_person()
    {
        json_.key("firstPerson").begin_object().key("meshAnnotations").begin_array();
        for (const auto& [node, flag] : scene_.vrm->first_person) {
            const std::uint32_t mesh = tree_.node(node).mesh;
            if (mesh == scene::none) continue;
            const auto& [name, name_0] = scene::first_person_names[static_cast<std::size_t>(flag)];
            json_.begin_object();
            if (is_version_0())
                json_.member("mesh", mesh).member("firstPersonFlag", name_0);
            else
                json_.member("node", tree_.index(node)).member("type", name);
            json_.end_object();
        }
        json_.end_array().end_object();
    }

    void write_expressions_of_version_0()
    {
        json_.key("blendShapeMaster").begin_object().key("blendShapeGroups").begin_array();
        for (const auto& expression : scene_.vrm->expressions) {
            const auto* const preset =
                std::ranges::find(scene::vrm_0_presets, expression.name,
                                  &std::pair<std::string_view, std::string_view>::second);
            const bool is_preset = expression.is_preset && preset != scene::vrm_0_presets.end();
            json_.begin_object().member("name", expression.name);
            json_.member("presetName", is_preset ? preset->first : "unknown");
            write_weights("binds", expression);
        }
        json_.end_array().end_object();
    }

    void write_expressions()
    {
        json_.key("expressions").begin_object();
        for (const bool is_preset : {true, false}) {
            std::set<std::string_view> written;
            json_.key(is_preset ? "preset" : "custom").begin_object();
            for (const auto& expression : scene_.vrm->expressions) {
                if (expression.is_preset != is_preset || !written.insert(expression.name).second) continue;
                json_.key(expression.name).begin_object();
                write_weights("morphTargetBinds", expression);
            }
            json_.end_object();
        }
        json_.end_object();
    }

    // Ends the expression's object.
    void write_weights(std::string_view list, const scene::VrmExpression& expression)
    {
        json_.member("isBinary", expression.is_binary).key(list).begin_array();
        for (const auto& [node, target, weight] : expression.weights) {
            const std::uint32_t mesh = tree_.node(node).mesh;
            if (mesh == scene::none) continue;
            json_.begin_object();
            json_.member(is_version_0() ? "mesh" : "node", is_version_0() ? mesh : tree_.index(node));
            json_.member("index", target).member("weight", is_version_0() ? 100.0f * weight : weight);
            json_.end_object();
        }
        json_.end_array().end_object();
    }

    const scene::Scene& scene_;
    VrmKind kind_;
    GltfTree& tree_;
    JsonWriter& json_;
};

} // namespace

void write_asset(const scene::Attribution& attribution, JsonWriter& json)
{
    json.key("asset").begin_object().member("version", "2.0").member("generator", "Vitrine");
    if (!attribution.copyright.empty()) json.member("copyright", std::string_view(attribution.copyright));
    const std::array extras{std::pair{"author", &attribution.author},
                            std::pair{"license", &attribution.license},
                            std::pair{"source", &attribution.source}, std::pair{"title", &attribution.title}};
    const auto is_declared = [](const auto& extra) { return !extra.second->empty(); };
    if (std::ranges::any_of(extras, is_declared)) {
        json.key("extras").begin_object();
        for (const auto& [name, text] : extras)
            if (!text->empty()) json.member(name, std::string_view(*text));
        json.end_object();
    }
    json.end_object();
}

std::string_view vrm_extension(VrmKind kind)
{
    constexpr std::array<std::string_view, 3> names{"VRM", "VRMC_vrm", "VRMC_vrm_animation"};
    return names[static_cast<std::size_t>(kind)];
}

void write_root_extensions(const scene::Scene& scene, std::optional<VrmKind> vrm, GltfTree& tree,
                           JsonWriter& json)
{
    if (scene.variants.empty() && !vrm) return;
    json.key("extensions").begin_object();
    if (vrm) {
        json.key(vrm_extension(*vrm));
        VrmWriter(scene, *vrm, tree, json).run();
    }
    if (!scene.variants.empty()) {
        json.key(variants_extension).begin_object().key("variants").begin_array();
        for (const auto& name : scene.variants)
            json.begin_object().member("name", std::string_view(name)).end_object();
        json.end_array().end_object();
    }
    json.end_object();
}

scene::Scene turned_by_half(const scene::Scene& scene)
{
    scene::Scene turned = scene;
    scene::convert_to_scene_space(turned, {.axes = glm::mat3(-1, 0, 0, 0, 1, 0, 0, 0, -1)});
    return turned;
}

} // namespace vitrine::exporting
