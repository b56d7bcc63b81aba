#include "loaders/dae/asset.hpp"

#include <optional>

#include <fmt/format.h>

#include "loaders/dae/numbers.hpp"

namespace vitrine::dae {
namespace {

// Columns are the images of the file's axes. X_UP: the file's right is -y, its up is x.
std::optional<glm::mat3> axes_of(io::XmlNode asset)
{
    const std::string_view up = asset.child("up_axis").text();
    if (up == "X_UP") return glm::mat3(0, 1, 0, -1, 0, 0, 0, 0, 1);
    if (up == "Y_UP") return glm::mat3(1.0f);
    if (up == "Z_UP") return glm::mat3(1, 0, 0, 0, 0, -1, 0, 1, 0);
    return std::nullopt;
}

// 1.4 writes `meter`; a unit of nothing is none.
std::optional<double> unit_of(io::XmlNode asset)
{
    double metres = 0.0;
    NumberReader reader(asset.child("unit").attribute("meter"));
    if (!reader.next(metres) || reader.bad() > 0 || !(metres > 1e-12) || !(metres < 1e12))
        return std::nullopt;
    return metres;
}

// It stands first; looking further would cost a walk over all siblings for each node.
io::XmlNode asset_of(io::XmlNode node)
{
    constexpr int most_looks = 3;
    io::XmlNode child = node.first_child();
    for (int i = 0; i < most_looks && child.exists(); ++i, child = child.next_sibling())
        if (child.is("asset")) return child;
    return {};
}

struct Said {
    std::optional<glm::mat3> axes;
    std::optional<double> unit;
    io::XmlNode root; // of the document; absent where both were said below it
};

// What <asset>s say below the document's own.
Said said_below_root(io::XmlNode node)
{
    Said said;
    io::XmlNode at = node;
    for (; at.exists() && !(said.axes && said.unit); at = at.parent()) {
        if (!at.parent().exists()) {
            said.root = at;
            break;
        }
        const io::XmlNode asset = asset_of(at);
        if (!asset.exists()) continue;
        if (!said.axes) said.axes = axes_of(asset);
        if (!said.unit) said.unit = unit_of(asset);
    }
    return said;
}

io::XmlNode root_of(io::XmlNode node)
{
    while (node.parent().exists())
        node = node.parent();
    return node;
}

} // namespace

Space space_of(io::XmlNode node)
{
    const Said said = said_below_root(node);
    const io::XmlNode asset = asset_of(said.root);
    return {said.axes ? *said.axes : axes_of(asset).value_or(glm::mat3(1.0f)),
            said.unit ? *said.unit : unit_of(asset).value_or(1.0)};
}

Space space_of(io::XmlNode node, io::XmlNode from, const Space& around)
{
    const Said said = said_below_root(node);
    if (!said.root.exists() || said.root.key() != root_of(from).key()) return space_of(node);
    return {said.axes.value_or(around.axes), said.unit.value_or(around.unit_metres)};
}

glm::dmat4 between(const Space& outer, const Space& inner)
{
    const glm::dmat3 axes = glm::transpose(glm::dmat3(outer.axes)) * glm::dmat3(inner.axes);
    return glm::dmat4(axes * (inner.unit_metres / outer.unit_metres));
}

std::string fault_of_asset(io::XmlNode node)
{
    if (!node.parent().is("asset")) return {};
    if (node.is("unit") && node.has_attribute("meter") && !unit_of(node.parent()))
        return fmt::format("{} metres are no unit", io::shown(node.attribute("meter")));
    if (node.is("up_axis") && !axes_of(node.parent()))
        return fmt::format("{} is no axis", io::shown(node.text()));
    return {};
}

} // namespace vitrine::dae
