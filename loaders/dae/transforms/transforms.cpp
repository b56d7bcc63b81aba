#include "loaders/dae/transforms/transforms.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/dae/transforms/shear_decomposition.hpp"
#include "loaders/dae/transforms/shear_element.hpp"
#include "loaders/dae/transforms/vectors.hpp"
#include "loaders/scene/motion/pose.hpp"

namespace vitrine::dae {
namespace {

TransformValues identity_of(TransformKind kind)
{
    TransformValues values{};
    if (kind == TransformKind::scale) values = {1.0, 1.0, 1.0};
    if (kind == TransformKind::rotate) values = {0.0, 0.0, 1.0, 0.0};
    if (kind == TransformKind::lookat) values = {0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0};
    if (kind == TransformKind::matrix)
        for (std::size_t i = 0; i < 16; i += 5)
            values[i] = 1.0;
    return values;
}

// The view direction is -z.
glm::dmat4 look_at(const TransformValues& v)
{
    const glm::dvec3 eye = vec3(v, 0);
    const glm::dvec3 z = unit_or(eye - vec3(v, 3), {0.0, 0.0, 1.0});
    const glm::dvec3 any = std::abs(z.y) < 0.9 ? glm::dvec3(0.0, 1.0, 0.0) : glm::dvec3(1.0, 0.0, 0.0);
    const glm::dvec3 x = unit_or(glm::cross(vec3(v, 6), z), glm::normalize(glm::cross(any, z)));
    const glm::dvec3 y = glm::cross(z, x);
    return {glm::dvec4(x, 0.0), glm::dvec4(y, 0.0), glm::dvec4(z, 0.0), glm::dvec4(eye, 1.0)};
}

bool is_uniform(const glm::dvec3& scale)
{
    const double tolerance = 1e-6 * std::abs(scale.x);
    return std::abs(scale.y - scale.x) <= tolerance && std::abs(scale.z - scale.x) <= tolerance;
}

DoubleTrs stretch_part(TransformKind kind, const TransformState& state, std::uint8_t part)
{
    const glm::dmat4 m = element_matrix(kind, state.values);
    const SvdFactors stretch = decompose_svd(glm::dmat3(m), state.axes);
    if (part == 0) return {glm::dvec3(m[3]), stretch.turn, stretch.scale};
    return {glm::dvec3(0.0), glm::inverse(stretch.axes), glm::dvec3(1.0)};
}

// The effect of a factor on a segment.
struct FactorProperties {
    bool turns = false;     // must not follow a non-uniform scale
    bool stretches = false; // has a non-uniform scale, or may have one while animated
};

FactorProperties properties_of(const Factor& factor, const TransformElement& element)
{
    if (element.shears) return {.turns = true, .stretches = factor.part == 0};
    const bool moves = !element.channel_bindings.empty();
    switch (element.kind) {
    case TransformKind::translate: return {};
    case TransformKind::rotate:
    case TransformKind::lookat: return {.turns = true};
    case TransformKind::scale: return {.stretches = moves || !is_uniform(vec3(element.values, 0))};
    case TransformKind::skew: return {.turns = factor.part != 1, .stretches = factor.part == 1};
    case TransformKind::matrix: break;
    }
    bool exact = true;
    const DoubleTrs trs = decompose(element_matrix(element.kind, element.values), exact);
    const bool straight = std::abs(std::abs(trs.rotation.w) - 1.0) < 1e-12;
    return {.turns = moves || !straight, .stretches = moves || !is_uniform(trs.scale)};
}

bool is_statically_sheared(const TransformElement& element)
{
    bool exact = true;
    if (element.kind == TransformKind::matrix && element.channel_bindings.empty())
        decompose(element_matrix(element.kind, element.values), exact);
    return !exact;
}

} // namespace

std::optional<TransformKind> element_kind(std::string_view name)
{
    if (name == "translate") return TransformKind::translate;
    if (name == "rotate") return TransformKind::rotate;
    if (name == "scale") return TransformKind::scale;
    if (name == "matrix") return TransformKind::matrix;
    if (name == "lookat") return TransformKind::lookat;
    if (name == "skew") return TransformKind::skew;
    return std::nullopt;
}

std::uint32_t value_count(TransformKind kind)
{
    switch (kind) {
    case TransformKind::translate:
    case TransformKind::scale: return 3;
    case TransformKind::rotate: return 4;
    case TransformKind::skew: return 7;
    case TransformKind::lookat: return 9;
    case TransformKind::matrix: break;
    }
    return 16;
}

TransformElement read_element(io::XmlNode node, TransformKind kind, Documents& documents)
{
    TransformElement element{.kind = kind, .node = node, .channel_bindings = {}};
    element.values = identity_of(kind);
    const std::uint32_t wanted = value_count(kind);
    NumberReader reader(node.text());
    TransformValues read = element.values;
    std::uint32_t count = 0;
    while (count < wanted && reader.next(read[count]))
        ++count;
    const bool may_be_short = kind == TransformKind::translate || kind == TransformKind::scale;
    if (reader.bad() == 0 && (count == wanted || may_be_short)) element.values = read;
    const auto warn = [&](const std::string& what) {
        documents.warn("invalid_transform", fmt::format("<{}> {}", node.name(), what), node);
    };
    if (reader.bad() > 0)
        warn("contains words that are not numbers; it is ignored");
    else if (count < wanted)
        warn(fmt::format("has {} of {} numbers", count, wanted));
    else if (kind == TransformKind::rotate && vec3(read, 0) == glm::dvec3(0.0) && read[3] != 0.0)
        warn("has a zero rotation axis");
    return element;
}

// The last row is assumed to be 0 0 0 1.
glm::dmat4 element_matrix(TransformKind kind, const TransformValues& v)
{
    switch (kind) {
    case TransformKind::lookat: return look_at(v);
    case TransformKind::skew: return shear_element_matrix(v);
    case TransformKind::matrix:
        return {glm::dvec4(v[0], v[4], v[8], 0.0), glm::dvec4(v[1], v[5], v[9], 0.0),
                glm::dvec4(v[2], v[6], v[10], 0.0), glm::dvec4(v[3], v[7], v[11], 1.0)};
    case TransformKind::translate:
    case TransformKind::rotate:
    case TransformKind::scale: break;
    }
    return to_matrix(
        factor_at({}, TransformElement{.kind = kind, .node = {}, .channel_bindings = {}}, {.values = v}));
}

glm::dmat4 to_matrix(const DoubleTrs& trs)
{
    glm::dmat4 m(glm::mat3_cast(trs.rotation));
    for (glm::length_t c = 0; c < 3; ++c)
        m[c] *= trs.scale[c];
    m[3] = glm::dvec4(trs.translation, 1.0);
    return m;
}

// The scene's decomposition uses floats, which is sufficient for the axes; translation and scale keep double
// precision.
DoubleTrs decompose(const glm::dmat4& matrix, bool& exact)
{
    const scene::Trs rough = scene::decompose(glm::mat4(matrix));
    DoubleTrs trs{glm::dvec3(matrix[3]), glm::normalize(glm::dquat(rough.rotation)), glm::dvec3(0.0)};
    const glm::dmat3 axes = glm::mat3_cast(trs.rotation);
    exact = true;
    for (glm::length_t c = 0; c < 3; ++c) {
        const glm::dvec3 column(matrix[c]);
        trs.scale[c] = glm::dot(axes[c], column);
        exact &= glm::length(column - axes[c] * trs.scale[c]) <= 1e-5 * glm::length(column);
    }
    return trs;
}

std::vector<TransformSegment> split_into_segments(const std::vector<TransformElement>& elements)
{
    std::vector<TransformSegment> segments(1);
    bool stretched = false;
    const auto begin_run = [&] {
        if (!segments.back().factors.empty()) segments.emplace_back();
        stretched = false;
    };
    for (std::uint32_t e = 0; e < elements.size(); ++e) {
        const TransformElement& element = elements[e];
        if (is_statically_sheared(element)) {
            begin_run();
            segments.back().factors.push_back({.element = e});
            segments.back().sheared = element_matrix(element.kind, element.values);
            segments.emplace_back();
            continue;
        }
        const std::uint8_t parts = element.shears ? 2 : element.kind == TransformKind::skew ? 3 : 1;
        for (std::uint8_t part = 0; part < parts; ++part) {
            const Factor factor{.element = e, .part = part};
            const FactorProperties shape = properties_of(factor, element);
            if (stretched && shape.turns) begin_run();
            segments.back().factors.push_back(factor);
            segments.back().moves |= !element.channel_bindings.empty();
            stretched |= shape.stretches;
        }
    }
    if (segments.size() > 1 && segments.back().factors.empty()) segments.pop_back();
    return segments;
}

std::vector<TransformSegment> static_segment(const std::vector<TransformElement>& elements)
{
    std::vector<TransformSegment> segments = split_into_segments(elements);
    if (segments.size() == 1) return segments;
    glm::dmat4 matrix(1.0);
    for (const TransformElement& element : elements)
        matrix = matrix * element_matrix(element.kind, element.values);
    TransformSegment segment;
    segment.sheared = matrix;
    return {segment};
}

DoubleTrs factor_at(const Factor& factor, const TransformElement& element, const TransformState& state)
{
    if (element.shears) return stretch_part(element.kind, state, factor.part);
    const TransformValues& v = state.values;
    DoubleTrs trs;
    bool exact = true;
    switch (element.kind) {
    case TransformKind::translate: trs.translation = vec3(v, 0); break;
    case TransformKind::rotate: trs.rotation = turn(vec3(v, 0), v[3] * degree); break;
    case TransformKind::scale: trs.scale = vec3(v, 0); break;
    case TransformKind::skew: return shear_element_part(v, factor.part);
    case TransformKind::matrix:
    case TransformKind::lookat: return decompose(element_matrix(element.kind, v), exact);
    }
    return trs;
}

DoubleTrs product(const DoubleTrs& a, const DoubleTrs& b)
{
    return {a.translation + a.rotation * (a.scale * b.translation), a.rotation * b.rotation,
            a.scale * b.scale};
}

void set_static_transform(const TransformSegment& segment, const std::vector<TransformElement>& elements,
                          scene::Node& node)
{
    if (segment.sheared) {
        bool exact = true;
        const DoubleTrs near = decompose(*segment.sheared, exact);
        if (!exact) node.matrix = glm::mat4(*segment.sheared);
        node.local = {glm::vec3(near.translation), glm::quat(near.rotation), glm::vec3(near.scale)};
        return;
    }
    DoubleTrs trs;
    for (const Factor& factor : segment.factors) {
        const TransformElement& element = elements[factor.element];
        trs = product(trs, factor_at(factor, element, {.values = element.values}));
    }
    node.local = {glm::vec3(trs.translation), glm::quat(glm::normalize(trs.rotation)), glm::vec3(trs.scale)};
}

} // namespace vitrine::dae
