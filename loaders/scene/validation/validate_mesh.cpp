#include <algorithm>
#include <utility>
#include <vector>

#include "loaders/scene/arrays/arrays.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/uv_sets.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/scene/validation/validate_helpers.hpp"

namespace vitrine::scene {
namespace {

class MeshCheck {
public:
    MeshCheck(const Scene& scene, std::size_t index, FlatMeshes flat)
        : scene_(scene), mesh_(scene.meshes[index]), index_(index),
          may_lack_normals_(flat == FlatMeshes::allowed && may_be_flat(mesh_))
    {
    }

    ValidationResult run() const
    {
        for (const auto part : {&MeshCheck::streams, &MeshCheck::primitives, &MeshCheck::influences,
                                &MeshCheck::morph_targets, &MeshCheck::frames}) {
            if (ValidationResult ok = (this->*part)(); !ok) return ok;
        }
        return {};
    }

private:
    std::unexpected<LoadError> error(const char* member, const char* detail,
                                     LoadErrc code = LoadErrc::malformed) const
    {
        return fail(code, at("/meshes", index_, member), detail);
    }

    std::size_t vertices() const { return mesh_.positions.size(); }

    template <class T>
    ValidationResult stream(const char* member, const Array<T>& values, bool optional = true) const
    {
        if (values.size() != vertices() && !(optional && values.empty()))
            return error(member, "the stream and the positions differ in length");
        if (!all_finite(values)) return error(member, "a number is not finite");
        return {};
    }

    ValidationResult streams() const
    {
        if (!is_utf8(mesh_.name)) return error("/name", "the text is not UTF-8");
        if (vertices() >= none)
            return error("/positions", "more vertices than an index can address", LoadErrc::limit_exceeded);
        if (ValidationResult ok = stream("/positions", mesh_.positions); !ok) return ok;
        if (ValidationResult ok = stream("/normals", mesh_.normals, may_lack_normals_); !ok) return ok;
        if (ValidationResult ok = stream("/tangents", mesh_.tangents); !ok) return ok;
        if (ValidationResult ok = stream("/uv0", mesh_.uv0); !ok) return ok;
        if (ValidationResult ok = stream("/uv1", mesh_.uv1); !ok) return ok;
        if (mesh_.more_uvs.size() > max_uv_sets - first_more_uvs)
            return error("/more_uvs", "the mesh has too many sets of texture coordinates",
                         LoadErrc::limit_exceeded);
        for (const auto& uvs : mesh_.more_uvs)
            if (ValidationResult ok = stream("/more_uvs", uvs); !ok) return ok;
        return stream("/colors", mesh_.colors);
    }

    ValidationResult primitives() const
    {
        if (mesh_.indices.size() >= none)
            return error("/indices", "more indices than a primitive can address", LoadErrc::limit_exceeded);
        if (!all_below(mesh_.indices, vertices()))
            return error("/indices", "an index exceeds the last vertex", LoadErrc::out_of_range);
        for (const Primitive& primitive : mesh_.primitives)
            if (ValidationResult ok = check(primitive); !ok) return ok;
        if (primitives_overlap()) return error("/primitives", "primitives share indices");
        return {};
    }

    bool primitives_overlap() const
    {
        std::vector<std::pair<std::size_t, std::size_t>> ranges; // first, end
        for (const Primitive& primitive : mesh_.primitives)
            if (primitive.count > 0)
                ranges.emplace_back(primitive.first, std::size_t{primitive.first} + primitive.count);
        std::ranges::sort(ranges);
        return std::ranges::adjacent_find(
                   ranges, [](const auto& a, const auto& b) { return b.first < a.second; }) != ranges.end();
    }

    ValidationResult check(const Primitive& primitive) const
    {
        const std::size_t total = mesh_.indices.size();
        if (primitive.first > total || primitive.count > total - primitive.first)
            return error("/primitives", "a primitive exceeds the last index", LoadErrc::out_of_range);
        if (primitive.topology > Topology::points) return error("/primitives", "the topology is unknown");
        const std::uint32_t corners_per_element = primitive.topology == Topology::triangles ? 3
                                                  : primitive.topology == Topology::lines   ? 2
                                                                                            : 1;
        if (primitive.count % corners_per_element != 0)
            return error("/primitives", "a primitive ends in an incomplete triangle or line");
        if (!is_index_or_none(primitive.material, scene_.materials.size()))
            return error("/primitives", "a primitive refers to a material that does not exist",
                         LoadErrc::out_of_range);
        return variants(primitive);
    }

    ValidationResult variants(const Primitive& primitive) const
    {
        const auto& list = primitive.variants;
        const bool known = std::ranges::all_of(list, [&](const VariantMaterial& entry) {
            return is_index(entry.variant, scene_.variants.size()) &&
                   is_index(entry.material, scene_.materials.size());
        });
        if (!known)
            return error("/primitives",
                         "a primitive refers to a variant or a variant material that does not exist",
                         LoadErrc::out_of_range);
        if (std::ranges::adjacent_find(list, std::ranges::greater_equal{}, &VariantMaterial::variant) !=
            list.end())
            return error("/primitives", "the variants of a primitive are not in ascending order");
        return {};
    }

    ValidationResult influences() const
    {
        const Influences& in = mesh_.influences;
        const std::size_t count = in.joints.size();
        if (in.weights.size() != count || (!in.positions.empty() && in.positions.size() != count))
            return error("/influences", "joints, weights and positions differ in number");
        if (!all_finite(in.weights) || !all_finite(in.positions))
            return error("/influences", "a number is not finite");
        if (ValidationResult ok = stream("/influences/dual_quaternion_weights", in.dual_quaternion_weights);
            !ok)
            return ok;
        if (std::ranges::any_of(in.dual_quaternion_weights, [](float w) { return w < 0.0f || w > 1.0f; }))
            return error("/influences/dual_quaternion_weights", "a weight is not between 0 and 1");
        if (in.first.empty())
            return count == 0 ? ValidationResult{} : error("/influences", "the weights belong to no vertex");
        if (in.first.size() != vertices() + 1 || in.first.front() != 0 || in.first.back() != count)
            return error("/influences/first", "the ranges do not cover the weights");
        if (!is_ascending(in.first)) return error("/influences/first", "the ranges do not ascend");
        return {};
    }

    ValidationResult morph_targets() const
    {
        if (mesh_.morph_weights.size() != mesh_.morph_targets.size())
            return error("/morph_weights",
                         "the number of default weights differs from the number of morph targets");
        if (!all_finite(mesh_.morph_weights)) return error("/morph_weights", "a number is not finite");
        for (const MorphTarget& target : mesh_.morph_targets) {
            if (ValidationResult ok = check(target); !ok) return ok;
        }
        return {};
    }

    ValidationResult check(const MorphTarget& target) const
    {
        const std::size_t count = target.vertices.size();
        if (!is_utf8(target.name)) return error("/morph_targets", "the text is not UTF-8");
        if (target.position_deltas.size() != count ||
            (!target.normal_deltas.empty() && target.normal_deltas.size() != count) ||
            (!target.tangent_deltas.empty() && target.tangent_deltas.size() != count))
            return error("/morph_targets", "deltas and vertices of a target differ in number");
        if (!all_below(target.vertices, vertices()))
            return error("/morph_targets", "a target moves a vertex that does not exist",
                         LoadErrc::out_of_range);
        if (!all_finite(target.position_deltas) || !all_finite(target.normal_deltas) ||
            !all_finite(target.tangent_deltas))
            return error("/morph_targets", "a number is not finite");
        return {};
    }

    ValidationResult frames() const
    {
        const VertexFrames& frames = mesh_.frames;
        const std::size_t expected = std::size_t{frames.count} * vertices(); // both below 2^32
        if (frames.positions.size() != expected || frames.normals.size() != expected)
            return error("/frames", "the streams do not contain every vertex of every frame");
        if (!all_finite(frames.positions) || !all_finite(frames.normals))
            return error("/frames", "a number is not finite");
        return {};
    }

    const Scene& scene_;
    const Mesh& mesh_;
    std::size_t index_;
    bool may_lack_normals_;
};

} // namespace

ValidationResult check_shaded_mesh(const Scene& scene, std::size_t index)
{
    return MeshCheck(scene, index, FlatMeshes::forbidden).run();
}

ValidationResult check_mesh_or_flat_mesh(const Scene& scene, std::size_t index)
{
    return MeshCheck(scene, index, FlatMeshes::allowed).run();
}

} // namespace vitrine::scene
