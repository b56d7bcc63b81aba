#include "loaders/gltf/meshes/influences.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/gltf/document/accessor.hpp"
#include "loaders/gltf/document/component_types.hpp"

namespace vitrine::gltf {
namespace {

constexpr unsigned max_sets = 1000; // four influences each

struct AttributeSet {
    std::vector<std::uint32_t> joints; // four per vertex
    std::vector<float> weights;
    bool is_placeholder = false; // zeros without a buffer
};

// Returns nullopt when it is ignored, with a warning.
std::optional<Accessor> find_fitting(Document& document, io::JsonValue index, std::uint32_t vertices)
{
    LoadResult<Accessor> accessor = find_accessor(document, index);
    std::string reason;
    if (!accessor)
        reason = accessor.error().detail;
    else if (accessor->count != vertices || accessor->components != 4)
        reason = fmt::format("{} values of {} components for {} vertices", accessor->count,
                             accessor->components, vertices);
    if (reason.empty()) return std::move(*accessor);
    document.warnings().add("invalid_attribute", "the skin weights are ignored: " + reason, index.pointer());
    return std::nullopt;
}

// Sets are numbered from 0 without gaps; sets after a gap are ignored.
void warn_about_gap(Document& document, io::JsonValue attributes, unsigned sets)
{
    std::size_t found = 0;
    for (const io::JsonValue attribute : attributes)
        found += attribute.key().starts_with("JOINTS_") || attribute.key().starts_with("WEIGHTS_");
    if (found > 2 * std::size_t{sets})
        document.warnings().add(
            "invalid_attribute",
            fmt::format("set {} of the skin weights is missing; later sets are ignored", sets),
            attributes.pointer());
}

LoadResult<std::vector<AttributeSet>> read_sets(Document& document, io::JsonValue attributes,
                                                std::uint32_t vertices)
{
    std::vector<AttributeSet> sets;
    for (unsigned n = 0; n < max_sets; ++n) {
        const io::JsonValue joints = attributes[fmt::format("JOINTS_{}", n)];
        const io::JsonValue weights = attributes[fmt::format("WEIGHTS_{}", n)];
        if (!joints.exists() && !weights.exists()) {
            warn_about_gap(document, attributes, n);
            return sets;
        }
        if (!joints.exists() || !weights.exists()) {
            document.warnings().add("invalid_attribute",
                                    fmt::format("set {} has only joints or only weights; it is ignored", n),
                                    attributes.pointer());
            continue;
        }
        const auto joint_accessor = find_fitting(document, joints, vertices);
        const auto weight_accessor = find_fitting(document, weights, vertices);
        if (!joint_accessor || !weight_accessor) continue;
        if (auto taken = document.budget().take_influences(std::uint64_t{vertices} * 4, joints.pointer());
            !taken)
            return std::unexpected(taken.error());
        check_format(document, *joint_accessor, AccessorUsage::joints, joints);
        check_format(document, *weight_accessor, AccessorUsage::weights, weights);
        sets.push_back({read_integers(*joint_accessor), read_floats(*weight_accessor),
                        !weight_accessor->has_view && !weight_accessor->sparse});
    }
    document.warnings().add("invalid_attribute",
                            fmt::format("more than {} sets of skin weights; the excess is ignored", max_sets),
                            attributes.pointer());
    return sets;
}

// Reads the dual quaternion weights that Vitrine's own export writes (skins.cpp); empty without them.
std::vector<float> read_dual_quaternion_weights(Document& document, io::JsonValue attributes,
                                                std::uint32_t vertices)
{
    const io::JsonValue index = attributes["_DUAL_QUATERNION_WEIGHT"];
    if (!index.exists()) return {};
    const LoadResult<Accessor> accessor = find_accessor(document, index);
    if (!accessor || accessor->count != vertices || accessor->components != 1)
        return {}; // written by another program
    std::vector<float> weights = read_floats(*accessor);
    for (float& weight : weights)
        weight = weight > 0.0f ? std::min(weight, 1.0f) : 0.0f;
    return weights;
}

// The repairs of a primitive's weights.
struct Repairs {
    bool joint_too_large = false; // exceeds 16 bits
    std::uint32_t vertices = 0; // vertices with weights that were negative, not finite or far from a sum of 1
    std::uint32_t unweighted = 0; // vertices whose weights were all 0
};

// More than four normalized bytes deviate by rounding.
constexpr double sum_tolerance = 0.05;

// Normalizes the weights from `begin` on and returns their previous sum. They are positive and finite, but
// may be very small or large.
double normalize(std::span<float> weights, std::size_t begin)
{
    double sum = 0.0;
    for (std::size_t n = begin; n < weights.size(); ++n)
        sum += double{weights[n]};
    if (std::abs(sum - 1.0) < 1e-7) return sum;
    for (std::size_t n = begin; n < weights.size(); ++n)
        weights[n] = static_cast<float>(double{weights[n]} / sum);
    return sum;
}

void add_vertex(const std::vector<AttributeSet>& sets, std::size_t vertex, scene::Influences& out,
                Repairs& repairs)
{
    bool has_invalid = false;
    const std::size_t begin = out.weights.size();
    for (const AttributeSet& set : sets)
        for (std::size_t n = 4 * vertex; n < 4 * vertex + 4; ++n) {
            if (set.weights[n] == 0.0f) continue;
            if (!(set.weights[n] > 0.0f) || !std::isfinite(set.weights[n])) {
                has_invalid = true;
                continue;
            }
            if (set.joints[n] > 0xFFFFu) {
                repairs.joint_too_large = true;
                continue;
            }
            out.joints.push_back(static_cast<std::uint16_t>(set.joints[n]));
            out.weights.push_back(set.weights[n]);
        }
    if (!has_invalid && out.weights.size() == begin)
        ++repairs.unweighted;
    else
        repairs.vertices += (std::abs(normalize(out.weights, begin) - 1.0) > sum_tolerance) || has_invalid;
    out.first.push_back(static_cast<std::uint32_t>(out.weights.size()));
}

} // namespace

LoadResult<scene::Influences> read_influences(Document& document, io::JsonValue attributes,
                                              std::uint32_t vertices)
{
    const LoadResult<std::vector<AttributeSet>> sets = read_sets(document, attributes, vertices);
    if (!sets) return std::unexpected(sets.error());
    scene::Influences out;
    if (sets->empty()) return out;
    out.first.reserve(std::size_t{vertices} + 1);
    out.first.push_back(0);
    Repairs repairs;
    for (std::uint32_t v = 0; v < vertices; ++v)
        add_vertex(*sets, v, out, repairs);
    out.dual_quaternion_weights = read_dual_quaternion_weights(document, attributes, vertices);
    const bool weighted = !std::ranges::all_of(*sets, &AttributeSet::is_placeholder);
    if (repairs.vertices > 0 && weighted)
        document.warnings().add(
            "weight_sum",
            fmt::format("the weights of {} vertices are negative or do not sum to 1; they are normalized",
                        repairs.vertices),
            attributes.pointer());
    if (repairs.unweighted > 0 && weighted)
        document.warnings().add(
            "weight_sum",
            fmt::format("the weights of {} vertices are all 0; they follow the mesh's node",
                        repairs.unweighted),
            attributes.pointer());
    if (repairs.joint_too_large)
        document.warnings().add("joint_out_of_range",
                                "influences have joints that no skin has; they are ignored",
                                attributes.pointer());
    return out;
}

scene::Influences gather(const scene::Influences& influences, const std::vector<std::uint32_t>& corners)
{
    scene::Influences out;
    if (influences.first.empty()) return out;
    out.first.push_back(0);
    for (const std::uint32_t corner : corners) {
        for (std::uint32_t n = influences.first[corner]; n < influences.first[corner + 1]; ++n) {
            out.joints.push_back(influences.joints[n]);
            out.weights.push_back(influences.weights[n]);
        }
        out.first.push_back(static_cast<std::uint32_t>(out.weights.size()));
        if (!influences.dual_quaternion_weights.empty())
            out.dual_quaternion_weights.push_back(influences.dual_quaternion_weights[corner]);
    }
    return out;
}

void append(scene::Influences& to, std::size_t vertices, const scene::Influences& more,
            std::size_t more_vertices)
{
    if (to.first.empty() && more.first.empty()) return;
    if (to.first.empty()) to.first.assign(vertices + 1, 0);
    const auto offset = static_cast<std::uint32_t>(to.weights.size());
    for (std::size_t v = 0; v < more_vertices; ++v)
        to.first.push_back(offset + (more.first.empty() ? 0 : more.first[v + 1]));
    to.joints.insert(to.joints.end(), more.joints.begin(), more.joints.end());
    to.weights.insert(to.weights.end(), more.weights.begin(), more.weights.end());
    auto& dual_weights = to.dual_quaternion_weights;
    if (dual_weights.empty() && more.dual_quaternion_weights.empty()) return;
    dual_weights.resize(vertices);
    dual_weights.insert(dual_weights.end(), more.dual_quaternion_weights.begin(),
                        more.dual_quaternion_weights.end());
    dual_weights.resize(vertices + more_vertices);
}

std::size_t drop_invalid_joints(scene::Influences& influences, std::size_t joints)
{
    const auto beyond = [&](std::uint16_t joint) { return joint >= joints; };
    const auto removed = static_cast<std::size_t>(std::ranges::count_if(influences.joints, beyond));
    if (removed == 0) return 0;
    scene::Influences valid;
    valid.first.push_back(0);
    for (std::size_t v = 0; v + 1 < influences.first.size(); ++v) {
        const std::size_t begin = valid.weights.size();
        for (std::uint32_t n = influences.first[v]; n < influences.first[v + 1]; ++n) {
            // A weight may have become 0 next to a very large one.
            if (beyond(influences.joints[n]) || influences.weights[n] == 0.0f) continue;
            valid.joints.push_back(influences.joints[n]);
            valid.weights.push_back(influences.weights[n]);
        }
        normalize(valid.weights, begin);
        valid.first.push_back(static_cast<std::uint32_t>(valid.weights.size()));
    }
    valid.dual_quaternion_weights = std::move(influences.dual_quaternion_weights);
    influences = std::move(valid);
    return removed;
}

} // namespace vitrine::gltf
