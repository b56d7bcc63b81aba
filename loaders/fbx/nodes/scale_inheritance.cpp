#include "loaders/fbx/nodes/scale_inheritance.hpp"

#include "loaders/fbx/transforms/model_transform.hpp"

namespace vitrine::fbx {
namespace {

bool is_uniform(const glm::dvec3& v)
{
    return v.x == v.y && v.y == v.z;
}

} // namespace

LoadResult<void> ScaleInheritances::read(std::uint32_t model, std::uint32_t parent,
                                         const std::vector<bool>& placed)
{
    inherit(model, parent);
    const auto split = splits(model, placed);
    if (!split) return std::unexpected(split.error());
    is_split_[model] = *split;
    return {};
}

void ScaleInheritances::inherit(std::uint32_t model, std::uint32_t parent)
{
    const InheritType type = type_of(model);
    if (parent == 0 || type == InheritType::RSrs) return;
    ScaleInheritance& own = by_object_[model];
    const ScaleInheritance& above = by_object_[parent];
    if (is_split_[parent]) {
        own.split_parent = parent;
        own.link = type == InheritType::RrSs ? parent : above.link;
        own.factor = type == InheritType::RrSs ? 1.0 : above.factor;
    } else if (type == InheritType::Rrs) {
        own.factor = 1.0 / static_scale(parent).x;
    }
}

// Returns whether the scale must move to its own node because some children do not inherit it unmodified.
LoadResult<bool> ScaleInheritances::splits(std::uint32_t model, const std::vector<bool>& placed) const
{
    bool mixes = false, ignores = false;
    for (const ObjectConnection& connection : document_.sources(model)) {
        const std::uint32_t child = connection.source;
        if (document_.object(child).type != ObjectType::model || placed[child]) continue;
        mixes = mixes || type_of(child) == InheritType::RrSs;
        ignores = ignores || type_of(child) == InheritType::Rrs;
    }
    if (!mixes && !ignores) return false;
    if (by_object_[model].link != no_object) return true;
    bool uniform = true, constant = true;
    if (auto checked = check_scale(model, uniform, constant); !checked)
        return std::unexpected(checked.error());
    return !uniform || (ignores && (!constant || static_scale(model).x == 0.0));
}

// Determines whether a model's scale is uniform, and constant over time.
LoadResult<void> ScaleInheritances::check_scale(std::uint32_t model, bool& uniform, bool& constant) const
{
    const glm::dvec3 static_value = static_scale(model);
    uniform = is_uniform(static_value);
    constant = true;
    for (const AnimationStack& stack : animation_.stacks_of(model)) {
        if (!uniform) break;
        if (stack.find(model, "Lcl Scaling").empty()) continue;
        const auto scaling =
            animation_.property(stack, model, "Lcl Scaling", PropertyKind::scaling, static_value);
        if (!scaling) return std::unexpected(scaling.error());
        uniform = scaling->is_uniform();
        constant =
            constant && scaling->is_constant() && scaling->sample(0.0, TimeSide::after).value == static_value;
    }
    return {};
}

DoubleTrs ScaleInheritances::apply(std::uint32_t model, DoubleTrs local) const
{
    if (const std::uint32_t split_parent = by_object_[model].split_parent; split_parent != no_object)
        local.translation *= static_scale(split_parent) * inherited_scale(split_parent);
    local.scale *= inherited_scale(model);
    return local;
}

glm::dvec3 ScaleInheritances::inherited_scale(std::uint32_t model) const
{
    glm::dvec3 scale(1.0);
    for (std::uint32_t at = model; at != no_object; at = by_object_[at].link) {
        if (at != model) scale *= static_scale(at);
        scale *= by_object_[at].factor;
    }
    return scale;
}

glm::dvec3 ScaleInheritances::static_scale(std::uint32_t model) const
{
    return read_transform(document_, model)[TransformProperty::scaling];
}

InheritType ScaleInheritances::type_of(std::uint32_t model) const
{
    const std::int64_t type = document_.object(model).properties.integer("InheritType", 1);
    return type == 0 ? InheritType::RrSs : type == 2 ? InheritType::Rrs : InheritType::RSrs;
}

} // namespace vitrine::fbx
