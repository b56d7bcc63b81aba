#pragma once
// Shape keys as Blender writes them: weights are stored in the element DeformPercent, without a property.

#include <string>

#include "loaders/export/fbx/fbx_tree.hpp"

namespace vitrine::test {

// A triangle with channels at 30 percent ("smile") and 75 percent ("raise", with an in-between at 50).
inline std::string blender_shape_keys(exporting::FbxContainer container)
{
    using namespace std::string_literals;
    using exporting::FbxElement;
    using Doubles = std::vector<double>;
    using Ints = std::vector<std::int32_t>;
    FbxElement objects{.name = "Objects", .values = {}, .children = {}};
    FbxElement connections{.name = "Connections", .values = {}, .children = {}};
    const auto add = [&](std::string kind, std::int64_t id, std::string name, std::string type,
                         std::int64_t parent) -> FbxElement& {
        connections.add("C", {"OO"s, id, parent});
        return objects.add(std::move(kind), {id, std::move(name), std::move(type)});
    };
    const auto add_channel = [&](std::int64_t id, const std::string& name, double percent, Doubles full) {
        FbxElement& channel = add("Deformer", id, "SubDeformer::" + name, "BlendShapeChannel", 3);
        channel.add("DeformPercent", {percent});
        channel.add("FullWeights", {std::move(full)});
    };
    const auto add_shape = [&](std::int64_t id, std::int64_t channel, double height) {
        FbxElement& shape = add("Geometry", id, "Geometry::s", "Shape", channel);
        shape.add("Indexes", {Ints{1}});
        shape.add("Vertices", {Doubles{0.0, 0.0, height}});
    };
    add("Model", 1, "Model::m", "Mesh", 0);
    FbxElement& mesh = add("Geometry", 2, "Geometry::g", "Mesh", 1);
    mesh.add("Vertices", {Doubles{0, 0, 0, 1, 0, 0, 0, 1, 0}});
    mesh.add("PolygonVertexIndex", {Ints{0, 1, -3}});
    add("Deformer", 3, "Deformer::b", "BlendShape", 2);
    add_channel(4, "smile", 30.0, {100.0});
    add_shape(5, 4, 1.0);
    add_channel(6, "raise", 75.0, {50.0, 100.0});
    add_shape(7, 6, 2.0);
    add_shape(8, 6, 3.0);
    const FbxElement root{.name = {}, .values = {}, .children = {std::move(objects), std::move(connections)}};
    const auto bytes = exporting::write_fbx_tree(root, container);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace vitrine::test
