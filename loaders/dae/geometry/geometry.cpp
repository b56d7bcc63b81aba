#include "loaders/dae/geometry/geometry.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/dae/geometry/primitives.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::dae {
namespace {

constexpr std::uint32_t max_offsets = 256;

// An <input>, also one inside <vertices>, with its offset in <p>.
struct Input {
    std::string_view semantic;
    io::XmlNode source;
    std::uint32_t offset = 0;
    std::optional<std::uint32_t> set;
};

std::optional<std::uint32_t> read_number(io::XmlNode node, std::string_view name)
{
    std::uint32_t value = 0;
    if (!NumberReader(node.attribute(name)).next(value)) return std::nullopt;
    return value;
}

// The inputs of <vertices>, of which a primitive uses few.
class VertexInputs {
public:
    VertexInputs(io::XmlNode vertices, Documents& documents)
    {
        for (io::XmlNode in = vertices.child("input"); in.exists(); in = in.next("input")) {
            const std::string_view semantic = in.attribute("semantic");
            const bool is_uv = semantic == "TEXCOORD" || semantic == "UV";
            const auto set = read_number(in, "set");
            const bool is_first = is_uv ? first_of_set_.try_emplace(set.value_or(0), inputs_.size()).second
                                        : named_.insert(semantic).second;
            const bool is_wanted = is_uv || semantic == "NORMAL" || semantic == "COLOR";
            const io::XmlNode source = documents.find(in, in.attribute("source"));
            const std::size_t uvs = is_uv ? uvs_++ : 0;
            if (!is_wanted || !(is_first || (is_uv && uvs < max_texture_sets))) continue;
            if (!is_uv || uvs < max_texture_sets) always_.push_back(inputs_.size());
            inputs_.push_back({semantic, source, 0, set});
        }
    }

    // Appends those that choose_uv() and find_input() may return, in order.
    void append_to(std::vector<Input>& list, std::uint32_t offset, const BoundMaterial& bound) const
    {
        std::vector<std::size_t> taken = always_;
        for (const auto& set : bound.sets)
            if (const auto found = set ? first_of_set_.find(*set) : first_of_set_.end();
                found != first_of_set_.end())
                taken.push_back(found->second);
        std::ranges::sort(taken);
        taken.erase(std::ranges::unique(taken).begin(), taken.end());
        for (const std::size_t i : taken) {
            list.push_back(inputs_[i]);
            list.back().offset = offset;
        }
    }

private:
    std::vector<Input> inputs_;
    std::vector<std::size_t> always_;                   // indices of inputs
    std::map<std::uint32_t, std::size_t> first_of_set_; // of texture coordinates
    std::set<std::string_view> named_;
    std::size_t uvs_ = 0;
};

class MeshBuilder {
public:
    MeshBuilder(io::XmlNode mesh, const MaterialBinding& binding, Documents& documents, Sources& sources,
                io::Budget& budget)
        : mesh_(mesh), symbols_(binding.symbols()), bound_(binding.by_symbol()), documents_(documents),
          sources_(sources), budget_(budget)
    {
    }

    LoadResult<BuiltMesh> run(VertexOrigins origins)
    {
        if (auto read = read_positions(); !read) return std::unexpected(read.error());
        PrimitiveReader reader(positions_);
        for (const io::XmlNode child : mesh_) {
            if (!is_primitive(child)) continue;
            if (auto added = add(child, reader); !added) return std::unexpected(added.error());
        }
        if (reader.dropped() > 0)
            documents_.warn("invalid_face",
                            fmt::format("{} faces or lines have no vertices or no count; they are ignored",
                                        reader.dropped()),
                            mesh_);
        if (reader.filled() > 0)
            documents_.warn(
                "invalid_hole",
                fmt::format("{} polygons have intersecting holes; the holes are ignored", reader.filled()),
                mesh_);
        if (reader.crossing() > 0)
            documents_.warn("crossing_polygon",
                            fmt::format("{} polygons have very many corners or intersect themselves; they "
                                        "are triangulated partly as fans",
                                        reader.crossing()),
                            mesh_);
        return reader.finish(position_source_, origins);
    }

private:
    LoadResult<void> read_positions()
    {
        const io::XmlNode source = vertex_source(mesh_, "POSITION", documents_);
        if (!source.exists()) {
            documents_.warn("no_positions", "a mesh has no positions", mesh_);
            return {};
        }
        auto floats = sources_.floats(source);
        if (!floats) return std::unexpected(floats.error());
        if (auto taken = documents_.at(source, budget_.take_vertices(floats->count(), {})); !taken)
            return taken;
        positions_ = floats->packed_vec3();
        position_source_ = *floats;
        if (!positions_.empty()) return {};
        copied_positions_.reserve(position_source_.count());
        for (std::uint32_t i = 0; i < position_source_.count(); ++i)
            copied_positions_.push_back(position_source_.vec3(i));
        positions_ = copied_positions_;
        return {};
    }

    // VERTEX represents all inputs of <vertices>. A second one may provide the second set of texture
    // coordinates; further ones are ignored.
    std::vector<Input> inputs_of(io::XmlNode primitive, const BoundMaterial& bound)
    {
        std::vector<Input> inputs;
        int expanded = 0;
        for (io::XmlNode at = primitive.child("input"); at.exists(); at = at.next("input")) {
            const std::uint32_t offset = read_number(at, "offset").value_or(0);
            const auto set = read_number(at, "set");
            if (at.attribute("semantic") != "VERTEX") {
                inputs.push_back(
                    {at.attribute("semantic"), documents_.find(at, at.attribute("source")), offset, set});
                continue;
            }
            inputs.push_back({"VERTEX", {}, offset, {}});
            if (!vertex_inputs_) vertex_inputs_.emplace(mesh_.child("vertices"), documents_);
            if (++expanded <= 2) vertex_inputs_->append_to(inputs, offset, bound);
        }
        return inputs;
    }

    // Returns the input for Texture::uv_set n: of the bound set, else the n-th. If the mesh lacks the
    // requested set, its first is used.
    static const Input* choose_uv(const std::vector<Input>& inputs, const BoundMaterial& bound, std::size_t n)
    {
        const std::optional<std::uint32_t> set = bound.sets[n];
        std::vector<const Input*> found;
        for (const Input& input : inputs) {
            if (input.semantic != "TEXCOORD" && input.semantic != "UV") continue;
            if (set && input.set.value_or(0) == *set) return &input;
            found.push_back(&input);
        }
        if (set || (n < bound.used_sets && n >= found.size())) n = 0;
        return n < found.size() ? found[n] : nullptr;
    }

    static const Input* find_input(const std::vector<Input>& inputs, std::string_view semantic)
    {
        const auto found = std::ranges::find(inputs, semantic, &Input::semantic);
        return found == inputs.end() ? nullptr : &*found;
    }

    LoadResult<void> use(const Input* input, FloatSource& source, std::uint32_t& place)
    {
        if (input == nullptr || !input->source.exists()) return {};
        auto floats = sources_.floats(input->source);
        if (!floats) return std::unexpected(floats.error());
        source = *floats;
        place = input->offset;
        return {};
    }

    LoadResult<void> add(io::XmlNode primitive, PrimitiveReader& reader)
    {
        const BoundMaterial& bound = bound_[symbols_.number_of(primitive.attribute("material"))];
        const std::vector<Input> inputs = inputs_of(primitive, bound);
        const Input* vertex = find_input(inputs, "VERTEX");
        CornerLayout layout;
        for (const Input& input : inputs)
            layout.stride = std::max(layout.stride, std::min(input.offset, max_offsets) + 1);
        if (vertex == nullptr || layout.stride > max_offsets) {
            documents_.warn("invalid_primitive", "a primitive has no usable inputs; it is ignored",
                            primitive);
            return {};
        }
        layout.position = vertex->offset;
        Attributes attributes;
        const Input* uv0 = choose_uv(inputs, bound, 0);
        for (auto used :
             {use(find_input(inputs, "NORMAL"), attributes.normal, layout.normal),
              use(uv0, attributes.uv0, layout.uv0),
              use(choose_uv(inputs, bound, 1), attributes.uv1, layout.uv1),
              use(find_input(inputs, "COLOR"), attributes.color, layout.color),
              use(bound.used_sets > 2 ? choose_uv(inputs, bound, 2) : nullptr, attributes.uv2, layout.uv2)})
            if (!used) return used;
        reader.begin(attributes, layout, bound.material);
        const std::uint64_t vertices = reader.vertices(), indices = reader.indices();
        read(primitive, reader);
        if (auto taken = documents_.at(primitive, budget_.take_vertices(reader.vertices() - vertices, {}));
            !taken)
            return taken;
        return documents_.at(primitive, budget_.take_indices(reader.indices() - indices, {}));
    }

    static void read(io::XmlNode primitive, PrimitiveReader& reader)
    {
        const std::string_view name = primitive.name();
        if (name == "polylist")
            return reader.polylist(primitive.child("vcount").text(), primitive.child("p").text());
        for (const io::XmlNode child : primitive) {
            if (child.is("ph")) {
                std::vector<std::string_view> holes;
                for (io::XmlNode hole = child.child("h"); hole.exists(); hole = hole.next("h"))
                    holes.push_back(hole.text());
                reader.polygon(child.child("p").text(), holes);
            }
            if (!child.is("p")) continue;
            if (name == "triangles") reader.triangles(child.text());
            if (name == "polygons") reader.polygon(child.text(), {});
            if (name == "tristrips") reader.strip(child.text());
            if (name == "trifans") reader.fan(child.text());
            if (name == "lines") reader.lines(child.text());
            if (name == "linestrips") reader.line_strip(child.text());
        }
    }

    io::XmlNode mesh_;
    const Symbols& symbols_;
    std::vector<BoundMaterial> bound_;          // by symbol
    std::optional<VertexInputs> vertex_inputs_; // created with the first primitive
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    FloatSource position_source_;
    std::span<const glm::vec3> positions_;    // of the source
    std::vector<glm::vec3> copied_positions_; // used when the source is not contiguous
};

} // namespace

LoadResult<BuiltMesh> build_mesh(io::XmlNode geometry, const MaterialBinding& binding, VertexOrigins origins,
                                 Documents& documents, Sources& sources, io::Budget& budget)
{
    const io::XmlNode mesh = find_mesh(geometry);
    auto built = MeshBuilder(mesh, binding, documents, sources, budget).run(origins);
    if (!built) return built;
    const std::string_view name =
        geometry.has_attribute("name") ? geometry.attribute("name") : geometry.attribute("id");
    built->mesh.name = io::to_utf8(name);
    return built;
}

} // namespace vitrine::dae
