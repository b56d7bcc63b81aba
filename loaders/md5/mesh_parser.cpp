#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/md5/md5_text.hpp"
#include "loaders/md5/parser.hpp"

namespace vitrine::md5 {
namespace {

class MeshParser : Parser {
public:
    using Parser::Parser;

    LoadResult<Md5Model> parse()
    {
        read_statements([this] { read_statement(); });
        if (!in_.failed()) check_joints();
        for (const Md5Mesh& mesh : model_.meshes)
            check_weights(mesh);
        if (in_.failed()) return std::unexpected(in_.error());
        if (model_.joints.empty() && model_.meshes.empty()) {
            return fail(LoadErrc::empty, "", "the file has no joint and no mesh");
        }
        return std::move(model_);
    }

private:
    void read_statement();
    void read_joints();
    void read_mesh();
    void read_mesh_item(Md5Mesh& mesh);
    void read_vertex(Md5Mesh& mesh);
    float read_uv();
    void read_triangle(Md5Mesh& mesh);
    void read_weight(Md5Mesh& mesh);
    void check_joints();
    void check_mesh(const Md5Mesh& mesh);
    void check_weights(const Md5Mesh& mesh);
    template <class T>
    void announce(IndexedList& slots, std::vector<T>& list, std::uint64_t limit, std::uint64_t used,
                  std::string_view limit_name, std::uint64_t min_bytes);
    void reject(std::uint32_t line, std::string detail)
    {
        in_.fail_at(line, LoadErrc::out_of_range, std::move(detail));
    }

    Md5Model model_;
    std::uint64_t vertices_ = 0, triangles_ = 0, weights_ = 0; // of the meshes read so far
    std::optional<DeclaredCount> declared_joints_, declared_meshes_;
    IndexedList vertex_slots_, triangle_slots_, weight_slots_; // of the current mesh
};

void MeshParser::read_statement()
{
    if (in_.accept("commandline")) {
        in_.string("the command line");
    } else if (in_.accept("numJoints")) {
        declared_joints_ = read_declared_count(in_, "numJoints");
    } else if (in_.accept("numMeshes")) {
        declared_meshes_ = read_declared_count(in_, "numMeshes");
    } else if (in_.accept("joints")) {
        read_joints();
    } else if (in_.accept("mesh")) {
        read_mesh();
    } else {
        skip_unknown(in_, warnings_);
    }
}

void MeshParser::read_joints()
{
    read_joint_block(model_.joints, "the joints are given twice", [this](Md5Joint& joint) {
        joint.model.translation = read_vec3(in_, "the position of a joint");
        joint.model.rotation = restore_w(read_vec3(in_, "the orientation of a joint"));
    });
    check_declared_count(declared_joints_, "numJoints", model_.joints.size(), warnings_);
}

void MeshParser::read_mesh()
{
    if (model_.meshes.size() >= limits_.meshes) {
        return in_.fail(LoadErrc::limit_exceeded, io::limit_message("", "meshes", limits_.meshes));
    }
    in_.expect("{");
    Md5Mesh mesh;
    constexpr std::string_view name_marker = " meshes: ";
    if (in_.comment().starts_with(name_marker))
        mesh.name = io::to_utf8(in_.comment().substr(name_marker.size()));
    while (!mesh.name.empty() && mesh.name.back() == ' ')
        mesh.name.pop_back();
    vertex_slots_ = IndexedList("numverts", "vert", "the number of a vert");
    triangle_slots_ = IndexedList("numtris", "tri", "the number of a tri");
    weight_slots_ = IndexedList("numweights", "weight", "the number of a weight");
    while (!in_.failed() && !in_.accept("}")) {
        if (in_.at_end()) return in_.fail(LoadErrc::truncated, "the file ends inside a mesh");
        read_mesh_item(mesh);
    }
    check_mesh(mesh);
    vertices_ += mesh.vertices.size();
    triangles_ += mesh.triangles.size();
    weights_ += mesh.weights.size();
    model_.meshes.push_back(std::move(mesh));
}

void MeshParser::read_mesh_item(Md5Mesh& mesh)
{
    if (in_.accept("vert")) {
        read_vertex(mesh);
    } else if (in_.accept("tri")) {
        read_triangle(mesh);
    } else if (in_.accept("weight")) {
        read_weight(mesh);
    } else if (in_.accept("shader")) {
        mesh.shader = io::to_utf8(in_.string("the name of a shader"));
    } else if (in_.accept("numverts")) {
        announce(vertex_slots_, mesh.vertices, limits_.vertices, vertices_, "vertices", 12);
    } else if (in_.accept("numtris")) {
        announce(triangle_slots_, mesh.triangles, limits_.indices / 3, triangles_,
                 fmt::format("indices = {}, in triangles", limits_.indices), 10);
    } else if (in_.accept("numweights")) {
        announce(weight_slots_, mesh.weights, limits_.influences, weights_, "influences", 16);
    } else {
        skip_unknown(in_, warnings_);
    }
}

template <class T>
void MeshParser::announce(IndexedList& slots, std::vector<T>& list, std::uint64_t limit, std::uint64_t used,
                          std::string_view limit_name, std::uint64_t min_bytes)
{
    if (!slots.announce(in_)) return;
    list.resize(read_count(in_, slots.count_word(), limit, used, limit_name, min_bytes));
    slots.resize(list.size());
}

void MeshParser::read_vertex(Md5Mesh& mesh)
{
    Md5Vertex vertex;
    vertex.line = in_.peek().line;
    std::optional<std::uint32_t> slot;
    if (std::array<double, 5> n; in_.take_pattern("i(nn)ii", n.data())) {
        slot = vertex_slots_.take(in_, static_cast<std::uint64_t>(n[0]), vertex.line);
        vertex.uv = glm::vec2(n[1], n[2]);
        vertex.first_weight = static_cast<std::uint32_t>(n[3]);
        vertex.weight_count = static_cast<std::uint32_t>(n[4]);
    } else {
        slot = vertex_slots_.read(in_);
        in_.expect("(");
        vertex.uv.x = read_uv();
        vertex.uv.y = read_uv();
        in_.expect(")");
        vertex.first_weight = read_index(in_, "the first weight of a vertex");
        vertex.weight_count = read_index(in_, "the weight count of a vertex");
    }
    if (slot && !in_.failed()) mesh.vertices[*slot] = vertex;
}

// Some exporters write the result of a division by zero ("nan", "-1.#IND00") although the geometry is valid.
float MeshParser::read_uv()
{
    const io::Token& token = in_.peek();
    const std::string word = token.kind == io::Token::Kind::word ? ascii::lower(std::string(token.text)) : "";
    if (!word.contains("nan") && !word.contains("inf") && !word.contains('#'))
        return static_cast<float>(in_.number("a texture coordinate", max_file_coordinate));
    if (warnings_.accepts("md5_texture_coordinate"))
        warnings_.store(
            "md5_texture_coordinate",
            fmt::format("the texture coordinate {} is not a number; it is read as 0", io::shown(token.text)),
            fmt::format("line {}", token.line));
    in_.next();
    return 0.0f;
}

void MeshParser::read_triangle(Md5Mesh& mesh)
{
    const std::uint32_t line = in_.peek().line;
    std::array<double, 4> n;
    const bool plain = in_.take_pattern("iiii", n.data());
    const auto slot =
        plain ? triangle_slots_.take(in_, static_cast<std::uint64_t>(n[0]), line) : triangle_slots_.read(in_);
    std::array<std::uint32_t, 3> corners{};
    for (std::size_t c = 0; c < corners.size(); ++c) {
        corners[c] = plain ? static_cast<std::uint32_t>(n[c + 1]) : read_index(in_, "a corner of a triangle");
        if (in_.failed() || corners[c] < mesh.vertices.size()) continue;
        // Vertices come first in all known files; otherwise this check would have to be deferred.
        return reject(line, fmt::format("tri uses vertex {} of a mesh with numverts {}", corners[c],
                                        mesh.vertices.size()));
    }
    if (slot && !in_.failed()) mesh.triangles[*slot] = corners;
}

void MeshParser::read_weight(Md5Mesh& mesh)
{
    Md5Weight weight;
    weight.line = in_.peek().line;
    std::optional<std::uint32_t> slot;
    if (std::array<double, 6> n; in_.take_pattern("iin(nnn)", n.data())) {
        slot = weight_slots_.take(in_, static_cast<std::uint64_t>(n[0]), weight.line);
        weight.joint = static_cast<std::uint32_t>(n[1]);
        weight.bias = n[2];
        weight.position = {n[3], n[4], n[5]};
    } else {
        slot = weight_slots_.read(in_);
        weight.joint = read_index(in_, "the joint of a weight");
        weight.bias = in_.number("the bias of a weight", 1e6);
        weight.position = read_vec3(in_, "the position of a weight");
    }
    if (slot && !in_.failed()) mesh.weights[*slot] = weight;
}

void MeshParser::check_mesh(const Md5Mesh& mesh)
{
    vertex_slots_.check_filled(in_);
    triangle_slots_.check_filled(in_);
    weight_slots_.check_filled(in_);
    if (in_.failed()) return;
    std::uint64_t influences = 0;
    for (const Md5Vertex& vertex : mesh.vertices) {
        if (vertex.weight_count == 0) continue;
        if (std::uint64_t{vertex.first_weight} + vertex.weight_count > mesh.weights.size()) {
            return reject(vertex.line,
                          fmt::format("the vertex uses weights {} to {} of a mesh with numweights {}",
                                      vertex.first_weight,
                                      std::uint64_t{vertex.first_weight} + vertex.weight_count - 1,
                                      mesh.weights.size()));
        }
        influences += vertex.weight_count;
        if (influences > limits_.influences) {
            return in_.fail_at(
                vertex.line, LoadErrc::limit_exceeded,
                io::limit_message("the weights of all vertices", "influences", limits_.influences));
        }
    }
}

void MeshParser::check_weights(const Md5Mesh& mesh)
{
    for (const Md5Weight& weight : mesh.weights) {
        if (weight.joint >= model_.joints.size()) {
            return reject(weight.line, fmt::format("the weight's joint {} does not exist ({} joints)",
                                                   weight.joint, model_.joints.size()));
        }
    }
}

void MeshParser::check_joints()
{
    for (std::size_t j = 0; j < model_.joints.size(); ++j) {
        const std::uint32_t parent = model_.joints[j].parent;
        if (parent == scene::none || parent < model_.joints.size()) continue;
        return reject(joint_lines_[j], fmt::format("the joint's parent {} does not exist ({} joints)", parent,
                                                   model_.joints.size()));
    }
    check_declared_count(declared_meshes_, "numMeshes", model_.meshes.size(), warnings_);
}

} // namespace

LoadResult<Md5Model> parse_mesh_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
{
    std::string storage;
    return MeshParser(io::as_text(bytes, storage), limits, warnings).parse();
}

} // namespace vitrine::md5
