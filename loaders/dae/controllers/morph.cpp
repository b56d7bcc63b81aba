#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/dae/controllers/controllers.hpp"
#include "loaders/dae/nodes/nodes.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/scene/geometry/geometry.hpp"

namespace vitrine::dae {
namespace {

class MorphReader {
public:
    MorphReader(bool relative, io::XmlNode base, BuiltMesh& built, Documents& documents, Sources& sources,
                io::Budget& budget)
        : relative_(relative), base_(base), built_(built), documents_(documents), sources_(sources),
          budget_(budget)
    {
    }

    LoadResult<void> add(io::XmlNode geometry)
    {
        const Shape& shape = shape_of(geometry);
        scene::MorphTarget target;
        target.name = shape.name;
        const auto positions = sources_.floats(shape.positions);
        if (!positions) return std::unexpected(positions.error());
        warn_about(geometry, positions->count());
        if (positions->count() >= built_.positions)
            if (auto filled = fill(*positions, shape, target); !filled) return filled;
        built_.mesh.morph_targets.push_back(std::move(target));
        return {};
    }

private:
    // Data for comparing with a geometry, which may be the target of many morphs.
    struct Shape {
        std::string name;
        io::XmlNode mesh, positions, normals;
    };

    const Shape& shape_of(io::XmlNode geometry)
    {
        const auto [known, is_new] = shapes_.try_emplace(geometry.key());
        Shape& shape = known->second;
        if (!is_new) return shape;
        shape.name = name_of(geometry);
        shape.mesh = find_mesh(geometry);
        shape.positions = vertex_source(shape.mesh, "POSITION", documents_);
        shape.normals = normal_source(shape.mesh);
        return shape;
    }

    void warn_about(io::XmlNode target, std::uint32_t positions)
    {
        if (target.is("controller"))
            documents_.warn("invalid_morph",
                            "a morph target is a controller instead of a geometry; it is ignored", target);
        else if (positions != built_.positions)
            documents_.warn(
                "invalid_morph",
                fmt::format("a morph target has {} positions and its base {}; {}", positions,
                            built_.positions,
                            positions < built_.positions ? "it is ignored" : "the excess is ignored"),
                target);
    }

    LoadResult<void> fill(const FloatSource& positions, const Shape& shape, scene::MorphTarget& target)
    {
        if (auto taken = documents_.at(shape.mesh, budget_.take_compared(built_.position_of.size(), {}));
            !taken)
            return taken;
        std::vector<glm::vec3> deltas(built_.position_of.size());
        for (std::size_t v = 0; v < deltas.size(); ++v) {
            const glm::vec3 p = positions.vec3(built_.position_of[v]);
            deltas[v] = relative_ ? p : p - built_.mesh.positions[v];
        }
        auto normals = normal_deltas(deltas, shape.normals);
        if (!normals) return std::unexpected(normals.error());
        const glm::vec3 zero(0.0f);
        for (std::uint32_t v = 0; v < deltas.size(); ++v) {
            if (deltas[v] == zero && (*normals)[v] == zero) continue;
            target.vertices.push_back(v);
            target.position_deltas.push_back(deltas[v]);
            target.normal_deltas.push_back((*normals)[v]);
        }
        return documents_.at(shape.mesh, budget_.take_deltas(target.vertices.size(), {}));
    }

    // Uses the target's own normals where both meshes have equally many; otherwise computed normals of its
    // shape minus those of the base.
    LoadResult<std::vector<glm::vec3>> normal_deltas(std::span<const glm::vec3> deltas, io::XmlNode normals)
    {
        auto own = sources_.floats(shape_of(base_).normals);
        auto other = sources_.floats(normals);
        if (!own) return std::unexpected(own.error());
        if (!other) return std::unexpected(other.error());
        std::vector<glm::vec3> out(deltas.size(), glm::vec3(0.0f));
        const bool listed =
            own->count() == other->count() && own->count() > 0 && own->components() >= 3 &&
            other->components() >= 3 &&
            std::ranges::all_of(built_.normal_of, [&](std::uint32_t n) { return n < own->count(); });
        if (listed) {
            for (std::size_t v = 0; v < out.size(); ++v) {
                const glm::vec3 n = other->vec3(built_.normal_of[v]);
                out[v] = relative_ ? n : n - built_.mesh.normals[v];
            }
            return out;
        }
        const auto before = shape_normals(built_.mesh.positions);
        auto moved = built_.mesh.positions;
        for (std::size_t v = 0; v < moved.size(); ++v)
            moved[v] += deltas[v];
        const auto after = shape_normals(std::move(moved));
        for (std::size_t v = 0; v < out.size(); ++v)
            out[v] = after[v] - before[v];
        return out;
    }

    scene::Array<glm::vec3> shape_normals(scene::Array<glm::vec3> positions) const
    {
        scene::Mesh shape;
        shape.positions = std::move(positions);
        shape.indices = built_.mesh.indices;
        shape.primitives = built_.mesh.primitives;
        scene::compute_normals(shape);
        return std::move(shape.normals);
    }

    // From <vertices>, or from the first primitive with normals.
    io::XmlNode normal_source(io::XmlNode mesh)
    {
        if (const io::XmlNode source = vertex_source(mesh, "NORMAL", documents_); source.exists())
            return source;
        for (const io::XmlNode child : mesh)
            if (const io::XmlNode source = input_source(child, "NORMAL", documents_);
                !child.is("vertices") && source.exists())
                return source;
        return {};
    }

    bool relative_;
    io::XmlNode base_;
    BuiltMesh& built_;
    Documents& documents_;
    Sources& sources_;
    io::Budget& budget_;
    std::unordered_map<const void*, Shape> shapes_; // by geometry
};

// The first exporters wrote TARGET and WEIGHT.
io::XmlNode find_morph_input(io::XmlNode morph, MorphInput input)
{
    const std::array<std::string_view, 2> names =
        input == MorphInput::targets ? std::array<std::string_view, 2>{"MORPH_TARGET", "TARGET"}
                                     : std::array<std::string_view, 2>{"MORPH_WEIGHT", "WEIGHT"};
    const io::XmlNode targets = morph.child("targets"), found = find_input(targets, names[0]);
    return found.exists() ? found : find_input(targets, names[1]);
}

void warn_about(io::XmlNode morph, std::size_t targets, std::uint32_t weights, Documents& documents)
{
    const std::string_view method = morph.attribute("method");
    if (!method.empty() && method != "NORMALIZED" && !is_relative(morph))
        documents.warn("invalid_morph",
                       fmt::format("the morph method {} is unknown; NORMALIZED is used", io::shown(method)),
                       morph);
    if (targets == 0) documents.warn("invalid_morph", "a morph has no targets; it is ignored", morph);
    if (weights < targets)
        documents.warn("invalid_morph",
                       fmt::format("{} targets have {} weights; missing weights are 0", targets, weights),
                       morph);
}

} // namespace

io::XmlNode morph_source(io::XmlNode morph, MorphInput input, Documents& documents)
{
    const io::XmlNode found = find_morph_input(morph, input);
    return documents.find(found, found.attribute("source"));
}

std::unordered_set<const void*> find_morph_targets(Documents& documents, Sources& sources)
{
    std::unordered_set<const void*> found, lists;
    const auto read = [&](io::XmlNode morph) {
        const io::XmlNode input = find_morph_input(morph, MorphInput::targets);
        const io::XmlNode list = documents.try_find(input, input.attribute("source"));
        // A hostile file has many morphs with one long list.
        if (!list.exists() || !lists.insert(sources.array_of(list).key()).second) return;
        for (const std::string_view name : sources.names(list))
            found.insert(documents.try_find(list, name).key());
    };
    // Copied, because resolving a URL may open another document.
    for (const io::XmlNode root : std::vector(documents.roots()))
        for (io::XmlNode l = root.child("library_controllers"); l.exists(); l = l.next("library_controllers"))
            for (io::XmlNode c = l.child("controller"); c.exists(); c = c.next("controller"))
                if (const io::XmlNode morph = c.child("morph"); morph.exists()) read(morph);
    return found;
}

bool is_relative(io::XmlNode morph)
{
    return ascii::equal_ignoring_case(morph.attribute("method"), "relative");
}

LoadResult<void> add_morph_targets(io::XmlNode morph, io::XmlNode base, BuiltMesh& built,
                                   Documents& documents, Sources& sources, io::Budget& budget)
{
    const io::XmlNode list = morph_source(morph, MorphInput::targets, documents);
    auto weights = sources.floats(morph_source(morph, MorphInput::weights, documents));
    if (!weights) return std::unexpected(weights.error());
    MorphReader reader(is_relative(morph), base, built, documents, sources, budget);
    const std::vector<std::string_view> names = sources.names(list);
    warn_about(morph, names.size(), weights->count(), documents);
    if (auto taken = documents.at(morph, budget.take_deltas(names.size(), {})); !taken) return taken;
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        const io::XmlNode geometry = documents.find(list, names[i]);
        if (auto added = reader.add(geometry); !added) return added;
        built.mesh.morph_weights.push_back(i < weights->count() ? weights->at(i, 0) : 0.0f);
    }
    return {};
}

} // namespace vitrine::dae
