#include "loaders/export/fbx/fbx_writer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/srgb.hpp"
#include "loaders/export/fbx/fbx_animation.hpp"
#include "loaders/export/png/png.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::exporting {
namespace {

using scene::none;

std::vector<FbxValue> numbers(const glm::dvec3& v)
{
    return {v.x, v.y, v.z};
}

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

double to_srgb(float linear)
{
    return scene::srgb_from_linear(std::clamp(double{linear}, 0.0, 1.0));
}

glm::dvec3 to_srgb(const glm::vec3& linear)
{
    return {to_srgb(linear.x), to_srgb(linear.y), to_srgb(linear.z)};
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

struct Weights { // of one joint
    std::vector<std::int32_t> vertices;
    std::vector<double> weights;
};

class Writer {
public:
    explicit Writer(const scene::Scene& scene) : scene_(scene) {}
    FbxElement run();

private:
    void write_header(FbxElement& root);
    void write_nodes();
    void write_materials();
    std::int64_t write_texture(const scene::Texture& texture, std::string_view name);
    void write_geometry(std::uint32_t node);
    void write_corners(const scene::Mesh& mesh, FbxElement& geometry);
    void write_skin(std::uint32_t node, std::int64_t geometry);
    void write_cluster(const scene::Skin& skin, std::uint32_t joint, Weights weights, std::int64_t deformer);
    void write_morphs(std::uint32_t node, std::int64_t geometry);

    const scene::Scene& scene_;
    FbxObjects objects_;
    std::vector<std::int64_t> models_, materials_;
    std::vector<std::vector<std::int64_t>> channels_; // by node
};

void Writer::write_header(FbxElement& root)
{
    FbxElement& header = root.add("FBXHeaderExtension");
    header.add("FBXHeaderVersion", {std::int32_t{1003}});
    header.add("FBXVersion", {std::int32_t{7400}});
    header.add("Creator", {std::string("Vitrine")});
    // Autodesk's programs check these values against each other and against the footer.
    constexpr std::string_view id("\x28\xb3\x2a\xeb\xb6\x24\xcc\xc2\xbf\xc8\xb0\x2a\xa9\x2b\xfc\xf1", 16);
    root.add("FileId", {FbxRaw{to_bytes(id)}});
    root.add("CreationTime", {std::string("1970-01-01 10:00:00:000")});
    root.add("Creator", {std::string("Vitrine")});
    FbxElement& settings = root.add("GlobalSettings");
    settings.add("Version", {std::int32_t{1000}});
    FbxElement& p = settings.add("Properties70");
    const auto whole = [&](std::string_view name, std::int32_t value) {
        p.property(name, "int", "Integer", "", {value});
    };
    whole("UpAxis", 1), whole("UpAxisSign", 1);
    whole("FrontAxis", 2), whole("FrontAxisSign", 1);
    whole("CoordAxis", 0), whole("CoordAxisSign", 1);
    p.property("UnitScaleFactor", "double", "Number", "", {100.0}); // centimeters
    p.property("TimeMode", "enum", "", "", {std::int32_t{14}});     // custom
    const double rate = scene_.clips.empty() ? 0.0 : scene_.clips.front().frame_rate;
    p.property("CustomFrameRate", "double", "Number", "", {rate > 0.0 ? rate : 30.0});
}

void Writer::write_nodes()
{
    std::vector<bool> is_joint(scene_.nodes.size(), false);
    for (const scene::Skin& skin : scene_.skins)
        for (const std::uint32_t joint : skin.joints)
            is_joint[joint] = true;
    for (std::uint32_t n = 0; n < scene_.nodes.size(); ++n) {
        const scene::Node& node = scene_.nodes[n];
        const char* type = node.mesh != none ? "Mesh" : is_joint[n] ? "LimbNode" : "Null";
        std::int64_t id = 0;
        FbxElement& model = objects_.add("Model", "Model::" + node.name, type, id);
        model.add("Version", {std::int32_t{232}});
        const scene::Trs local = node.matrix ? scene::decompose(*node.matrix) : node.local;
        FbxElement& p = model.add("Properties70");
        p.property("InheritType", "enum", "", "", {std::int32_t{1}});
        p.property("Lcl Translation", "Lcl Translation", "", "A", numbers(glm::dvec3(local.translation)));
        p.property("Lcl Rotation", "Lcl Rotation", "", "A", numbers(fbx_euler(local.rotation)));
        p.property("Lcl Scaling", "Lcl Scaling", "", "A", numbers(glm::dvec3(local.scale)));
        if (!node.visible) p.property("Visibility", "Visibility", "", "A", {0.0});
        p.property("Visibility Inheritance", "Visibility Inheritance", "", "", {std::int32_t{0}});
        objects_.connect(id, node.parent == none ? 0 : models_[node.parent]);
        models_.push_back(id);
    }
}

// Embeds the image in the file.
std::int64_t Writer::write_texture(const scene::Texture& texture, std::string_view name)
{
    std::int64_t id = 0, video = 0;
    const scene::Image& image = scene_.images[texture.image];
    const std::string file =
        (image.name.empty() ? fmt::format("picture{}", texture.image) : image.name) + ".png";
    FbxElement& element = objects_.add("Texture", fmt::format("Texture::{}", name), "", id);
    element.add("Type", {std::string("TextureVideoClip")});
    element.add("FileName", {file});
    element.add("RelativeFilename", {file});
    FbxElement& p = element.add("Properties70");
    p.property("WrapModeU", "enum", "", "", {std::int32_t{texture.wrap_s == scene::Wrap::clamp}});
    p.property("WrapModeV", "enum", "", "", {std::int32_t{texture.wrap_t == scene::Wrap::clamp}});
    FbxElement& clip = objects_.add("Video", fmt::format("Video::{}", name), "Clip", video);
    clip.add("Type", {std::string("Clip")});
    clip.add("Filename", {file});
    clip.add("RelativeFilename", {file});
    clip.add("Content", {FbxRaw{write_png(image)}});
    objects_.connect(video, id);
    return id;
}

void Writer::write_materials()
{
    for (const scene::Material& material : scene_.materials) {
        std::int64_t id = 0;
        FbxElement& element = objects_.add("Material", "Material::" + material.name, "", id);
        element.add("Version", {std::int32_t{102}});
        element.add("ShadingModel", {std::string("phong")});
        FbxElement& p = element.add("Properties70");
        p.property("DiffuseColor", "Color", "", "A", numbers(to_srgb(glm::vec3(material.base_color))));
        p.property("EmissiveColor", "Color", "", "A", numbers(to_srgb(material.emissive)));
        p.property("Opacity", "double", "Number", "", {double{material.base_color.w}});
        p.property("TransparencyFactor", "Number", "", "A", {1.0 - double{material.base_color.w}});
        p.property("ShininessExponent", "Number", "", "A",
                   {std::pow(10.0 * (1.0 - double{material.roughness}), 2.0)});
        p.property("Vitrine|metallic", "double", "Number", "A", {double{material.metallic}});
        p.property("Vitrine|roughness", "double", "Number", "A", {double{material.roughness}});
        const auto connect = [&](const scene::Texture& texture, std::string_view property) -> std::int64_t {
            if (texture.image == none || scene_.images[texture.image].pixels.empty()) return 0;
            const auto written = write_texture(texture, property);
            objects_.connect(written, id, property);
            return written;
        };
        const auto base = connect(material.base_color_texture, "DiffuseColor");
        if (base != 0 && material.alpha_mode != scene::AlphaMode::opaque)
            objects_.connect(base, id, "TransparentColor");
        connect(material.normal_texture, "NormalMap");
        connect(material.emissive_texture, "EmissiveColor");
        materials_.push_back(id);
    }
}

// Each primitive has a material index of its own, so that the order of triangles is kept.
void Writer::write_corners(const scene::Mesh& mesh, FbxElement& geometry)
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

void Writer::write_geometry(std::uint32_t node)
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
    objects_.connect(id, models_[node]);
    for (const scene::Primitive& primitive : mesh.primitives)
        if (primitive.material != none) objects_.connect(materials_[primitive.material], models_[node]);
    write_morphs(node, id);
    if (scene_.nodes[node].skin != none && !mesh.influences.first.empty()) write_skin(node, id);
}

void Writer::write_cluster(const scene::Skin& skin, std::uint32_t joint, Weights weights,
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
    objects_.connect(models_[skin.joints[joint]], id);
}

void Writer::write_skin(std::uint32_t node, std::int64_t geometry)
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
    std::vector<Weights> by_joint(skin.joints.size());
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v) {
        for (std::uint32_t i = influences.first[v]; i < influences.first[v + 1]; ++i) {
            by_joint[influences.joints[i]].vertices.push_back(static_cast<std::int32_t>(v));
            by_joint[influences.joints[i]].weights.push_back(double{influences.weights[i]});
        }
    }
    for (std::uint32_t joint = 0; joint < skin.joints.size(); ++joint)
        write_cluster(skin, joint, std::move(by_joint[joint]), id);
}

void Writer::write_morphs(std::uint32_t node, std::int64_t geometry)
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
        channels_[node].push_back(channel);
    }
}

FbxElement Writer::run()
{
    FbxElement root;
    write_header(root);
    channels_.resize(scene_.nodes.size());
    write_nodes();
    write_materials();
    for (std::uint32_t node = 0; node < scene_.nodes.size(); ++node)
        if (scene_.nodes[node].mesh != none) write_geometry(node);
    write_fbx_clips(scene_, models_, channels_, objects_);
    objects_.finish(root);
    return root;
}

} // namespace

std::vector<NamedFile> write_fbx(const scene::Scene& scene, const std::string& stem, FbxContainer container)
{
    return {{stem + ".fbx", write_fbx_tree(Writer(scene).run(), container)}};
}

} // namespace vitrine::exporting
