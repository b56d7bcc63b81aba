#include <algorithm>
#include <array>

#include "loaders/dae/geometry/geometry.hpp"

namespace vitrine::dae {
namespace {

constexpr std::array<std::string_view, 7> primitive_names{"triangles", "polylist", "polygons",  "tristrips",
                                                          "trifans",   "lines",    "linestrips"};

} // namespace

bool is_primitive(io::XmlNode node)
{
    return std::ranges::find(primitive_names, node.name()) != primitive_names.end();
}

io::XmlNode find_mesh(io::XmlNode geometry)
{
    const io::XmlNode mesh = geometry.child("mesh");
    if (mesh.exists()) return mesh;
    const io::XmlNode convex = geometry.child("convex_mesh");
    return convex.child("vertices").exists() ? convex : io::XmlNode();
}

io::XmlNode vertex_source(io::XmlNode mesh, std::string_view semantic, Documents& documents)
{
    const io::XmlNode vertices = mesh.child("vertices");
    for (io::XmlNode in = vertices.child("input"); in.exists(); in = in.next("input"))
        if (in.attribute("semantic") == semantic) return documents.find(in, in.attribute("source"));
    return {};
}

std::uint64_t parts_of(io::XmlNode geometry)
{
    std::uint64_t count = 0;
    for (const io::XmlNode child : find_mesh(geometry)) {
        ++count;
        if (!is_primitive(child) && !child.is("vertices")) continue;
        for (io::XmlNode part = child.first_child(); part.exists(); part = part.next_sibling())
            ++count;
    }
    return count;
}

Symbols symbols_of(io::XmlNode geometry)
{
    Symbols symbols;
    for (const io::XmlNode child : find_mesh(geometry))
        if (is_primitive(child)) symbols.add(child.attribute("material"));
    return symbols;
}

} // namespace vitrine::dae
