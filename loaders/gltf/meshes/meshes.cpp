#include "loaders/gltf/meshes/meshes.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "loaders/gltf/document/fields.hpp"
#include "loaders/gltf/materials/uv_sets.hpp"
#include "loaders/gltf/materials/variants.hpp"
#include "loaders/gltf/meshes/index_lists.hpp"
#include "loaders/gltf/meshes/mesh_builder.hpp"
#include "loaders/gltf/meshes/primitive_attributes.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::gltf {
namespace {

// Identifies the accessors of a primitive: equal keys, equal vertices.
std::string vertices_key(io::JsonValue primitive, const UvSets& uv_sets)
{
    std::string key = fmt::format("{}", fmt::join(uv_sets, " "));
    const auto add = [&](io::JsonValue attributes) {
        key += '{';
        for (const io::JsonValue attribute : attributes)
            key += fmt::format("{}={};", attribute.key(), attribute.number().value_or(-1.0));
    };
    add(primitive["attributes"]);
    for (const io::JsonValue target : primitive["targets"])
        add(target);
    return key;
}

// Tangents are computed from uv0; without any the derivatives of the map's own coordinates serve.
bool wants_tangents(const scene::Scene& scene, std::uint32_t material)
{
    return material != scene::none && scene.materials[material].normal_texture.image != scene::none &&
           scene.materials[material].normal_texture.uv_set == 0;
}

// Whether all primitives are triangles without normals, morph targets, skin weights, and a normal map.
bool may_stay_flat(const scene::Scene& scene, io::JsonValue primitive)
{
    if (primitive["targets"].exists() || primitive["extensions"]["KHR_materials_variants"].exists())
        return false;
    if (primitive["mode"].exists() && primitive["mode"].unsigned_integer().value_or(0) < 4) return false;
    for (const io::JsonValue attribute : primitive["attributes"])
        for (const std::string_view name : {"NORMAL", "JOINTS_", "WEIGHTS_"})
            if (attribute.key().starts_with(name)) return false;
    const auto material = primitive["material"].unsigned_integer().value_or(scene::none);
    return material >= scene.materials.size() || !wants_tangents(scene, static_cast<std::uint32_t>(material));
}

// Adds normals to lines and points; targets have no normals to add their deltas to.
void add_neutral_normals(PrimitiveAttributes& attributes)
{
    attributes.normals.assign(attributes.positions.size(), glm::vec3(0.0f, 1.0f, 0.0f));
    for (DenseTarget& target : attributes.targets)
        target.normals.clear();
}

class MeshLoader {
public:
    MeshLoader(Document& document, scene::Scene& scene, std::span<const UvSets> uv_sets,
               std::set<std::uint64_t>& counted)
        : document_(document), scene_(scene), uv_sets_(uv_sets), counted_(counted)
    {
    }

    LoadResult<scene::Mesh> run(io::JsonValue mesh)
    {
        const io::JsonValue primitives = mesh["primitives"];
        if (primitives.exists() && !primitives.is_array())
            return fail(LoadErrc::malformed, primitives.pointer(), "an array is expected");
        stays_flat_ = all_may_stay_flat(primitives);
        for (const io::JsonValue primitive : primitives)
            if (auto added = add_primitive(primitive); !added) return std::unexpected(added.error());
        if (primitives.size() == 0)
            document_.warnings().add("empty_mesh", "the mesh has no primitives", mesh.pointer());
        builder_.complete_tangents(tangents_wanted_);
        scene::Mesh out = builder_.take();
        LenientFields fields(mesh, document_.warnings());
        out.name = fields.string("name");
        name_targets(mesh, out);
        read_weights(mesh, out);
        return out;
    }

private:
    bool all_may_stay_flat(io::JsonValue primitives) const
    {
        for (const io::JsonValue primitive : primitives)
            if (!may_stay_flat(scene_, primitive)) return false;
        return true;
    }

    struct Materials {
        std::uint32_t own = scene::none;
        std::vector<scene::VariantMaterial> of_variants;
    };

    static scene::Primitive primitive_of(scene::Topology topology, const Materials& materials,
                                         bool has_normals)
    {
        return {.topology = topology,
                .material = materials.own,
                .has_normals = has_normals,
                .variants = materials.of_variants};
    }

    LoadResult<void> add_primitive(io::JsonValue primitive)
    {
        Fields fields(primitive);
        const std::uint64_t mode = fields.integer("mode", 4);
        if (mode > 6)
            fields.fail(LoadErrc::malformed, primitive["mode"], fmt::format("mode {} does not exist", mode));
        if (!primitive["attributes"].is_object())
            fields.fail(LoadErrc::malformed, primitive, "\"attributes\" is missing");
        if (fields.failed()) return fields.error();
        if (!primitive["attributes"]["POSITION"].exists()) {
            document_.warnings().add("no_positions", "a primitive has no positions; it is ignored",
                                     primitive.pointer());
            return {};
        }
        return add_shown(primitive, static_cast<PrimitiveMode>(mode));
    }

    Materials read_materials(io::JsonValue primitive)
    {
        return {LenientFields(primitive, document_.warnings()).index("material", scene_.materials.size()),
                read_variant_materials(document_, scene_, primitive)};
    }

    LoadResult<void> add_shown(io::JsonValue primitive, PrimitiveMode mode)
    {
        const scene::Topology topology = topology_of(mode);
        const bool flat =
            topology == scene::Topology::triangles && !primitive["attributes"]["NORMAL"].exists();
        auto compressed = decompress_draco(document_, primitive);
        if (!compressed) return std::unexpected(compressed.error());
        if (*compressed) mode = PrimitiveMode::triangles;
        const Materials materials = read_materials(primitive);
        const UvSets& uv_sets = materials.own == scene::none ? uv_sets_.back() : uv_sets_[materials.own];
        const std::string key = vertices_key(primitive, uv_sets);
        const auto known = shared_.find(key);
        if (known != shared_.end() && (!flat || stays_flat_)) {
            auto list =
                read_index_list(document_, primitive, mode, known->second.count, std::move(*compressed));
            if (!list) return std::unexpected(list.error());
            if (auto taken = take_flat_vertices(flat, *list, primitive); !taken) return taken;
            finish(primitive_of(topology, materials, known->second.has_normals), std::move(*list),
                   known->second.first);
            return {};
        }
        LoadResult<PrimitiveAttributes> attributes = read_attributes(document_, primitive, uv_sets);
        if (!attributes) return std::unexpected(attributes.error());
        const auto count = static_cast<std::uint32_t>(attributes->positions.size());
        count_vertices(primitive, count);
        auto list = read_index_list(document_, primitive, mode, count, std::move(*compressed));
        if (!list) return std::unexpected(list.error());
        if (topology == scene::Topology::triangles) repair(*attributes, *list, primitive);
        // Also when a NORMAL could not be read.
        const bool lacks_normals = topology == scene::Topology::triangles && attributes->normals.empty();
        if (auto taken = take_flat_vertices(lacks_normals, *list, primitive); !taken) return taken;
        if (lacks_normals && !stays_flat_)
            return add_flat(*attributes, std::move(*list), materials, primitive);
        const bool has_normals = topology != scene::Topology::triangles && !attributes->normals.empty();
        if (attributes->normals.empty() && !stays_flat_) add_neutral_normals(*attributes);
        const std::uint32_t first = builder_.append(std::move(*attributes));
        shared_.emplace(key, Shared{first, count, has_normals});
        finish(primitive_of(topology, materials, has_normals), std::move(*list), first);
        return {};
    }

    void repair(PrimitiveAttributes& attributes, std::span<const std::uint32_t> list, io::JsonValue primitive)
    {
        const std::size_t repaired = repair_normals(attributes, list);
        if (repaired > 0)
            document_.warnings().add(
                "zero_normals",
                fmt::format("{} normals have zero length; they are computed from the triangles", repaired),
                primitive["attributes"]["NORMAL"].pointer());
    }

    // A flat primitive has a vertex for each corner, made here or after the transfer (flat_meshes.hpp).
    LoadResult<void> take_flat_vertices(bool flat, std::span<const std::uint32_t> list,
                                        io::JsonValue primitive)
    {
        return document_.budget().take_vertices(flat ? list.size() : 0, primitive.pointer());
    }

    LoadResult<void> add_flat(const PrimitiveAttributes& attributes, std::vector<std::uint32_t> list,
                              const Materials& materials, io::JsonValue primitive)
    {
        const auto first = builder_.append_flat(attributes, list, document_.budget());
        if (!first) return fail(first.error().code, primitive.pointer(), first.error().detail);
        std::iota(list.begin(), list.end(), 0u);
        finish(primitive_of(scene::Topology::triangles, materials, false), std::move(list), *first);
        return {};
    }

    void finish(const scene::Primitive& primitive, std::vector<std::uint32_t> list, std::uint32_t first)
    {
        if (primitive.topology == scene::Topology::triangles) scene_.source_polygons += list.size() / 3;
        tangents_wanted_ |= wants_tangents(scene_, primitive.material) ||
                            std::ranges::any_of(primitive.variants, [&](const auto& entry) {
                                return wants_tangents(scene_, entry.material);
                            });
        builder_.add_primitive(primitive, std::move(list), first);
    }

    void count_vertices(io::JsonValue primitive, std::uint32_t count)
    {
        const auto accessor = primitive["attributes"]["POSITION"].unsigned_integer();
        if (accessor && counted_.insert(*accessor).second) scene_.source_vertices += count;
    }

    void name_targets(io::JsonValue mesh, scene::Mesh& out)
    {
        const io::JsonValue names = mesh["extras"]["targetNames"];
        for (std::uint32_t t = 0; t < out.morph_targets.size(); ++t)
            out.morph_targets[t].name = names[t].string().value_or(std::string_view());
    }

    void read_weights(io::JsonValue mesh, scene::Mesh& out)
    {
        const io::JsonValue weights = mesh["weights"];
        for (std::uint32_t t = 0; t < out.morph_targets.size(); ++t)
            out.morph_weights.push_back(weight_of(weights[t], document_.warnings()));
        if (weights.exists() && weights.size() != out.morph_targets.size())
            document_.warnings().add(
                "weight_count",
                fmt::format("{} weights for {} morph targets", weights.size(), out.morph_targets.size()),
                weights.pointer());
    }

    struct Shared {
        std::uint32_t first;
        std::uint32_t count;
        bool has_normals;
    };

    Document& document_;
    scene::Scene& scene_;
    std::span<const UvSets> uv_sets_;  // by material; the last: without one
    std::set<std::uint64_t>& counted_; // position accessors counted in source_vertices
    MeshBuilder builder_;
    std::map<std::string, Shared> shared_;
    bool tangents_wanted_ = false;
    bool stays_flat_ = false; // the mesh keeps shared vertices and gets no normals
};

} // namespace

LoadResult<void> load_meshes(Document& document, scene::Scene& scene)
{
    std::set<std::uint64_t> counted;
    const io::JsonValue meshes = document.list("meshes");
    if (meshes.size() > document.budget().limits().meshes)
        return io::limit_exceeded_error("/meshes", "meshes", document.budget().limits().meshes);
    const std::vector<UvSets> uv_sets = choose_uv_sets(document, scene);
    for (const io::JsonValue mesh : meshes) {
        LoadResult<scene::Mesh> loaded = MeshLoader(document, scene, uv_sets, counted).run(mesh);
        if (!loaded) return std::unexpected(loaded.error());
        scene.meshes.push_back(std::move(*loaded));
    }
    return {};
}

} // namespace vitrine::gltf
