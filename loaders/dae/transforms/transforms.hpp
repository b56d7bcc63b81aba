#pragma once
// A node's transform elements in document order, and their conversion to nodes with T, R and S.
//
// Products of translations, rotations and uniform scales are a TRS; so is one that ends in a scale. A
// rotation after a non-uniform scale (or a skew, or a matrix with shear) is not. Elements are therefore
// grouped into segments, each exactly a TRS at any time; a node has one link per segment, nearly always one.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/base/double_trs.hpp"
#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

enum class TransformKind : std::uint8_t { translate, rotate, scale, matrix, lookat, skew };

// A curve that animates numbers of an element: its dimensions from first_dimension on set the values from
// `first` on.
struct ChannelBinding {
    std::uint32_t curve = 0; // index into Animations' curves
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t first_dimension = 0;
    double factor = 1.0; // conversion from the animation's unit and axes to the node's

    bool operator==(const ChannelBinding&) const = default;
};

struct TransformElement {
    TransformKind kind = TransformKind::translate;
    std::array<double, 16> values{}; // as in the file; matrices in row order
    io::XmlNode node;
    std::vector<ChannelBinding> channel_bindings; // in document order; empty: static
    bool shears = false;                          // see shears(): split into two factors
};

using TransformValues = std::array<double, 16>;

// The state of an element at one time.
struct TransformState {
    TransformValues values{};
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; // reference for choosing the axes of a matrix with shear
};

std::optional<TransformKind> element_kind(std::string_view name);
std::uint32_t value_count(TransformKind kind);
// Reads an element. Invalid or missing numbers make it an identity, except that translations and scales keep
// the numbers they have; warns about both, and about rotations about a zero axis.
TransformElement read_element(io::XmlNode node, TransformKind kind, Documents& documents);

glm::dmat4 element_matrix(TransformKind kind, const TransformValues& values);
glm::dmat4 to_matrix(const DoubleTrs& trs);
// Returns T, R, S of a matrix; `exact` is set to whether they reproduce it.
DoubleTrs decompose(const glm::dmat4& matrix, bool& exact);

// One factor of a segment: an element, or one of the factors that compose it.
struct Factor {
    std::uint32_t element = 0;
    std::uint8_t part =
        0; // of a skew: 0 rotation, 1 scale, 2 rotation; of a matrix with shear: 0 TRS, 1 rotation
};

struct TransformSegment {
    std::vector<Factor> factors;
    std::optional<glm::dmat4> sheared; // in the static pose: the matrix itself, when it may not be a TRS
    bool moves = false;
    // The result of set_static_transform(), cached.
    scene::Trs rest;
    std::optional<glm::mat4> static_matrix;
};

// Returns at least one segment.
std::vector<TransformSegment> split_into_segments(const std::vector<TransformElement>& elements);

// Returns all elements as one segment, for static nodes; its shear, if any, as a matrix.
std::vector<TransformSegment> static_segment(const std::vector<TransformElement>& elements);

DoubleTrs factor_at(const Factor& factor, const TransformElement& element, const TransformState& state);
// Multiplies two transforms of a segment. Precondition: nothing after a non-uniform scale rotates.
DoubleTrs product(const DoubleTrs& a, const DoubleTrs& b);

// Sets the static transform of a segment in the Scene.
void set_static_transform(const TransformSegment& segment, const std::vector<TransformElement>& elements,
                          scene::Node& node);

} // namespace vitrine::dae
