#pragma once
// A node's transform elements in document order, and how they become nodes with T, R and S.
//
// Products of translations, rotations and uniform scales are a T R S; so is one that ends in a scale. Only a
// rotation behind a scale along axes (or a skew, a sheared matrix) is none. Elements are therefore grouped
// into runs, each exactly a T R S at any time; a node has as many links as it has runs, nearly always one.

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include "loaders/dae/curves/curve.hpp"
#include "loaders/dae/document/documents.hpp"
#include "loaders/io/xml/xml.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

enum class ElementKind : std::uint8_t { translate, rotate, scale, matrix, lookat, skew };

// A curve that moves numbers of an element: its dimensions from first_dimension on go to the values from
// `first` on.
struct ChannelBinding {
    std::uint32_t curve = 0; // index, of Animations
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t first_dimension = 0;
    double factor = 1.0; // from the animation's unit and axes to the node's

    bool operator==(const ChannelBinding&) const = default;
};

struct Element {
    ElementKind kind = ElementKind::translate;
    std::array<double, 16> values{}; // as in the file; matrices row by row
    io::XmlNode node;
    std::vector<ChannelBinding> channel_bindings; // in document order; empty: at rest
    bool shears = false;                          // shearing.hpp: two factors, as a Stretch
};

struct DoubleTrs {
    glm::dvec3 translation{0.0};
    glm::dquat rotation{1.0, 0.0, 0.0, 0.0};
    glm::dvec3 scale{1.0};
};

using Values = std::array<double, 16>;

// An element at one time.
struct ElementState {
    Values values{};
    glm::dquat axes{1.0, 0.0, 0.0, 0.0}; // near which those of a matrix that shears are looked for
};

std::optional<ElementKind> element_kind(std::string_view name);
std::uint32_t value_count(ElementKind kind);
// The element as it stands. One whose numbers are none, or too few, does nothing, but for what a translation
// or scale has; with a warning, as has a turn around nothing.
Element read_element(io::XmlNode node, ElementKind kind, Documents& documents);

glm::dmat4 element_matrix(ElementKind kind, const Values& values);
glm::dmat4 to_matrix(const DoubleTrs& trs);
// T, R, S of a matrix; `exact` says whether they make it again.
DoubleTrs decompose(const glm::dmat4& matrix, bool& exact);

// One factor of a run: an element, or one of the factors that make it.
struct Factor {
    std::uint32_t element = 0;
    std::uint8_t part = 0; // of a skew: 0 turn, 1 scale, 2 turn; of a matrix that shears: 0 T R S, 1 turn
};

struct TransformSegment {
    std::vector<Factor> factors;
    std::optional<glm::dmat4> sheared; // at rest: the matrix itself, where it may be no T R S
    bool moves = false;
    // set_rest(), for those who ask often.
    scene::Trs rest;
    std::optional<glm::mat4> rest_matrix;
};

// At least one run.
std::vector<TransformSegment> split_into_segments(const std::vector<Element>& elements);

// All elements as one run, for what never moves; its shear, where it has one, as a matrix.
std::vector<TransformSegment> rest_segment(const std::vector<Element>& elements);

DoubleTrs factor_at(const Factor& factor, const Element& element, const ElementState& state);
// Of two of a run: what stands behind a scale along axes does not turn.
DoubleTrs product(const DoubleTrs& a, const DoubleTrs& b);

// The rest transform of a run as the Scene has it.
void set_rest(const TransformSegment& segment, const std::vector<Element>& elements, scene::Node& node);

} // namespace vitrine::dae
