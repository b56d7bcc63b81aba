#include "loaders/fbx/meshes/skins.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "loaders/io/limits.hpp"

namespace vitrine::fbx {
namespace {

// The first cluster's mode applies to all. Weights of Total1 are expected to sum to 1; where they do not,
// other evaluators normalize them too.
LinkMode mode_of(Element cluster)
{
    return cluster.text("Mode") == "Additive" ? LinkMode::additive : LinkMode::normalize;
}

glm::dmat4 inverse_of(const glm::dmat4& matrix)
{
    return std::abs(glm::determinant(glm::dmat3(matrix))) < 1e-30 ? glm::dmat4(1.0) : glm::inverse(matrix);
}

class SkinReader {
public:
    SkinReader(const LoadContext& context, const NodeMap& nodes, BindPoses& poses, std::uint32_t model,
               std::size_t points)
        : context_(context), nodes_(nodes), poses_(poses), model_(model), points_(points)
    {
    }

    LoadResult<std::optional<SkinSource>> run(std::span<const std::uint32_t> skins);

private:
    LoadResult<void> read_cluster(std::uint32_t cluster);
    struct Bind {
        glm::dmat4 inverse; // mesh space to joint space
        glm::dmat4 mesh;    // its global matrix
    };
    LoadResult<Bind> read_bind(Element cluster, std::uint32_t joint);
    std::uint32_t find_associate(std::uint32_t cluster, Element stored) const;
    LoadResult<void> add_associate(std::uint32_t cluster, Element stored, const glm::dmat4& mesh);
    LoadResult<void> mix();
    LoadResult<void> read_method(Element skin);
    std::uint32_t find_joint(std::uint32_t cluster) const;

    const LoadContext& context_;
    const NodeMap& nodes_;
    BindPoses& poses_;
    std::uint32_t model_;
    std::size_t points_;
    LinkMode mode_ = LinkMode::normalize;
    std::vector<ClusterWeights> clusters_;
    std::uint64_t points_read_ = 0;
    SkinSource out_;
};

// The file's Transform is the mesh relative to the joint at bind time, although the SDK function of that name
// returns the mesh's global matrix. Without it, the matrix is computed from what is known of both.
LoadResult<SkinReader::Bind> SkinReader::read_bind(Element cluster, std::uint32_t joint)
{
    const auto transform = read_matrix(cluster["Transform"]);
    if (!transform) return std::unexpected(transform.error());
    const auto link = read_matrix(cluster["TransformLink"]);
    if (!link) return std::unexpected(link.error());
    const glm::dmat4 of_joint = *link ? **link : poses_.matrix_of(joint);
    if (*transform) return Bind{**transform, of_joint * **transform};
    const glm::dmat4 mesh = poses_.matrix_of(model_);
    return Bind{inverse_of(of_joint) * mesh, mesh};
}

// A cluster has its joint connected, and may name or connect a second model.
std::uint32_t SkinReader::find_associate(std::uint32_t cluster, Element stored) const
{
    const Value named = stored["AssociateModel"][0u];
    std::uint32_t model = no_object;
    if (named.is_text()) model = context_.document.find_by_full_name(named.text());
    if (named.integer() != 0) model = context_.document.find_by_id(named.integer());
    const std::uint32_t joint = context_.document.source_of_type(cluster, ObjectType::model);
    for (const ObjectConnection& connection : context_.document.sources(cluster))
        if (model == no_object && connection.source != joint &&
            context_.document.object(connection.source).type == ObjectType::model)
            model = connection.source;
    return model == no_object || nodes_.node_of[model] == scene::none ? no_object : model;
}

// The SDK's formula: the mesh's inverse bind matrix, the associate's bind matrix, its current inverse, then
// the joint as without an associate.
LoadResult<void> SkinReader::add_associate(std::uint32_t cluster, Element stored, const glm::dmat4& mesh)
{
    const std::uint32_t model = find_associate(cluster, stored);
    if (model == no_object) return {};
    const auto bound = read_matrix(stored["TransformAssociateModel"]);
    if (!bound) return std::unexpected(bound.error());
    const glm::dmat4 start = inverse_of(mesh) * (*bound ? **bound : poses_.matrix_of(model));
    out_.associates.push_back({static_cast<std::uint32_t>(out_.joints.size()), nodes_.node_of[model], start});
    return {};
}

std::uint32_t SkinReader::find_joint(std::uint32_t cluster) const
{
    const std::uint32_t model = context_.document.source_of_type(cluster, ObjectType::model);
    return model == no_object || nodes_.node_of[model] == scene::none ? no_object : model;
}

LoadResult<void> SkinReader::read_cluster(std::uint32_t index)
{
    const Object& object = context_.document.object(index);
    const Element stored = object.part.exists() ? object.part : object.element;
    const std::uint32_t joint = find_joint(index);
    if (joint == no_object) {
        context_.warnings.add("cluster_without_joint", "a cluster has no joint; its weights are ignored",
                              stored.location());
        return {};
    }
    if (out_.joints.size() >= context_.limits.joints)
        return io::limit_exceeded_error(stored.location(), "joints", context_.limits.joints);
    if (clusters_.empty()) mode_ = mode_of(stored);
    auto points = stored["Indexes"].array<std::int32_t>();
    if (!points) return std::unexpected(points.error());
    auto weights = stored["Weights"].array<float>();
    if (!weights) return std::unexpected(weights.error());
    const auto bind = read_bind(stored, joint);
    if (!bind) return std::unexpected(bind.error());
    if (mode_ == LinkMode::additive)
        if (auto added = add_associate(index, stored, bind->mesh); !added) return added;
    if (points->size() != weights->size())
        context_.warnings.add("weight_count",
                              "a cluster has different numbers of weights and indices; the excess is ignored",
                              stored.location());
    points->resize(std::min(points->size(), weights->size()));
    points_read_ += points->size();
    if (points_read_ > context_.limits.influences)
        return io::limit_exceeded_error(stored.location(), "influences", context_.limits.influences);
    clusters_.push_back(
        {static_cast<std::uint16_t>(out_.joints.size()), std::move(*points), std::move(*weights)});
    out_.joints.push_back(nodes_.node_of[joint]);
    out_.inverse_bind.push_back(bind->inverse);
    return {};
}

LoadResult<void> SkinReader::mix()
{
    const auto rest = static_cast<std::uint16_t>(out_.joints.size());
    const bool has_slot = rest < context_.limits.joints; // for the mesh's own model after the others
    auto mixed = mix_weights(context_, clusters_, points_, has_slot ? mode_ : LinkMode::normalize, rest,
                             context_.document.object(model_).element.location());
    if (!mixed) return std::unexpected(mixed.error());
    out_.influences = std::move(mixed->influences);
    out_.has_remainder = mixed->has_remainder;
    return {};
}

// The SDK evaluates "Rigid" as linear too. With "Blend", unlisted points are linear.
LoadResult<void> SkinReader::read_method(Element skin)
{
    const std::string_view type = skin.text("SkinningType");
    if (type == "DualQuaternion") out_.method = scene::SkinningMethod::dual_quaternion;
    if (type != "Blend") return {};
    out_.method = scene::SkinningMethod::blended;
    const auto points = skin["Indexes"].array<std::int32_t>();
    if (!points) return std::unexpected(points.error());
    const auto weights = skin["BlendWeights"].array<float>();
    if (!weights) return std::unexpected(weights.error());
    auto& shares = out_.influences.dual_quaternion_weights;
    shares.assign(points_, 0.0f);
    for (std::size_t i = 0; i < std::min(points->size(), weights->size()); ++i) {
        const auto point = static_cast<std::uint32_t>((*points)[i]);
        if (point < points_ && std::isfinite((*weights)[i]))
            shares[point] = std::clamp((*weights)[i], 0.0f, 1.0f);
    }
    return {};
}

LoadResult<std::optional<SkinSource>> SkinReader::run(std::span<const std::uint32_t> skins)
{
    for (const std::uint32_t skin : skins) {
        for (const ObjectConnection& connection : context_.document.sources(skin)) {
            if (context_.document.object(connection.source).type != ObjectType::cluster) continue;
            if (auto read = read_cluster(connection.source); !read) return std::unexpected(read.error());
        }
    }
    if (out_.joints.empty()) return std::nullopt;
    if (auto mixed = mix(); !mixed) return std::unexpected(mixed.error());
    if (auto read = read_method(context_.document.object(skins.front()).element); !read)
        return std::unexpected(read.error());
    return std::move(out_);
}

glm::mat4 finite_or_identity(const glm::mat4& matrix)
{
    for (glm::length_t c = 0; c < 4; ++c)
        for (glm::length_t r = 0; r < 4; ++r)
            if (!std::isfinite(matrix[c][r])) return glm::mat4(1.0f);
    return matrix;
}

} // namespace

LoadResult<std::optional<SkinSource>> read_skin(const LoadContext& context, const NodeMap& nodes,
                                                BindPoses& poses, std::uint32_t mesh, std::uint32_t model,
                                                std::size_t control_points)
{
    std::vector<std::uint32_t> skins;
    for (const ObjectConnection& connection : context.document.sources(mesh))
        if (context.document.object(connection.source).type == ObjectType::skin)
            skins.push_back(connection.source);
    if (skins.empty()) return std::nullopt;
    if (skins.size() > 1)
        context.warnings.add("second_skin", "a mesh has several skins; their weights are combined",
                             context.document.object(skins[1]).element.location());
    return SkinReader(context, nodes, poses, model, control_points).run(skins);
}

scene::Skin make_skin(const SkinSource& source, std::uint32_t node, const glm::dmat4& geometric)
{
    scene::Skin skin;
    skin.joints = source.joints;
    skin.method = source.method;
    for (const glm::dmat4& bind : source.inverse_bind)
        skin.inverse_bind.push_back(finite_or_identity(glm::mat4(bind * geometric)));
    if (source.has_remainder) {
        skin.joints.push_back(node);
        skin.inverse_bind.push_back(finite_or_identity(glm::mat4(geometric)));
    }
    return skin;
}

} // namespace vitrine::fbx
