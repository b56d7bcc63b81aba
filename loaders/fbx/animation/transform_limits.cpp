#include "loaders/fbx/animation/transform_limits.hpp"

#include <array>
#include <string>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"

namespace vitrine::fbx {
namespace {

constexpr std::string_view transform_prefix = "Lcl ";
constexpr double limit_tolerance = 1e-3;
constexpr double seconds_beyond = 60.0;

class MotionLimits {
public:
    // `kind`: Translation, Rotation or Scaling.
    MotionLimits(const Properties& properties, const std::string& kind)
        : min_(properties.vec3(kind + "Min")), max_(properties.vec3(kind + "Max"))
    {
        if (!properties.boolean(kind + "Active", false)) return;
        for (glm::length_t axis = 0; axis < 3; ++axis) {
            has_min_[axis] = properties.boolean(kind + "Min" + "XYZ"[axis], false);
            has_max_[axis] = properties.boolean(kind + "Max" + "XYZ"[axis], false);
        }
    }

    bool any() const { return glm::any(has_min_) || glm::any(has_max_); }
    bool are_exceeded_by(const glm::dvec3& value) const
    {
        return glm::any(glm::lessThan(value, min_ - limit_tolerance) && has_min_) ||
               glm::any(glm::greaterThan(value, max_ + limit_tolerance) && has_max_);
    }

private:
    glm::dvec3 min_, max_;
    glm::bvec3 has_min_{false}, has_max_{false};
};

} // namespace

bool passes_limits(const LoadContext& context, const AnimationStacks& animation, const AnimationStack& stack,
                   const CurveNode& node)
{
    if (!node.property.starts_with(transform_prefix)) return false;
    const MotionLimits limits(context.document.object(node.object).properties,
                              std::string(node.property.substr(transform_prefix.size())));
    if (!limits.any()) return false;
    const auto property = animation.property(stack, node.object, node.property, PropertyKind::plain, {});
    if (!property) return false;
    const auto exceeds = [&](double time) {
        return limits.are_exceeded_by(property->sample(time, TimeSide::at).value);
    };
    const double beyond = seconds_beyond * context.document.ticks_per_second();
    for (const Curve* curve : property->curves()) {
        if (exceeds(curve->first_time() - beyond) || exceeds(curve->last_time() + beyond)) return true;
        for (std::size_t i = 0; i < curve->keys.size(); ++i) {
            const double from = curve->keys[i].time;
            const double span = i + 1 < curve->keys.size() ? curve->keys[i + 1].time - from : 0.0;
            for (const double fraction : {0.0, 0.25, 0.5, 0.75})
                if (exceeds(from + fraction * span)) return true;
        }
    }
    return false;
}

void warn_about_static_limits(const LoadContext& context)
{
    for (const std::uint32_t model : context.document.objects_of_type(ObjectType::model)) {
        const Object& object = context.document.object(model);
        for (const char* kind : {"Translation", "Rotation", "Scaling"}) {
            const MotionLimits limits(object.properties, kind);
            const glm::dvec3 normal(kind[0] == 'S' ? 1.0 : 0.0);
            if (!limits.any() ||
                !limits.are_exceeded_by(object.properties.vec3(std::string(transform_prefix) + kind, normal)))
                continue;
            context.warnings.add("fbx_limits",
                                 fmt::format("{} exceeds its transform limits; the limits are ignored",
                                             io::shown(object.name)),
                                 object.element.location());
        }
    }
}

} // namespace vitrine::fbx
