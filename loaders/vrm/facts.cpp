#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/vrm/extensions.hpp"

namespace vitrine::vrm {
namespace {

using scene::FirstPersonFlag;
using scene::VrmFacts;

constexpr std::size_t max_shown_type = 64;
constexpr std::size_t max_list_bytes = 4096; // longer ones are truncated as all texts are

// The text of a member of meta; empty for images, objects and what is absent.
std::string text_of(io::JsonValue value)
{
    if (const auto text = value.string()) return std::string(*text);
    if (const auto truth = value.boolean()) return *truth ? "true" : "false";
    if (!value.is_array()) return {};
    std::string list;
    for (const io::JsonValue element : value)
        if (const auto text = element.string(); text && list.size() < max_list_bytes)
            list += fmt::format("{}{}", list.empty() ? "" : ", ", *text);
    return list;
}

class FactsReader {
public:
    FactsReader(const VrmExtension& extension, const scene::Scene& scene, VrmFacts& facts)
        : extension_(extension), scene_(scene), facts_(facts)
    {
    }

    void run()
    {
        if (extension_.kind == VrmKind::animation) return;
        gltf::LenientFields fields(extension_.object, extension_.warnings());
        for (const io::JsonValue member : fields.member("meta"))
            read_meta(member);
        if (extension_.kind == VrmKind::version_0) prefer_url_of_other_license(fields.member("meta"));
        const io::JsonValue first_person = fields.member("firstPerson");
        const MeshNodes nodes = find_mesh_nodes(scene_, extension_.node_count());
        for (const io::JsonValue annotation : first_person["meshAnnotations"])
            read_annotation(annotation, nodes);
        read_look_at(first_person);
        if (extension_.kind == VrmKind::version_0)
            read_springs_of_version_0(fields.member("secondaryAnimation"));
        else
            read_springs();
        count_constraints();
    }

private:
    bool is_full(std::size_t size, io::JsonValue where)
    {
        if (size < scene::max_vrm_entries) return false;
        if (std::exchange(is_limited_, true)) return true;
        extension_.warnings().add("vrm_facts_limit",
                                  fmt::format("only the first {} entries are kept", scene::max_vrm_entries),
                                  where.pointer());
        return true;
    }

    void read_meta(io::JsonValue member)
    {
        const std::string_view key = member.key();
        if (key == "authors") {
            for (const io::JsonValue author : member)
                if (author.string() && !is_full(facts_.authors.size(), author))
                    facts_.authors.emplace_back(*author.string());
            return;
        }
        std::string text = text_of(member);
        if (text.empty()) return;
        if (key == "name" || key == "title")
            facts_.title = std::move(text);
        else if (key == "version")
            facts_.model_version = std::move(text);
        else if (key == "author")
            facts_.authors = {std::move(text)};
        else if (key == "licenseUrl" || key == "licenseName")
            facts_.license = std::move(text);
        else if (!is_full(facts_.terms.size(), member))
            facts_.terms.push_back({std::string(key), std::move(text)});
    }

    // "licenseName": "Other" refers to the text at "otherLicenseUrl".
    void prefer_url_of_other_license(io::JsonValue meta)
    {
        if (facts_.license != "Other") return;
        const std::string url = text_of(meta["otherLicenseUrl"]);
        if (!url.empty()) facts_.license = url;
    }

    void read_annotation(io::JsonValue annotation, const MeshNodes& nodes)
    {
        gltf::LenientFields fields(annotation, extension_.warnings());
        if (extension_.kind == VrmKind::version_0) {
            const std::uint32_t mesh = fields.index("mesh", nodes.size());
            if (mesh == scene::none || annotated_meshes_[mesh]) return;
            annotated_meshes_[mesh] = true;
            const auto flag = find_flag(fields.string("firstPersonFlag"), annotation);
            for (const std::uint32_t node : nodes[mesh])
                add_first_person(node, flag, annotation);
            return;
        }
        const std::uint32_t node = fields.index("node", extension_.node_count());
        if (node != scene::none && scene_.nodes[node].mesh != scene::none)
            add_first_person(node, find_flag(fields.string("type"), annotation), annotation);
    }

    FirstPersonFlag find_flag(std::string_view name, io::JsonValue where)
    {
        const auto* const found = std::ranges::find_if(scene::first_person_names, [&](const auto& names) {
            return names.first == name || names.second == name;
        });
        if (found != scene::first_person_names.end())
            return static_cast<FirstPersonFlag>(found - scene::first_person_names.begin());
        extension_.warnings().add("invalid_property",
                                  fmt::format("the first-person type \"{}\" is unknown; auto is used",
                                              name.substr(0, max_shown_type)),
                                  where.pointer());
        return FirstPersonFlag::automatic;
    }

    void add_first_person(std::uint32_t node, FirstPersonFlag flag, io::JsonValue where)
    {
        if (!is_full(facts_.first_person.size(), where)) facts_.first_person.push_back({node, flag});
    }

    void read_look_at(io::JsonValue first_person)
    {
        const io::JsonValue type = extension_.kind == VrmKind::version_0
                                       ? first_person["lookAtTypeName"]
                                       : extension_.object["lookAt"]["type"];
        const std::string_view name = type.string().value_or("");
        if (name == "bone" || name == "Bone") facts_.look_at = "bone";
        if (name == "expression" || name == "BlendShape") facts_.look_at = "expression";
    }

    void read_springs()
    {
        gltf::LenientFields root(extension_.document.root(), extension_.warnings());
        const io::JsonValue springs = root.extension("VRMC_springBone");
        facts_.springs = springs["springs"].size();
        facts_.spring_colliders = springs["colliders"].size();
        for (const io::JsonValue spring : springs["springs"])
            facts_.spring_joints += spring["joints"].size();
    }

    void read_springs_of_version_0(io::JsonValue animation)
    {
        facts_.springs = animation["boneGroups"].size();
        for (const io::JsonValue group : animation["boneGroups"])
            facts_.spring_joints += group["bones"].size();
        for (const io::JsonValue group : animation["colliderGroups"])
            facts_.spring_colliders += group["colliders"].size();
        if (facts_.springs > 0)
            extension_.warnings().add("extension_ignored", "spring bones are not simulated",
                                      animation.pointer());
    }

    void count_constraints()
    {
        for (const io::JsonValue node : extension_.document.list("nodes"))
            facts_.constraints += node["extensions"]["VRMC_node_constraint"].is_object();
    }

    const VrmExtension& extension_;
    const scene::Scene& scene_;
    VrmFacts& facts_;
    bool is_limited_ = false; // warned about
    std::vector<bool> annotated_meshes_ = std::vector<bool>(scene_.meshes.size(), false);
};

} // namespace

void read_facts(const VrmExtension& extension, const scene::Scene& scene, scene::VrmFacts& facts)
{
    FactsReader(extension, scene, facts).run();
}

MeshNodes find_mesh_nodes(const scene::Scene& scene, std::uint32_t node_count)
{
    MeshNodes nodes(scene.meshes.size());
    for (std::uint32_t node = 0; node < node_count; ++node)
        if (const std::uint32_t mesh = scene.nodes[node].mesh; mesh != scene::none)
            nodes[mesh].push_back(node);
    return nodes;
}

} // namespace vitrine::vrm
