#include "loaders/dae/document/asset.hpp"

#include <optional>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"

namespace vitrine::dae {
namespace {

// Columns are the images of the file's axes. X_UP: the file's right is -y, its up is x.
std::optional<glm::mat3> parse_up_axis(io::XmlNode up_axis)
{
    const std::string_view up = up_axis.text();
    if (up == "X_UP") return glm::mat3(0, 1, 0, -1, 0, 0, 0, 0, 1);
    if (up == "Y_UP") return glm::mat3(1.0f);
    if (up == "Z_UP") return glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0);
    return std::nullopt;
}

// 1.4 writes `meter`; a unit of zero is invalid.
std::optional<double> parse_unit_meters(io::XmlNode unit)
{
    double meters = 0.0;
    NumberReader reader(unit.attribute("meter"));
    if (!reader.next(meters) || reader.bad() > 0 || !(meters > 1e-12) || !(meters < 1e12))
        return std::nullopt;
    return meters;
}

// It must be the first child; searching further would cost a walk over all siblings for each element.
bool is_first_child(io::XmlNode asset)
{
    constexpr int max_assets_checked = 3;
    io::XmlNode child = asset.parent().first_child();
    for (int i = 0; i < max_assets_checked && child.exists(); ++i, child = child.next_sibling())
        if (child == asset) return true;
    return false;
}

} // namespace

glm::dmat4 between(const AssetSpace& outer, const AssetSpace& inner)
{
    const glm::dmat3 axes = glm::transpose(glm::dmat3(outer.axes)) * glm::dmat3(inner.axes);
    return glm::dmat4(axes * (inner.unit_meters / outer.unit_meters));
}

std::vector<std::pair<io::XmlNode, std::string>> Assets::add(io::XmlNode asset)
{
    std::vector<std::pair<io::XmlNode, std::string>> faults;
    DeclaredSpace declared;
    io::XmlNode unit, up_axis;
    for (const io::XmlNode child : asset) {
        if (child.is("unit") && !unit.exists()) {
            unit = child;
            declared.unit_meters = parse_unit_meters(unit);
            if (!declared.unit_meters && unit.has_attribute("meter"))
                faults.emplace_back(unit, fmt::format("the unit of {} m is not a positive number",
                                                      io::shown(unit.attribute("meter"))));
        } else if (child.is("up_axis") && !up_axis.exists()) {
            up_axis = child;
            declared.axes = parse_up_axis(up_axis);
            if (!declared.axes)
                faults.emplace_back(up_axis, fmt::format("{} is not an axis", io::shown(up_axis.text())));
        }
    }
    const io::XmlNode holder = asset.parent();
    if (!holder.exists() || !is_first_child(asset)) return faults;
    if (holder.parent().exists())
        by_holder_.try_emplace(holder.key(), declared);
    else if (!std::exchange(has_root_, true))
        of_root_ = declared;
    return faults;
}

DeclaredSpace Assets::below_root(io::XmlNode node) const
{
    DeclaredSpace declared;
    if (by_holder_.empty()) return declared;
    for (io::XmlNode at = node; at.exists() && !declared.is_complete(); at = at.parent()) {
        const auto found = by_holder_.find(at.key());
        if (found == by_holder_.end()) continue;
        if (!declared.axes) declared.axes = found->second.axes;
        if (!declared.unit_meters) declared.unit_meters = found->second.unit_meters;
    }
    return declared;
}

AssetSpace Assets::of(io::XmlNode node) const
{
    return below_root(node).in(of_root_.in({}));
}

} // namespace vitrine::dae
