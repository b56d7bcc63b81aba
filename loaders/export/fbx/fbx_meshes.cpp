#include "loaders/export/fbx/fbx_objects.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

// The same sixteen numbers in order: rows for row vectors equal columns for column vectors.
std::vector<double> numbers(const glm::mat4& matrix)
{
    std::vector<double> out;
    for (glm::length_t c = 0; c < 4; ++c)
        for (glm::length_t r = 0; r < 4; ++r)
            out.push_back(double{matrix[c][r]});
    return out;
}

template <class T>
void append(std::vector<double>& to, const T& v)
{
    for (glm::length_t c = 0; c < T::length(); ++c)
        to.push_back(double{v[c]});
}

// Blender's importer rejects a layer without a name.
FbxElement& add_layer(FbxElement& geometry, std::string kind, std::string name, std::string mapping,
                      std::string reference)
{
    FbxElement& layer = geometry.add(std::move(kind), {std::int32_t{0}});
    layer.add("Version", {std::int32_t{101}});
    layer.add("Name", {std::move(name)});
    layer.add("MappingInformationType", {std::move(mapping)});
    layer.add("ReferenceInformationType", {std::move(reference)});
    return layer;
}

struct JointInfluences { // of one joint
    std::vector<std::int32_t> vertices;
    std::vector<double> weights;
};

class MeshWriter {
public:
    MeshWriter(const scene::Scene& scene, FbxIds& ids, FbxObjects& objects)
        : scene_(scene), ids_(ids), objects_(objects)
    {
    }

    void write_geometry(std::uint32_t node);

private:
    void write_corners(const scene::Mesh& mesh, FbxElement& geometry);
    void write_skin(std::uint32_t node, std::int64_t geometry);
    void write_cluster(const scene::Skin& skin, std::uint32_t joint, JointInfluences weights,
                       std::int64_t deformer);
    void write_morphs(std::uint32_t node, std::int64_t geometry);

    const scene::Scene& scene_;
    FbxIds& ids_;
    FbxObjects& objects_;
};

// Each primitive has a material index of its own, so that the order of triangles is kept.
void MeshWriter::write_corners(const scene::Mesh& mesh, FbxElement& geometry)
{
    std::vector<std::int32_t> corners, indices, materials;
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
        const scene::Primitive& primitive = mesh.primitives[p];
        const std::uint32_t size = primitive.topology == scene::Topology::triangles ? 3
                                   : primitive.topology == scene::Topology::lines   ? 2
                                                                                    : 1;
        for (std::uint32_t i = 0; i < primitive.count; ++i) {
            const auto vertex = static_cast<std::int32_t>(mesh.indices[primitive.first + i]);
            const bool ends = i % size == size - 1;
            corners.push_back(ends ? ~vertex : vertex);
            indices.push_back(vertex);
            if (ends) materials.push_back(static_cast<std::int32_t>(p));
        }
    }
    geometry.add("PolygonVertexIndex", {std::move(corners)});
    geometry.add("GeometryVersion", {std::int32_t{124}});
    add_layer(geometry, "LayerElementMaterial", "", "ByPolygon", "IndexToDirect")
        .add("Materials", {std::move(materials)});
    if (mesh.uv0.empty()) return;
    std::vector<double> uv;
    for (const glm::vec2& at : mesh.uv0)
        append(uv, glm::vec2(at.x, 1.0f - at.y));
    FbxElement& layer = add_layer(geometry, "LayerElementUV", "map1", "ByPolygonVertex", "IndexToDirect");
    layer.add("UV", {std::move(uv)});
    layer.add("UVIndex", {std::move(indices)});
}

void MeshWriter::write_geometry(std::uint32_t node)
{
    const scene::Mesh& mesh = scene_.meshes[scene_.nodes[node].mesh];
    std::vector<double> positions, normals;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        append(positions, mesh.positions[v]);
        append(normals, mesh.normals[v]);
    }
    std::int64_t id = 0;
    FbxElement& geometry = objects_.add("Geometry", "Geometry::" + mesh.name, "Mesh", id);
    geometry.add("Vertices", {std::move(positions)});
    write_corners(mesh, geometry);
    add_layer(geometry, "LayerElementNormal", "", "ByVertice", "Direct").add("Normals", {std::move(normals)});
    FbxElement& layers = geometry.add("Layer", {std::int32_t{0}});
    layers.add("Version", {std::int32_t{100}});
    for (const char* type : {"LayerElementNormal", "LayerElementMaterial", "LayerElementUV"}) {
        if (mesh.uv0.empty() && std::string_view(type) == "LayerElementUV") continue;
        FbxElement& entry = layers.add("LayerElement");
        entry.add("Type", {std::string(type)});
        entry.add("TypedIndex", {std::int32_t{0}});
    }
    objects_.connect(id, ids_.models[node]);
    for (const scene::Primitive& primitive : mesh.primitives)
        if (primitive.material != none)
            objects_.connect(ids_.materials[primitive.material], ids_.models[node]);
    write_morphs(node, id);
    if (scene_.nodes[node].skin != none && !mesh.influences.first.empty()) write_skin(node, id);
}

void MeshWriter::write_cluster(const scene::Skin& skin, std::uint32_t joint, JointInfluences weights,
                               std::int64_t deformer)
{
    std::int64_t id = 0;
    FbxElement& cluster =
        objects_.add("Deformer", "SubDeformer::" + scene_.nodes[skin.joints[joint]].name, "Cluster", id);
    cluster.add("Version", {std::int32_t{100}});
    cluster.add("Indexes", {std::move(weights.vertices)});
    cluster.add("Weights", {std::move(weights.weights)});
    cluster.add("Transform", {numbers(skin.inverse_bind[joint])});
    cluster.add("TransformLink", {numbers(glm::inverse(skin.inverse_bind[joint]))});
    objects_.connect(id, deformer);
    objects_.connect(ids_.models[skin.joints[joint]], id);
}

void MeshWriter::write_skin(std::uint32_t node, std::int64_t geometry)
{
    const scene::Skin& skin = scene_.skins[scene_.nodes[node].skin];
    const scene::Influences& influences = scene_.meshes[scene_.nodes[node].mesh].influences;
    std::int64_t id = 0;
    FbxElement& deformer = objects_.add("Deformer", "Deformer::" + skin.name, "Skin", id);
    deformer.add("Version", {std::int32_t{101}});
    deformer.add(
        "SkinningType",
        {std::string(skin.method == scene::SkinningMethod::dual_quaternion ? "DualQuaternion" : "Linear")});
    objects_.connect(id, geometry);
    std::vector<JointInfluences> by_joint(skin.joints.size());
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v) {
        for (std::uint32_t i = influences.first[v]; i < influences.first[v + 1]; ++i) {
            by_joint[influences.joints[i]].vertices.push_back(static_cast<std::int32_t>(v));
            by_joint[influences.joints[i]].weights.push_back(double{influences.weights[i]});
        }
    }
    for (std::uint32_t joint = 0; joint < skin.joints.size(); ++joint)
        write_cluster(skin, joint, std::move(by_joint[joint]), id);
}

void MeshWriter::write_morphs(std::uint32_t node, std::int64_t geometry)
{
    const scene::Mesh& mesh = scene_.meshes[scene_.nodes[node].mesh];
    if (mesh.morph_targets.empty()) return;
    std::int64_t blend_shape = 0;
    objects_.add("Deformer", "Deformer::" + mesh.name, "BlendShape", blend_shape)
        .add("Version", {std::int32_t{100}});
    objects_.connect(blend_shape, geometry);
    const auto& own = scene_.nodes[node].morph_weights;
    for (std::size_t t = 0; t < mesh.morph_targets.size(); ++t) {
        const scene::MorphTarget& target = mesh.morph_targets[t];
        std::int64_t channel = 0, shape = 0;
        const double percent = 100.0 * double{own.empty() ? mesh.morph_weights[t] : own[t]};
        FbxElement& sub =
            objects_.add("Deformer", "SubDeformer::" + target.name, "BlendShapeChannel", channel);
        sub.add("DeformPercent", {percent});
        sub.add("FullWeights", {std::vector<double>{100.0}});
        sub.add("Properties70").property("DeformPercent", "Number", "", "A", {percent});
        FbxElement& element = objects_.add("Geometry", "Geometry::" + target.name, "Shape", shape);
        std::vector<double> positions, normals;
        for (const glm::vec3& delta : target.position_deltas)
            append(positions, delta);
        for (const glm::vec3& delta : target.normal_deltas)
            append(normals, delta);
        element.add("Indexes", {std::vector<std::int32_t>(target.vertices.begin(), target.vertices.end())});
        element.add("Vertices", {std::move(positions)});
        if (!normals.empty()) element.add("Normals", {std::move(normals)});
        objects_.connect(channel, blend_shape);
        objects_.connect(shape, channel);
        ids_.channels[node].push_back(channel);
    }
}

} // namespace

void write_fbx_meshes(const scene::Scene& scene, FbxIds& ids, FbxObjects& objects)
{
    ids.channels.resize(scene.nodes.size());
    MeshWriter writer(scene, ids, objects);
    for (std::uint32_t node = 0; node < scene.nodes.size(); ++node)
        if (scene.nodes[node].mesh != none) writer.write_geometry(node);
}

} // namespace vitrine::exporting
