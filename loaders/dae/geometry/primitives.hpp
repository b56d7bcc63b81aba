#pragma once
// Reads the primitives of one mesh corner by corner: finds vertices, creates triangles and lines.

#include <span>
#include <string_view>
#include <vector>

#include "loaders/dae/document/numbers.hpp"
#include "loaders/dae/geometry/geometry.hpp"
#include "loaders/dae/geometry/vertex_table.hpp"

namespace vitrine::dae {

// The sources of a primitive's attributes. Primitives share vertices only when these are equal.
struct Attributes {
    FloatSource normal, uv0, uv1, color, uv2;
    bool same_sources(const Attributes& other) const
    {
        return normal.key() == other.normal.key() && uv0.key() == other.uv0.key() &&
               uv1.key() == other.uv1.key() && color.key() == other.color.key() &&
               uv2.key() == other.uv2.key();
    }
};

// The offsets of a corner's indices in <p>.
struct CornerLayout {
    static constexpr std::uint32_t absent = scene::none;
    std::uint32_t stride = 1;
    std::uint32_t position = 0;
    std::uint32_t normal = absent, uv0 = absent, uv1 = absent, color = absent, uv2 = absent;
};

// Reads the index tuples of consecutive corners.
class TupleReader {
public:
    // Precondition: stride <= 256.
    TupleReader(std::string_view p, std::size_t stride) : numbers_(p), stride_(stride) {}

    // Returns null when no complete tuple is left.
    const std::uint32_t* next()
    {
        if (at_ + stride_ > end_ && !refill()) return nullptr;
        const std::uint32_t* tuple = &block_[at_];
        at_ += stride_;
        return tuple;
    }
    // At the end: returns whether an incomplete tuple was left.
    bool has_incomplete_tuple() const { return rest_; }

private:
    bool refill()
    {
        rest_ = at_ < end_;
        end_ = numbers_.next(std::span(block_).first(block_.size() / stride_ * stride_));
        at_ = 0;
        rest_ |= end_ > 0 && end_ < stride_;
        return end_ >= stride_;
    }

    NumberReader numbers_;
    std::size_t stride_, at_ = 0, end_ = 0;
    bool rest_ = false;
    std::array<std::uint32_t, 2048> block_;
};

class PrimitiveReader {
public:
    // `positions` must outlive it.
    explicit PrimitiveReader(std::span<const glm::vec3> positions) : positions_(positions) {}

    // Starts a primitive with these attributes, index layout and material.
    void begin(const Attributes& attributes, const CornerLayout& layout, std::uint32_t material);
    void triangles(std::string_view p);
    void polylist(std::string_view vcount, std::string_view p);
    void polygon(std::string_view p, std::span<const std::string_view> holes);
    void strip(std::string_view p);
    void fan(std::string_view p);
    void lines(std::string_view p);
    void line_strip(std::string_view p);

    std::uint64_t polygons() const { return polygons_; }
    std::uint64_t dropped() const { return dropped_; } // faces and lines with invalid vertices
    std::uint64_t filled() const
    {
        return filled_;
    } // polygons whose holes were ignored because outlines intersect
    std::uint64_t crossing() const
    {
        return crossing_;
    } // self-intersecting polygons triangulated partly as fans
    std::uint64_t vertices() const { return table_.size(); }
    std::uint64_t indices() const { return indices_.size(); }

    // `positions` is the position source; the mesh may take its data and that of its attributes.
    BuiltMesh finish(FloatSource& positions, VertexOrigins origins);

private:
    struct Segment {
        std::uint32_t first_vertex;
        Attributes attributes;
        StoredAttributes by_position; // attributes of VertexTable whose index equals the position's
    };

    StoredAttributes follow_position(const Attributes& attributes) const;
    void begin_vertices(const Attributes& attributes);
    bool next_corner(TupleReader& tuples, CornerIndices& corner) const;
    CornerIndices corner_of(const std::uint32_t* tuple) const;
    // An attribute's offset in <p> and its element count; empty for missing attributes.
    struct AttributeIndex {
        std::uint32_t at = 0, count = 0;
    };
    static AttributeIndex attribute_index(std::uint32_t place, const FloatSource& source)
    {
        return place == CornerLayout::absent ? AttributeIndex() : AttributeIndex{place, source.count()};
    }
    static std::uint32_t optional_index(const std::uint32_t* tuple, AttributeIndex place)
    {
        return tuple[place.at] < place.count ? tuple[place.at] : scene::none;
    }
    bool has_all_positions(std::span<const CornerIndices> corners);
    void add_triangle(const CornerIndices& a, const CornerIndices& b, const CornerIndices& c);
    void add_polygon(std::span<const CornerIndices> corners);
    void add_triangulated(std::span<const CornerIndices> corners, std::span<const CornerIndices> outline);
    void add_line(const CornerIndices& a, const CornerIndices& b);
    void read_outline(std::string_view p, std::vector<CornerIndices>& corners);
    std::uint32_t flat_normal(std::span<const CornerIndices> corners);
    std::vector<std::uint32_t>& indices_for(scene::Topology topology, std::size_t count);
    bool is_in_order(const FloatSource& positions) const;
    void take_over(FloatSource& positions, scene::Mesh& mesh);
    std::uint32_t end_of(const Segment& segment) const;
    void fill_positions(scene::Mesh& mesh) const;
    void fill_normals(scene::Mesh& mesh) const;
    template <class Element, class Value>
    void fill(scene::Array<Element>& list, const Element& fallback, std::size_t attribute,
              FloatSource Attributes::* source, Value value) const;

    std::span<const glm::vec3> positions_;
    CornerLayout layout_;
    AttributeIndex normal_, uv0_, uv1_, color_, uv2_;
    std::vector<Segment> segments_;
    std::uint32_t material_ = scene::none;
    VertexTable table_;
    static constexpr std::uint32_t is_flat = 0x8000'0000; // flag of a normal's index: into flat_normals_
    std::vector<glm::vec3> flat_normals_;
    std::vector<std::uint32_t> indices_;
    std::vector<scene::Primitive> primitives_;
    std::vector<CornerIndices> outline_;
    std::vector<std::uint32_t> scratch_, triangle_corners_;
    std::uint64_t polygons_ = 0;
    std::uint64_t dropped_ = 0;
    std::uint64_t filled_ = 0;
    std::uint64_t crossing_ = 0;
};

} // namespace vitrine::dae
