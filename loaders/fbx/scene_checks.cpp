#include "loaders/fbx/scene_checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "loaders/fbx/transforms/transform.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::fbx {
namespace {

bool has_normal_map(const scene::Scene& scene, const scene::Mesh& mesh)
{
    return std::ranges::any_of(mesh.primitives, [&](const auto& p) {
        return p.material != scene::none && scene.materials[p.material].normal_texture.image != scene::none;
    });
}

constexpr double max_transform_value = 1e30; // as in read_transform()

void warn_about_lost_numbers(const LoadContext& context, const Object& model)
{
    for (const std::string_view name : transform_property_names) {
        const glm::dvec3 v = model.properties.vec3(name);
        if (std::abs(v.x) < max_transform_value && std::abs(v.y) < max_transform_value &&
            std::abs(v.z) < max_transform_value)
            continue;
        context.warnings.add(
            "non_finite", fmt::format("{} of {} is not numeric; it is ignored", name, io::shown(model.name)),
            model.element.location());
    }
}

// Visits each model's parents once.
class CycleCheck {
public:
    explicit CycleCheck(const LoadContext& context)
        : context_(context), visited_in_(context.document.objects().size(), no_object)
    {
    }

    LoadResult<void> reject() &&
    {
        for (std::uint32_t model = 1; model < visited_in_.size(); ++model) {
            if (context_.document.object(model).type != ObjectType::model) continue;
            std::uint32_t at = model;
            while (at != no_object && visited_in_[at] == no_object) {
                visited_in_[at] = model;
                at = find_parent(at);
            }
            if (at == no_object || visited_in_[at] != model) continue;
            const Object& object = context_.document.object(at);
            return std::unexpected(LoadError{LoadErrc::malformed, object.element.location(),
                                             fmt::format("{} is its own ancestor", io::shown(object.name))});
        }
        return {};
    }

private:
    // Returns no parent for models at the root or without connection.
    std::uint32_t find_parent(std::uint32_t model) const
    {
        std::uint32_t parent = no_object;
        for (const ObjectConnection& c : context_.document.destinations(model)) {
            if (c.destination == 0) return no_object;
            const bool is_model = context_.document.object(c.destination).type == ObjectType::model;
            if (parent == no_object && is_model && c.destination_property.empty()) parent = c.destination;
        }
        return parent;
    }

    const LoadContext& context_;
    std::vector<std::uint32_t> visited_in_; // by object: the model from which it was first visited
};

// Warns about nodes whose rotation differs from their properties and curves. The SDK does not evaluate these
// either.
void warn_about_rotation(const LoadContext& context, std::uint32_t model)
{
    const Object& object = context.document.object(model);
    const bool quaternions = object.properties.integer("QuaternionInterpolate") != 0;
    bool has_rotation_curves = false, has_look_at = false;
    for (const ObjectConnection& connection : context.document.sources(model)) {
        has_rotation_curves = has_rotation_curves || connection.destination_property == "Lcl Rotation";
        has_look_at = has_look_at || connection.destination_property == "LookAtProperty";
    }
    if (quaternions && has_rotation_curves && context.warnings.accepts("fbx_quaternion_curves"))
        context.warnings.store(
            "fbx_quaternion_curves",
            fmt::format("{} has quaternion interpolation; its angles are interpolated instead",
                        io::shown(object.name)),
            object.element.location());
    if (has_look_at && object.sub_type != "Camera" && object.sub_type != "Light")
        context.warnings.add("unsupported_constraint",
                             fmt::format("{} has a look-at target; it is ignored", io::shown(object.name)),
                             object.element.location());
}

// A Character assigns models to limbs; an inactive one has no effect.
void warn_about_constraint(const LoadContext& context, const Object& constraint)
{
    if (constraint.sub_type == "Character" || !constraint.properties.boolean("Active", true)) return;
    const std::string kind =
        constraint.sub_type.empty() ? "" : fmt::format(" ({})", io::to_utf8(constraint.sub_type));
    context.warnings.add(
        "unsupported_constraint",
        fmt::format("the constraint {}{} is not supported; it is ignored", io::shown(constraint.name), kind),
        constraint.element.location());
}

// One warning for all cameras, one for all lights. MotionBuilder's default views, which every old file
// contains, are ignored.
void warn_about_cameras_and_lights(const LoadContext& context)
{
    const Object* camera = nullptr;
    const Object* light = nullptr;
    for (const Object& object : context.document.objects()) {
        if (object.type != ObjectType::node_attribute && object.type != ObjectType::model) continue;
        if (camera == nullptr && object.sub_type == "Camera" && !object.name.starts_with("Producer "))
            camera = &object;
        if (light == nullptr && object.sub_type == "Light") light = &object;
    }
    if (camera != nullptr)
        context.warnings.add("cameras_ignored",
                             "the file's cameras are ignored; the view frames the whole model",
                             camera->element.location());
    if (light != nullptr)
        context.warnings.add("lights_ignored", "the file's lights are ignored", light->element.location());
}

} // namespace

LoadResult<void> check_cycles(const LoadContext& context)
{
    return CycleCheck(context).reject();
}

void add_tangents(scene::Scene& scene)
{
    for (scene::Mesh& mesh : scene.meshes)
        if (has_normal_map(scene, mesh)) scene::compute_tangents(mesh);
}

void warn_about_unsupported(const LoadContext& context)
{
    warn_about_cameras_and_lights(context);
    for (const std::uint32_t model : context.document.objects_of_type(ObjectType::model))
        warn_about_rotation(context, model);
    for (const Object& object : context.document.objects()) {
        if (object.type == ObjectType::model)
            warn_about_lost_numbers(context, object);
        else if (object.type == ObjectType::surface)
            context.warnings.add("unsupported_geometry",
                                 fmt::format("{} {} is not supported; it is not shown",
                                             io::to_utf8(object.sub_type), io::shown(object.name)),
                                 object.element.location());
        else if (object.type == ObjectType::mesh && object.element.integer("Smoothness") > 0)
            context.warnings.add(
                "unsupported_subdivision",
                fmt::format("{} is a subdivision surface; its control mesh is shown", io::shown(object.name)),
                object.element.location());
        else if (object.type == ObjectType::constraint)
            warn_about_constraint(context, object);
    }
}

} // namespace vitrine::fbx
