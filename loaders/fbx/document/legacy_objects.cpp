// Splits what versions 5 and 6 store inside a Model into separate objects, as in version 7.

#include "loaders/fbx/document/document_builder.hpp"

#include <cmath>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

constexpr ChannelDefaults unset_defaults{glm::dvec3(NAN), glm::dvec3(NAN), glm::dvec3(NAN)};

bool is_deformer(ObjectType type)
{
    return type == ObjectType::skin || type == ObjectType::blend_shape || type == ObjectType::cache_deformer;
}

bool is_surface(std::string_view sub_type)
{
    return sub_type == "Nurb" || sub_type == "NurbsSurface" || sub_type == "NurbsCurve" ||
           sub_type == "Patch" || sub_type == "TrimNurbsSurface" || sub_type == "Line" ||
           sub_type == "Boundary";
}

} // namespace

std::uint32_t DocumentBuilder::add_part(std::uint32_t model, ObjectType type, std::string_view kind,
                                        std::string_view sub_type, Element part)
{
    Object object;
    object.id = next_id_++;
    object.type = type;
    object.kind = kind;
    object.sub_type = sub_type;
    object.element = document_.object(model).element;
    object.part = part;
    const ObjectDraft draft = drafts_[model];
    const std::uint32_t index = add_object(std::move(object), {});
    drafts_[index] = draft;
    full_names_[index] = part.exists() ? part[0u].text() : full_names_[model];
    return index;
}

// Adds a blend shape, channel and shape for each `Shape` of the model.
void DocumentBuilder::add_shapes_of(std::uint32_t mesh, std::uint32_t model)
{
    std::uint32_t blend_shape = no_object;
    for (const Element child : document_.object(model).element) {
        if (child.name() != "Shape") continue;
        if (blend_shape == no_object) {
            blend_shape = add_part(model, ObjectType::blend_shape, "Deformer", "BlendShape", {});
            connect(blend_shape, mesh);
        }
        const std::uint32_t channel =
            add_part(model, ObjectType::blend_channel, "Deformer", "BlendShapeChannel", child);
        const std::uint32_t shape = add_part(model, ObjectType::shape, "Geometry", "Shape", child);
        connect(channel, blend_shape);
        connect(shape, channel);
    }
}

// Version 5: a `Link` is a cluster and names its joint.
void DocumentBuilder::add_links_of(std::uint32_t mesh, std::uint32_t model)
{
    std::uint32_t skin = no_object;
    for (const Element child : document_.object(model).element) {
        if (child.name() != "Link") continue;
        if (skin == no_object) {
            skin = add_part(model, ObjectType::skin, "Deformer", "Skin", {});
            connect(skin, mesh);
        }
        const std::uint32_t cluster = add_part(model, ObjectType::cluster, "Deformer", "Cluster", child);
        connect(cluster, skin);
        connect(find_end(child[0u]), cluster);
    }
}

// Version 5: materials, textures and videos are stored in the model that uses them, in slot order.
void DocumentBuilder::add_materials_of(std::uint32_t model)
{
    for (const Element child : document_.object(model).element) {
        const bool material = child.name() == "Material", texture = child.name() == "Texture";
        if ((!material && !texture) || !child[0u].is_text()) continue;
        Object object;
        object.id = next_id_++;
        object.type = material ? ObjectType::material : ObjectType::texture;
        object.kind = child.name();
        object.element = child;
        const std::uint32_t index = add_object(std::move(object), child[0u].text());
        std::tie(drafts_[index].first_own, drafts_[index].own_count) = add_entries(child);
        connect(index, model);
    }
}

void DocumentBuilder::add_mesh_of(std::uint32_t model)
{
    const Element element = document_.object(model).element;
    if (!element["Vertices"].exists()) return;
    const std::uint32_t mesh = add_part(model, ObjectType::mesh, "Geometry", "Mesh", {});
    mesh_of_[model] = mesh;
    connect(mesh, model);
    add_shapes_of(mesh, model);
    add_links_of(mesh, model);
}

// Version 5: a model names its children; models that are not named belong to the root.
LoadResult<void> DocumentBuilder::connect_children()
{
    const auto count = static_cast<std::uint32_t>(document_.objects_.size());
    std::vector<bool> is_child(count, false);
    for (std::uint32_t model = 1; model < count; ++model) {
        if (document_.object(model).type != ObjectType::model) continue;
        const Element children = document_.object(model).element["Children"];
        const auto names = children.all_values();
        if (!names) return std::unexpected(names.error());
        for (const Value& name : *names) {
            if (name.is_bare_word())
                return fail(LoadErrc::malformed, children.location(),
                            fmt::format("the child {} is not quoted", io::shown(name.text())));
            const std::uint32_t child = find_end(name);
            if (child == no_object || child == 0 || child >= count || is_child[child]) continue;
            is_child[child] = true;
            connect(child, model);
        }
    }
    for (std::uint32_t model = 1; model < count; ++model)
        if (document_.object(model).type == ObjectType::model && !is_child[model]) connect(model, 0);
    return {};
}

LoadResult<void> DocumentBuilder::split_legacy_models()
{
    const auto count = static_cast<std::uint32_t>(document_.objects_.size());
    for (std::uint32_t model = 1; model < count; ++model) {
        if (document_.object(model).type != ObjectType::model) continue;
        const std::string_view sub_type = document_.object(model).sub_type;
        if (is_version_5()) add_materials_of(model);
        add_mesh_of(model);
        if (mesh_of_.contains(model) || sub_type.empty() || sub_type == "Mesh") continue;
        const ObjectType type = is_surface(sub_type) ? ObjectType::surface : ObjectType::node_attribute;
        connect(
            add_part(model, type, type == ObjectType::surface ? "Geometry" : "NodeAttribute", sub_type, {}),
            model);
    }
    return is_version_5() ? connect_children() : LoadResult<void>();
}

// `Channel: "Transform"` with T, R and S, each with X, Y and Z.
void DocumentBuilder::read_channel_defaults(Element of, std::uint32_t model)
{
    constexpr std::string_view parts = "TRS", axes = "XYZ";
    for (const Element transform : of) {
        if (transform.name() != "Channel" || transform[0u].text() != "Transform") continue;
        for (const Element part : transform) {
            const auto property = part[0u].text().size() == 1 ? parts.find(part[0u].text()) : parts.npos;
            if (property == parts.npos) continue;
            for (const Element channel : part) {
                const auto axis = channel[0u].text().size() == 1 ? axes.find(channel[0u].text()) : axes.npos;
                const double value = channel.real("Default", NAN);
                if (axis == axes.npos || !(std::abs(value) < 1e30)) continue;
                const auto found = document_.channel_defaults_.try_emplace(model, unset_defaults).first;
                found->second[property][static_cast<glm::length_t>(axis)] = value;
            }
        }
    }
}

void DocumentBuilder::read_all_channel_defaults()
{
    const auto count = static_cast<std::uint32_t>(document_.objects_.size());
    for (std::uint32_t model = 1; model < count; ++model)
        if (document_.object(model).type == ObjectType::model)
            read_channel_defaults(document_.object(model).element, model);
    for (const Element take : document_.takes()) {
        for (const Element of : take) {
            const std::uint32_t model = of[0u].is_text() && of["Channel"].exists()
                                            ? document_.find_by_full_name(of[0u].text())
                                            : no_object;
            if (model != no_object) read_channel_defaults(of, model);
        }
    }
}

// In these versions skins are connected to the model; the document connects them to its mesh.
void DocumentBuilder::move_deformers()
{
    for (ObjectConnection& connection : connections_) {
        if (!is_deformer(document_.object(connection.source).type)) continue;
        const auto mesh = mesh_of_.find(connection.destination);
        if (mesh != mesh_of_.end()) connection.destination = mesh->second;
    }
}

} // namespace vitrine::fbx
