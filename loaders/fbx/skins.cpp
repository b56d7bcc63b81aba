#include "loaders/fbx/skins.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace vitrine::fbx {
namespace {

struct Cluster {
    std::uint16_t joint = 0; // in SkinSource::joints
    std::vector<std::int32_t> points;
    std::vector<float> weights;
};

class SkinReader {
public:
    SkinReader(const Import& import, const NodeMap& nodes, BindPoses& poses, std::uint32_t model,
               std::size_t points)
        : import_(import), nodes_(nodes), poses_(poses), model_(model), points_(points)
    {
    }

    LoadResult<std::optional<SkinSource>> run(std::uint32_t skin);

private:
    LoadResult<void> read_cluster(std::uint32_t cluster);
    LoadResult<glm::dmat4> inverse_bind_of(Element cluster, std::uint32_t joint);
    void warn_of_mode(const Object& cluster, Element stored);
    LoadResult<void> gather();
    LoadResult<void> read_method(Element skin);
    std::uint32_t joint_of(std::uint32_t cluster) const;

    const Import& import_;
    const NodeMap& nodes_;
    BindPoses& poses_;
    std::uint32_t model_;
    std::size_t points_;
    std::vector<Cluster> clusters_;
    std::uint64_t points_read_ = 0;
    SkinSource out_;
};

// The file's Transform is the mesh seen from the joint when both were bound, although the SDK's function of
// that name gives the mesh's global matrix. Without it: from what is known of both.
LoadResult<glm::dmat4> SkinReader::inverse_bind_of(Element cluster, std::uint32_t joint)
{
    const auto transform = read_matrix(cluster["Transform"]);
    if (!transform) return std::unexpected(transform.error());
    if (*transform) return **transform;
    const auto link = read_matrix(cluster["TransformLink"]);
    if (!link) return std::unexpected(link.error());
    const glm::dmat4 of_joint = *link ? **link : poses_.matrix_of(joint);
    if (std::abs(glm::determinant(glm::dmat3(of_joint))) < 1e-30) return glm::dmat4(1.0);
    return glm::inverse(of_joint) * poses_.matrix_of(model_);
}

void SkinReader::warn_of_mode(const Object& cluster, Element stored)
{
    if (stored.text("Mode") == "Additive")
        import_.warnings.add("unsupported_link_mode", "an additive cluster is mixed like the others",
                             cluster.element.place());
}

std::uint32_t SkinReader::joint_of(std::uint32_t cluster) const
{
    const std::uint32_t model = import_.document.source_of_type(cluster, Type::model);
    return model == no_object || nodes_.node_of[model] == scene::none ? no_object : model;
}

LoadResult<void> SkinReader::read_cluster(std::uint32_t index)
{
    const Object& object = import_.document.object(index);
    const Element stored = object.part.exists() ? object.part : object.element;
    const std::uint32_t joint = joint_of(index);
    if (joint == no_object) {
        import_.warnings.add("cluster_without_joint", "weights without a joint are left out", stored.place());
        return {};
    }
    if (out_.joints.size() >= import_.limits.joints)
        return fail(LoadErrc::limit_exceeded, stored.place(),
                    fmt::format("more than the limit joints = {}", import_.limits.joints));
    warn_of_mode(object, stored);
    auto points = stored["Indexes"].array<std::int32_t>();
    if (!points) return std::unexpected(points.error());
    auto weights = stored["Weights"].array<float>();
    if (!weights) return std::unexpected(weights.error());
    const auto bind = inverse_bind_of(stored, joint);
    if (!bind) return std::unexpected(bind.error());
    if (points->size() != weights->size())
        import_.warnings.add("weight_count", "a cluster has not one weight for each index", stored.place());
    points->resize(std::min(points->size(), weights->size()));
    points_read_ += points->size();
    if (points_read_ > import_.limits.influences)
        return fail(LoadErrc::limit_exceeded, stored.place(),
                    fmt::format("more than the limit influences = {}", import_.limits.influences));
    clusters_.push_back(
        {static_cast<std::uint16_t>(out_.joints.size()), std::move(*points), std::move(*weights)});
    out_.joints.push_back(nodes_.node_of[joint]);
    out_.inverse_bind.push_back(*bind);
    return {};
}

// Clusters list points, influences list joints. Sums other than 1 are usual and mean their shares.
LoadResult<void> SkinReader::gather()
{
    scene::Influences& out = out_.influences;
    out.first.assign(points_ + 1, 0);
    std::vector<double> sums(points_, 0.0);
    const auto counts = [&](const Cluster& cluster, std::size_t i) {
        const auto point = static_cast<std::uint32_t>(cluster.points[i]);
        return point < points_ && cluster.weights[i] > 0.0f && std::isfinite(cluster.weights[i]);
    };
    std::uint64_t total = 0, strays = 0;
    for (const Cluster& cluster : clusters_) {
        for (std::size_t i = 0; i < cluster.points.size(); ++i) {
            strays += static_cast<std::uint32_t>(cluster.points[i]) >= points_ ? 1 : 0;
            if (!counts(cluster, i)) continue;
            const auto point = static_cast<std::size_t>(cluster.points[i]);
            ++out.first[point + 1];
            sums[point] += double{cluster.weights[i]};
            ++total;
        }
    }
    if (strays > 0)
        import_.warnings.add("index_out_of_range", fmt::format("{} weights belong to no vertex", strays),
                             import_.document.object(model_).element.place());
    if (total > import_.limits.influences || total >= scene::none)
        return fail(LoadErrc::limit_exceeded, {},
                    fmt::format("{} influences are more than the limit influences = {}", total,
                                import_.limits.influences));
    for (std::size_t i = 1; i < out.first.size(); ++i)
        out.first[i] += out.first[i - 1];
    out.joints.resize(total);
    out.weights.resize(total);
    std::vector<std::uint32_t> next(out.first.begin(), out.first.end() - 1);
    for (const Cluster& cluster : clusters_) {
        for (std::size_t i = 0; i < cluster.points.size(); ++i) {
            if (!counts(cluster, i)) continue;
            const auto point = static_cast<std::size_t>(cluster.points[i]);
            out.joints[next[point]] = cluster.joint;
            out.weights[next[point]++] = static_cast<float>(double{cluster.weights[i]} / sums[point]);
        }
    }
    return {};
}

// "Rigid" is evaluated as linear by the SDK too. Under "Blend" points that are not listed are linear.
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

LoadResult<std::optional<SkinSource>> SkinReader::run(std::uint32_t skin)
{
    for (const Connection& connection : import_.document.sources(skin)) {
        if (import_.document.object(connection.source).type != Type::cluster) continue;
        if (auto read = read_cluster(connection.source); !read) return std::unexpected(read.error());
    }
    if (out_.joints.empty()) return std::nullopt;
    if (auto gathered = gather(); !gathered) return std::unexpected(gathered.error());
    if (auto read = read_method(import_.document.object(skin).element); !read)
        return std::unexpected(read.error());
    return std::move(out_);
}

} // namespace

LoadResult<std::optional<SkinSource>> read_skin(const Import& import, const NodeMap& nodes, BindPoses& poses,
                                                std::uint32_t mesh, std::uint32_t model,
                                                std::size_t control_points)
{
    std::optional<SkinSource> found;
    for (const Connection& connection : import.document.sources(mesh)) {
        const Object& skin = import.document.object(connection.source);
        if (skin.type != Type::skin) continue;
        if (found) {
            import.warnings.add("second_skin", "only the first skin of a mesh moves it",
                                skin.element.place());
            break;
        }
        auto read = SkinReader(import, nodes, poses, model, control_points).run(connection.source);
        if (!read) return std::unexpected(read.error());
        found = std::move(*read);
    }
    return found;
}

scene::Influences spread(const scene::Influences& by_point, std::span<const std::uint32_t> control_points)
{
    scene::Influences out;
    out.first.reserve(control_points.size() + 1);
    out.first.push_back(0);
    std::size_t total = 0;
    for (const std::uint32_t point : control_points)
        total += by_point.first[point + 1] - by_point.first[point];
    out.joints.reserve(total);
    out.weights.reserve(total);
    for (const std::uint32_t point : control_points) {
        const auto begin = static_cast<std::ptrdiff_t>(by_point.first[point]),
                   end = static_cast<std::ptrdiff_t>(by_point.first[point + 1]);
        out.joints.insert(out.joints.end(), by_point.joints.begin() + begin, by_point.joints.begin() + end);
        out.weights.insert(out.weights.end(), by_point.weights.begin() + begin,
                           by_point.weights.begin() + end);
        out.first.push_back(static_cast<std::uint32_t>(out.joints.size()));
        if (!by_point.dual_quaternion_weights.empty())
            out.dual_quaternion_weights.push_back(by_point.dual_quaternion_weights[point]);
    }
    return out;
}

} // namespace vitrine::fbx
