#include "loaders/fbx/meshes/meshes.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "loaders/fbx/materials/materials.hpp"
#include "loaders/fbx/meshes/blend_shapes.hpp"
#include "loaders/fbx/meshes/mesh_builder.hpp"
#include "loaders/fbx/meshes/skins.hpp"
#include "loaders/fbx/meshes/uv_sets.hpp"
#include "loaders/fbx/transforms/model_transform.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

class MeshAdder {
public:
    MeshAdder(const LoadContext& context, const NodeMap& nodes, const MaterialMap& all_materials)
        : context_(context), nodes_(nodes), materials_(context, all_materials), poses_(context, nodes)
    {
    }

    LoadResult<MeshMap> run();

private:
    // The results for one geometry.
    struct Geometry {
        std::map<MaterialSlots, std::uint32_t> meshes; // scene meshes
        std::optional<SkinSource> skin;
        std::vector<std::pair<glm::dmat4, std::uint32_t>>
            skins; // by geometric transform; not the skins of a single model
        MaterialSlots first_materials;
        std::vector<std::uint32_t> slots; // material slots of the primitives
    };

    struct Deformed {
        std::vector<double> frame_times{};
        std::vector<MorphChannel> channels{};
    };

    LoadResult<void> add_to_model(std::uint32_t model);
    LoadResult<Deformed> deform(std::uint32_t object, std::uint32_t model, std::size_t points,
                                BuiltMesh& built, std::optional<SkinSource>& skin);
    LoadResult<void> add_unused();
    LoadResult<void> check_mesh_count() const;
    LoadResult<MeshSource> read_source(const Object& stored, const GeometryUse& use);
    LoadResult<void> read_geometry(std::uint32_t object, std::uint32_t model, const MaterialSlots& materials,
                                   Geometry& out);
    std::uint32_t find_geometry(std::uint32_t model) const;
    LoadResult<std::uint32_t> mesh_with(Geometry& geometry, const MaterialSlots& materials);
    LoadResult<void> count(const scene::Mesh& mesh);
    std::uint32_t skin_at(Geometry& geometry, std::uint32_t model);

    const LoadContext& context_;
    const NodeMap& nodes_;
    ModelMaterials materials_;
    BindPoses poses_;
    std::map<std::uint32_t, Geometry> geometries_;
    std::uint64_t vertices_ = 0, indices_ = 0, skin_joints_ = 0, cache_points_ = 0; // running totals
    MeshMap out_;
};

std::uint32_t material_at(const MaterialSlots& materials, std::uint32_t slot)
{
    return slot < materials.size() ? materials[slot] : scene::none;
}

// A geometry cache includes the effect of the other deformers.
LoadResult<MeshAdder::Deformed> MeshAdder::deform(std::uint32_t object, std::uint32_t model,
                                                  std::size_t points, BuiltMesh& built,
                                                  std::optional<SkinSource>& skin)
{
    auto read = read_skin(context_, nodes_, poses_, object, model, points);
    if (!read) return std::unexpected(read.error());
    Deformed out{.frame_times = add_geometry_cache(context_, object, built.control_points, points,
                                                   cache_points_, built.mesh)};
    if (!out.frame_times.empty()) return out;
    skin = std::move(*read);
    if (skin) built.mesh.influences = spread(skin->influences, built.control_points);
    auto channels = add_blend_shapes(context_, object, points, built);
    if (!channels) return std::unexpected(channels.error());
    out.channels = std::move(*channels);
    return out;
}

void warn_about_crossing(const BuiltMesh& built, const Object& stored, io::WarningLog& warnings)
{
    if (built.crossing == 0) return;
    warnings.add("crossing_polygon",
                 fmt::format("{} polygons have very many corners or intersect themselves; they are "
                             "triangulated partly as fans",
                             built.crossing),
                 stored.element.location());
}

// Reads the mesh of a geometry object with the UV sets that its materials use.
LoadResult<MeshSource> MeshAdder::read_source(const Object& stored, const GeometryUse& use)
{
    std::vector<std::string_view> named;
    for (const auto& sets : use.uv_sets)
        named.insert(named.end(), sets.begin(), sets.end());
    auto source = read_mesh(stored, named, context_.limits, context_.warnings);
    if (!source) return source;
    check_materials(*source, stored, use.materials, context_.warnings);
    context_.scene.source_vertices += source->positions.size();
    context_.scene.source_polygons += source->polygons();
    choose_uv_sets(use, stored, *source, context_.warnings);
    return source;
}

// Without a model (no_object) the geometry is not in any node and nothing animates it.
LoadResult<void> MeshAdder::read_geometry(std::uint32_t object, std::uint32_t model,
                                          const MaterialSlots& materials, Geometry& out)
{
    const Object& stored = context_.document.object(object);
    const GeometryUse& use = materials_.use_of(object);
    auto source = read_source(stored, use);
    if (!source) return std::unexpected(source.error());
    const std::size_t points = source->positions.size();
    const UvTable uv_table(*source);
    add_missing_normals(*source, model != no_object && has_blend_shapes(context_.document, object));
    auto built = build_mesh(std::move(*source), use.materials, context_.limits);
    if (!built) return std::unexpected(built.error());
    warn_about_crossing(*built, stored, context_.warnings);
    if (auto counted = count(built->mesh); !counted) return counted;
    Deformed deformed;
    if (model != no_object) {
        auto added = deform(object, model, points, *built, out.skin);
        if (!added) return std::unexpected(added.error());
        deformed = std::move(*added);
    }
    scene::Mesh& mesh = built->mesh;
    mesh.name =
        stored.name.empty() && model != no_object ? context_.document.object(model).name : stored.name;
    std::vector<UvNames> uv_sets;
    for (scene::Primitive& primitive : mesh.primitives) {
        uv_sets.push_back(uv_table.names_of(primitive.material));
        out.slots.push_back(primitive.material);
        primitive.material = material_at(materials, primitive.material);
    }
    out.first_materials = materials;
    out.meshes.emplace(materials, static_cast<std::uint32_t>(context_.scene.meshes.size()));
    context_.scene.meshes.push_back(std::move(mesh));
    out_.channels.push_back(std::move(deformed.channels));
    out_.frame_times.push_back(std::move(deformed.frame_times));
    out_.uv_sets.push_back(std::move(uv_sets));
    return {};
}

// Checked because a small file may use one mesh with many material combinations, each a copy.
LoadResult<void> MeshAdder::count(const scene::Mesh& mesh)
{
    vertices_ += mesh.positions.size();
    indices_ += mesh.indices.size();
    if (vertices_ > context_.limits.vertices)
        return io::limit_exceeded_error({}, "all meshes together", "vertices", context_.limits.vertices);
    if (indices_ > context_.limits.indices)
        return io::limit_exceeded_error({}, "all meshes together", "indices", context_.limits.indices);
    return {};
}

// Returns the mesh with the same triangles and other materials.
LoadResult<std::uint32_t> MeshAdder::mesh_with(Geometry& geometry, const MaterialSlots& materials)
{
    const auto [found, is_new] =
        geometry.meshes.try_emplace(materials, static_cast<std::uint32_t>(context_.scene.meshes.size()));
    if (!is_new) return found->second;
    const std::uint32_t original = geometry.meshes.at(geometry.first_materials);
    if (auto counted = count(context_.scene.meshes[original]); !counted)
        return std::unexpected(counted.error());
    scene::Mesh copy = context_.scene.meshes[original];
    for (std::size_t i = 0; i < copy.primitives.size(); ++i)
        copy.primitives[i].material = material_at(materials, geometry.slots[i]);
    copy.shares_geometry = true;
    context_.scene.meshes.push_back(std::move(copy));
    out_.channels.push_back(std::vector(out_.channels[original]));
    out_.frame_times.push_back(std::vector(out_.frame_times[original]));
    out_.uv_sets.push_back(std::vector(out_.uv_sets[original]));
    return found->second;
}

// Bind matrices are relative to mesh space, vertices to the geometric transform of the model.
std::uint32_t MeshAdder::skin_at(Geometry& geometry, std::uint32_t model)
{
    if (!geometry.skin) return scene::none;
    const glm::dmat4 geometric = to_matrix(geometric_trs(context_.document.object(model).properties));
    for (const auto& [known, index] : geometry.skins)
        if (known == geometric) return index;
    const auto index = static_cast<std::uint32_t>(context_.scene.skins.size());
    scene::Skin& skin =
        context_.scene.skins.emplace_back(make_skin(*geometry.skin, nodes_.node_of[model], geometric));
    skin.name = context_.document.object(model).name;
    skin_joints_ += skin.joints.size();
    for (const Associate& associate : geometry.skin->associates)
        out_.associates.push_back({index, associate.slot, nodes_.node_of[model], associate.node,
                                   geometry.skin->joints[associate.slot], associate.start});
    if (!geometry.skin->is_of_model() && geometry.skins.size() < 16)
        geometry.skins.emplace_back(geometric, index);
    return index;
}

void warn_about_second_mesh(const LoadContext& context, std::uint32_t model)
{
    int meshes = 0;
    for (const ObjectConnection& connection : context.document.sources(model))
        meshes += context.document.object(connection.source).type == ObjectType::mesh ? 1 : 0;
    if (meshes > 1)
        context.warnings.add("second_mesh", "a model has several geometries; the first is used",
                             context.document.object(model).element.location());
}

// Returns no_object for a model without a geometry.
std::uint32_t MeshAdder::find_geometry(std::uint32_t model) const
{
    if (nodes_.drawing_node_of[model] == scene::none) return no_object;
    return context_.document.source_of_type(model, ObjectType::mesh);
}

LoadResult<void> MeshAdder::add_to_model(std::uint32_t model)
{
    const std::uint32_t object = find_geometry(model);
    if (object == no_object) return {};
    warn_about_second_mesh(context_, model);
    const MaterialSlots materials = materials_.of(model);
    auto [found, is_new] = geometries_.try_emplace(object);
    Geometry& geometry = found->second;
    if (is_new) {
        if (auto read = read_geometry(object, model, materials, geometry); !read) return read;
    }
    materials_.warn_about_missing(model, materials.size(), geometry.slots);
    scene::Node& node = context_.scene.nodes[nodes_.drawing_node_of[model]];
    const auto mesh = mesh_with(geometry, materials);
    if (!mesh) return std::unexpected(mesh.error());
    node.mesh = *mesh;
    node.skin = skin_at(geometry, model);
    if (skin_joints_ > context_.limits.skin_joints)
        return io::limit_exceeded_error({}, "the joints of all skins", "skin_joints",
                                        context_.limits.skin_joints);
    return check_mesh_count();
}

LoadResult<void> MeshAdder::check_mesh_count() const
{
    if (context_.scene.meshes.size() <= context_.limits.meshes) return {};
    return io::limit_exceeded_error({}, "meshes", context_.limits.meshes);
}

// Adds geometries that no model uses; they are still part of the file.
LoadResult<void> MeshAdder::add_unused()
{
    for (const std::uint32_t object : context_.document.objects_of_type(ObjectType::mesh)) {
        const auto [found, is_new] = geometries_.try_emplace(object);
        if (!is_new) continue;
        if (auto read = read_geometry(object, no_object, {}, found->second); !read) return read;
        if (auto within = check_mesh_count(); !within) return within;
    }
    return {};
}

LoadResult<MeshMap> MeshAdder::run()
{
    const std::vector<std::uint32_t> models = context_.document.objects_of_type(ObjectType::model);
    for (const std::uint32_t model : models) {
        if (const std::uint32_t object = find_geometry(model); object != no_object)
            materials_.note_use(model, object);
    }
    for (const std::uint32_t model : models) {
        if (auto added = add_to_model(model); !added) return std::unexpected(added.error());
    }
    if (auto added = add_unused(); !added) return std::unexpected(added.error());
    return std::move(out_);
}

} // namespace

LoadResult<MeshMap> add_meshes(const LoadContext& context, const NodeMap& nodes, const MaterialMap& materials)
{
    return MeshAdder(context, nodes, materials).run();
}

} // namespace vitrine::fbx
