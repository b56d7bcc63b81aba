#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>
#include <glm/gtc/matrix_inverse.hpp>

#include "loaders/dae/controllers/controllers.hpp"
#include "loaders/dae/document/numbers.hpp"
#include "loaders/io/string_hash.hpp"

namespace vitrine::dae {
namespace {

constexpr std::uint32_t max_offsets = 256;

glm::dmat4 matrix_of(const std::array<double, 16>& v)
{
    return {glm::dvec4(v[0], v[4], v[8], 0.0), glm::dvec4(v[1], v[5], v[9], 0.0),
            glm::dvec4(v[2], v[6], v[10], 0.0), glm::dvec4(v[3], v[7], v[11], 1.0)};
}

// Weights by position of the mesh, as stored in the file.
struct ByPosition {
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint16_t> joints;
    std::vector<float> weights;
};

class WeightReader {
public:
    WeightReader(io::XmlNode skin, std::size_t joints, Documents& documents, Sources& sources)
        : skin_(skin), node_(skin.child("vertex_weights")), joints_(joints), documents_(documents),
          sources_(sources)
    {
    }

    LoadResult<ByPosition> read()
    {
        if (auto found = find_inputs(); !found) return std::unexpected(found.error());
        ByPosition out;
        NumberReader counts(node_.child("vcount").text()), indices(node_.child("v").text());
        std::uint32_t count = 0;
        while (counts.next(count)) {
            const std::size_t begin = out.weights.size();
            std::uint32_t i = 0;
            for (std::uint64_t bad = indices.bad(); i < count && read_tuple(indices); ++i) {
                indices.bad() == bad ? add(out) : void(++bad_indices_);
                bad = indices.bad();
            }
            missing_ += count - i;
            merge(out, begin);
            out.first.push_back(static_cast<std::uint32_t>(out.weights.size()));
        }
        report();
        return out;
    }

private:
    LoadResult<void> find_inputs()
    {
        std::uint32_t stride = 1;
        for (io::XmlNode in = node_.child("input"); in.exists(); in = in.next("input")) {
            std::uint32_t offset = 0;
            NumberReader(in.attribute("offset")).next(offset);
            offset = std::min(offset, max_offsets - 1);
            stride = std::max(stride, offset + 1);
            if (in.attribute("semantic") == "JOINT") {
                joint_at_ = offset;
                find_order(documents_.find(in, in.attribute("source")));
            }
            if (in.attribute("semantic") != "WEIGHT") continue;
            weight_at_ = offset;
            auto weights = sources_.floats(documents_.find(in, in.attribute("source")));
            if (!weights) return std::unexpected(weights.error());
            weights_ = *weights;
        }
        tuple_.resize(stride);
        return {};
    }

    // Indices of <v> refer to this source, which may list the joints in another order than <joints>.
    void find_order(io::XmlNode source)
    {
        const io::XmlNode of_joints = input_source(skin_.child("joints"), "JOINT", documents_);
        if (!source.exists() || source == of_joints) return;
        const std::vector<std::string_view> names = sources_.names(source), all = sources_.names(of_joints);
        if (names == all) return;
        std::unordered_map<std::string_view, std::uint32_t, io::StringHash> by_name;
        for (std::uint32_t i = 0; i < joints_ && i < all.size(); ++i)
            by_name.try_emplace(all[i], i);
        const auto find_joint = [&](std::string_view name) {
            const auto found = by_name.find(name);
            return found == by_name.end() ? missing_joint : found->second;
        };
        std::ranges::transform(names, std::back_inserter(order_), find_joint);
        const bool none_known =
            std::ranges::all_of(order_, [](std::uint32_t joint) { return joint == missing_joint; });
        if (none_known) order_.clear(); // ids in one and sids in the other
    }

    std::uint32_t find_joint(std::uint32_t index) const
    {
        if (order_.empty() || index == scene::none) return index;
        return index < order_.size() ? order_[index] : missing_joint;
    }

    bool read_tuple(NumberReader& reader)
    {
        for (std::uint32_t& index : tuple_)
            if (!reader.next(index)) return false;
        return true;
    }

    // -1, which reads as the largest index, is the bind shape.
    void add(ByPosition& out)
    {
        const std::uint32_t joint = find_joint(tuple_[joint_at_]), weight = tuple_[weight_at_];
        if (weight >= weights_.count() || (joint >= joints_ && joint != scene::none)) {
            ++bad_indices_;
            return;
        }
        const float value = weights_.at(weight, 0);
        if (value == 0.0f) return;
        if (!(value > 0.0f)) {
            ++bad_weights_;
            return;
        }
        out.joints.push_back(static_cast<std::uint16_t>(joint == scene::none ? joints_ : joint));
        out.weights.push_back(value);
    }

    // Weights sum to 1 ("should be normalized", 1.4.1). A vertex of the bind shape alone has no weights.
    void merge(ByPosition& out, std::size_t begin)
    {
        double sum = 0.0;
        bool bound = false;
        for (std::size_t i = begin; i < out.weights.size(); ++i) {
            sum += double{out.weights[i]};
            bound |= out.joints[i] != joints_;
        }
        if (!bound) {
            out.joints.resize(begin);
            out.weights.resize(begin);
            return;
        }
        if (std::abs(sum - 1.0) < 1e-7) return;
        if (std::abs(sum - 1.0) > 0.05) ++scaled_;
        for (std::size_t i = begin; i < out.weights.size(); ++i)
            out.weights[i] = static_cast<float>(double{out.weights[i]} / sum);
    }

    void report()
    {
        if (missing_ > 0)
            documents_.warn("short_weights",
                            fmt::format("the list <v> is {} influences shorter than <vcount>", missing_),
                            node_);
        if (bad_indices_ > 0)
            documents_.warn("joint_out_of_range",
                            fmt::format("{} influences have invalid joint or weight indices", bad_indices_),
                            node_);
        if (bad_weights_ + scaled_ > 0)
            documents_.warn(
                "weight_sum",
                fmt::format("the weights of {} vertices are negative or do not sum to 1; they are "
                            "normalized",
                            bad_weights_ + scaled_),
                node_);
    }

    static constexpr std::uint32_t missing_joint = scene::none - 1;

    io::XmlNode skin_, node_;
    std::size_t joints_;
    Documents& documents_;
    Sources& sources_;
    FloatSource weights_;
    std::uint32_t joint_at_ = 0, weight_at_ = 0;
    std::vector<std::uint32_t> tuple_;
    std::vector<std::uint32_t> order_; // joint by index of <v>; empty: the index itself
    std::uint64_t bad_indices_ = 0, bad_weights_ = 0, scaled_ = 0, missing_ = 0;
};

glm::dmat4 read_bind_shape(io::XmlNode node, Documents& documents)
{
    std::array<double, 16> values{};
    NumberReader reader(node.text());
    std::size_t count = 0;
    while (count < values.size() && reader.next(values[count]))
        ++count;
    if (count == values.size() && reader.bad() == 0) return matrix_of(values);
    if (node.exists())
        documents.warn("invalid_transform",
                       "the bind shape matrix does not have 16 numbers; the identity is used", node);
    return glm::dmat4(1.0);
}

} // namespace

LoadResult<SkinJoints> read_skin_joints(io::XmlNode skin, Documents& documents, Sources& sources)
{
    SkinJoints out;
    out.bind_shape = read_bind_shape(skin.child("bind_shape_matrix"), documents);
    const io::XmlNode joints = skin.child("joints");
    const io::XmlNode names = input_source(joints, "JOINT", documents);
    out.names = sources.names(names);
    out.are_ids = sources.holds_ids(names);
    const auto matrices = sources.floats(input_source(joints, "INV_BIND_MATRIX", documents));
    if (!matrices) return std::unexpected(matrices.error());
    for (std::uint32_t j = 0; j < out.names.size(); ++j) {
        std::array<double, 16> m{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        for (std::uint32_t i = 0; i < 16 && j < matrices->count() && matrices->components() >= 16; ++i)
            m[i] = double{matrices->at(j, i)};
        out.inverse_bind.push_back(matrix_of(m));
    }
    if (matrices->count() < out.names.size() || (matrices->exists() && matrices->components() < 16))
        documents.warn("missing_bind_matrix",
                       fmt::format("{} bind matrices for {} joints", matrices->count(), out.names.size()),
                       joints);
    return out;
}

LoadResult<BindShapeVertices> add_influences(io::XmlNode skin, std::size_t joints, BuiltMesh& built,
                                             Documents& documents, Sources& sources, io::Budget& budget)
{
    auto by_position = WeightReader(skin, joints, documents, sources).read();
    if (!by_position) return std::unexpected(by_position.error());
    scene::Influences& out = built.mesh.influences;
    std::uint64_t count = 0;
    const std::size_t listed = by_position->first.size() - 1;
    if (listed < built.positions)
        documents.warn("short_weights",
                       fmt::format("{} of {} positions have no influences; they follow the node",
                                   built.positions - listed, built.positions),
                       skin.child("vertex_weights"));
    for (const std::uint32_t p : built.position_of)
        count += p < listed ? by_position->first[p + 1] - by_position->first[p] : 0;
    if (auto taken = documents.at(skin, budget.take_influences(count, {})); !taken)
        return std::unexpected(taken.error());
    out.first.reserve(built.position_of.size() + 1);
    out.joints.reserve(static_cast<std::size_t>(count));
    out.weights.reserve(static_cast<std::size_t>(count));
    out.first.push_back(0);
    BindShapeVertices use;
    for (const std::uint32_t p : built.position_of) {
        for (std::uint32_t i = p < listed ? by_position->first[p] : 0;
             p < listed && i < by_position->first[p + 1]; ++i) {
            out.joints.push_back(by_position->joints[i]);
            out.weights.push_back(by_position->weights[i]);
            use.has_partial |= by_position->joints[i] == joints;
        }
        use.has_unskinned |= out.first.back() == out.weights.size();
        out.first.push_back(static_cast<std::uint32_t>(out.weights.size()));
    }
    return use;
}

void apply_bind_shape(const glm::dmat4& bind_shape, scene::Mesh& mesh)
{
    const glm::dmat3 linear(bind_shape);
    const glm::dmat3 of_normals = glm::determinant(linear) != 0.0 ? glm::inverseTranspose(linear) : linear;
    std::vector<double> lengths(mesh.normals.size(), 1.0);
    for (glm::vec3& p : mesh.positions)
        p = glm::vec3(bind_shape * glm::dvec4(p, 1.0));
    for (std::size_t v = 0; v < mesh.normals.size(); ++v) {
        const glm::dvec3 normal = of_normals * glm::dvec3(mesh.normals[v]);
        const double length = glm::length(normal);
        if (!(length > 0.0)) continue;
        lengths[v] = length;
        mesh.normals[v] = glm::vec3(normal / length);
    }
    for (scene::MorphTarget& target : mesh.morph_targets) {
        for (glm::vec3& delta : target.position_deltas)
            delta = glm::vec3(linear * glm::dvec3(delta));
        for (std::size_t i = 0; i < target.normal_deltas.size(); ++i)
            target.normal_deltas[i] =
                glm::vec3(of_normals * glm::dvec3(target.normal_deltas[i]) / lengths[target.vertices[i]]);
    }
}

} // namespace vitrine::dae
