// The peers of script/bench-peers. Each is measured as is, and, if its result lacks parts of Vitrine's Scene,
// once more with these parts computed by its own functions.

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#ifdef VITRINE_HAS_FAST_OBJ
#include <fast_obj.h>
#endif
#ifdef VITRINE_HAS_CGLTF
#include <cgltf.h>
#endif
#ifdef VITRINE_HAS_UFBX
#include <ufbx.h>
#endif

#include "tests/bench/loaders/readers.hpp"

namespace vitrine::bench {
namespace {

namespace fs = std::filesystem;

#ifdef VITRINE_HAS_FAST_OBJ
// Corners remain three indices: vertices are not joined, polygons not triangulated, normals not generated.
Read read_fast_obj(const fs::path& path)
{
    Read read;
    fastObjMesh* mesh = fast_obj_read(path.c_str());
    if (mesh == nullptr) return read;
    for (unsigned i = 0; i < mesh->face_count; ++i)
        if (mesh->face_vertices[i] > 2) read.triangles += mesh->face_vertices[i] - 2;
    fast_obj_destroy(mesh);
    return read;
}
#endif

#ifdef VITRINE_HAS_CGLTF
using GltfData = std::unique_ptr<cgltf_data, decltype([](cgltf_data* data) { cgltf_free(data); })>;

// Parses the document, loads its buffers and checks their ranges; numbers are not converted.
GltfData parse_gltf(const fs::path& path)
{
    const cgltf_options options{};
    cgltf_data* data = nullptr;
    if (cgltf_parse_file(&options, path.c_str(), &data) != cgltf_result_success) return {};
    GltfData owner(data);
    if (cgltf_load_buffers(&options, data, path.c_str()) != cgltf_result_success) return {};
    return cgltf_validate(data) == cgltf_result_success ? std::move(owner) : GltfData{};
}

template <class Visit>
void each_primitive(const cgltf_data& data, Visit visit)
{
    for (std::size_t m = 0; m < data.meshes_count; ++m)
        for (std::size_t p = 0; p < data.meshes[m].primitives_count; ++p)
            visit(data.meshes[m].primitives[p]);
}

std::uint64_t triangles_of(const cgltf_primitive& primitive)
{
    if (primitive.type != cgltf_primitive_type_triangles) return 0;
    if (primitive.indices != nullptr) return primitive.indices->count / 3;
    return primitive.attributes_count > 0 ? primitive.attributes[0].data->count / 3 : 0;
}

Read read_cgltf(const fs::path& path)
{
    Read read;
    const auto data = parse_gltf(path);
    if (data != nullptr)
        each_primitive(*data,
                       [&](const cgltf_primitive& primitive) { read.triangles += triangles_of(primitive); });
    return read;
}

// As contiguous 32-bit integers, which a program would copy.
std::vector<std::uint32_t> indices_of(const cgltf_accessor& accessor)
{
    std::vector<std::uint32_t> indices(accessor.count);
    const cgltf_buffer_view* view = accessor.buffer_view;
    if (accessor.component_type == cgltf_component_type_r_32u && !accessor.is_sparse && view != nullptr &&
        accessor.stride == sizeof(std::uint32_t)) {
        const auto* bytes =
            static_cast<const std::byte*>(view->buffer->data) + view->offset + accessor.offset;
        std::memcpy(indices.data(), bytes, indices.size() * sizeof(std::uint32_t));
        return indices;
    }
    for (std::size_t i = 0; i < indices.size(); ++i)
        indices[i] = static_cast<std::uint32_t>(cgltf_accessor_read_index(&accessor, i));
    return indices;
}

// Every attribute as an array of floats and every index as 32 bits, all in memory together, as in a Scene.
Read read_cgltf_arrays(const fs::path& path)
{
    Read read;
    const auto data = parse_gltf(path);
    if (data == nullptr) return read;
    std::vector<std::vector<float>> attributes;
    std::vector<std::vector<std::uint32_t>> indices;
    each_primitive(*data, [&](const cgltf_primitive& primitive) {
        for (std::size_t a = 0; a < primitive.attributes_count; ++a) {
            const auto& accessor = *primitive.attributes[a].data;
            auto& floats = attributes.emplace_back(accessor.count * cgltf_num_components(accessor.type));
            cgltf_accessor_unpack_floats(&accessor, floats.data(), floats.size());
        }
        if (primitive.indices != nullptr) indices.push_back(indices_of(*primitive.indices));
        read.triangles += triangles_of(primitive);
    });
    return read;
}
#endif

#ifdef VITRINE_HAS_UFBX
using UfbxScene = std::unique_ptr<ufbx_scene, decltype([](ufbx_scene* scene) { ufbx_free_scene(scene); })>;

// Doubles and one index per corner: polygons are not triangulated, vertices not joined.
Read read_ufbx(const fs::path& path)
{
    Read read;
    const UfbxScene scene(ufbx_load_file(path.c_str(), nullptr, nullptr));
    for (std::size_t i = 0; scene != nullptr && i < scene->meshes.count; ++i)
        read.triangles += scene->meshes.data[i]->num_triangles;
    return read;
}

struct FloatVertex {
    std::array<float, 3> position, normal;
    std::array<float, 2> uv;
};

FloatVertex vertex_of(const ufbx_mesh& mesh, std::uint32_t corner)
{
    const auto position = ufbx_get_vertex_vec3(&mesh.vertex_position, corner);
    const auto normal = ufbx_get_vertex_vec3(&mesh.vertex_normal, corner);
    const auto uv = mesh.vertex_uv.exists ? ufbx_get_vertex_vec2(&mesh.vertex_uv, corner) : ufbx_vec2{};
    const auto narrow = [](double value) { return static_cast<float>(value); };
    return {{narrow(position.x), narrow(position.y), narrow(position.z)},
            {narrow(normal.x), narrow(normal.y), narrow(normal.z)},
            {narrow(uv.x), narrow(uv.y)}};
}

struct JoinedMesh {
    std::vector<FloatVertex> vertices;
    std::vector<std::uint32_t> indices;
};

JoinedMesh join(const ufbx_mesh& mesh)
{
    JoinedMesh joined;
    joined.vertices.reserve(mesh.num_triangles * 3);
    std::vector<std::uint32_t> corners(mesh.max_face_triangles * 3);
    for (std::size_t f = 0; f < mesh.num_faces; ++f) {
        const auto count =
            ufbx_triangulate_face(corners.data(), corners.size(), &mesh, mesh.faces.data[f]) * 3;
        for (std::size_t c = 0; c < count; ++c)
            joined.vertices.push_back(vertex_of(mesh, corners[c]));
    }
    joined.indices.resize(joined.vertices.size());
    const ufbx_vertex_stream stream{joined.vertices.data(), joined.vertices.size(), sizeof(FloatVertex)};
    const auto count =
        ufbx_generate_indices(&stream, 1, joined.indices.data(), joined.indices.size(), nullptr, nullptr);
    joined.vertices.resize(count);
    return joined;
}

// Generates missing normals, triangulates polygons, and joins corners to float vertices, as in a Scene.
Read read_ufbx_joined(const fs::path& path)
{
    Read read;
    ufbx_load_opts options{};
    options.generate_missing_normals = true;
    const UfbxScene scene(ufbx_load_file(path.c_str(), &options, nullptr));
    std::vector<JoinedMesh> meshes;
    for (std::size_t i = 0; scene != nullptr && i < scene->meshes.count; ++i) {
        meshes.push_back(join(*scene->meshes.data[i]));
        read.triangles += meshes.back().indices.size() / 3;
    }
    return read;
}
#endif

} // namespace

std::span<const Reader> source_peers()
{
    static const std::vector<Reader> table{
#ifdef VITRINE_HAS_FAST_OBJ
        {"fast_obj", ".obj", read_fast_obj, 5},
#endif
#ifdef VITRINE_HAS_CGLTF
        {"cgltf alone", ".glb .gltf", read_cgltf, 5}, {"cgltf, arrays", ".glb .gltf", read_cgltf_arrays, 5},
#endif
#ifdef VITRINE_HAS_UFBX
        {"ufbx alone", ".fbx .obj", read_ufbx, 5},    {"ufbx, joined", ".fbx .obj", read_ufbx_joined, 5},
#endif
    };
    return table;
}

} // namespace vitrine::bench
