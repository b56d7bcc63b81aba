#pragma once
// Parses an OBJ in one pass over its text. A file whose faces use later vertices is parsed a second time,
// with all attributes known.

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/io/huge_pages.hpp"
#include "loaders/io/input.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/obj/corner_table.hpp"
#include "loaders/obj/document.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {

// `stem` names the mesh of elements before the first `o`. Errors as load_obj().
LoadResult<Document> parse_document(std::string_view text, const std::string& stem, const Limits& limits,
                                    io::WarningLog& warnings);

class Parser {
public:
    enum class Pass : std::uint8_t { all, attributes, elements };

    Parser(const std::string& stem, const Limits& limits, io::WarningLog& warnings);

    // Reads the whole text. Pass `all` stops at a face that uses a later attribute: needs_second_pass().
    // `elements` may follow `attributes`.
    void run(std::string_view text, Pass pass);
    bool needs_second_pass() const { return needs_second_pass_; }
    LoadResult<Document> finish();

private:
    // Reserves memory in a full list for the rest of the text, extrapolated from the text since `since`.
    // Growing step by step would copy everything several times.
    template <class List>
    void make_room(List& list, const char* since, std::size_t min_capacity = 0)
    {
        const std::size_t size = list.size();
        if (size < list.capacity() || size < 1000) return;
        const auto passed = static_cast<double>(at_ - since + 1);
        const auto in_all = static_cast<double>(region_last_ - since);
        const auto expected = static_cast<std::size_t>(static_cast<double>(size) * in_all / passed * 1.01);
        reserve(list, std::max({expected, size * 3 / 2, min_capacity}));
    }

    template <class T>
    static void reserve(std::vector<T>& list, std::size_t capacity)
    {
        io::reserve_large(list, capacity);
    }
    static void reserve(CornerTable& table, std::size_t capacity) { table.reserve(capacity); }

    // Line structure: parser.cpp
    void run_region(const char* first, const char* last);
    void read_line();
    void read_v_line();
    void read_words();
    void read_other_line();
    void read_after_control_characters();
    // Also skips continuations; returns false at the end of the line.
    bool skip_blanks()
    {
        while (is_blank(*at_))
            ++at_;
        return *at_ == '\\' ? skip_continuation() : !is_line_end(*at_);
    }
    bool skip_continuation();
    void finish_line();
    std::string rest_of_line();
    void warn(std::string_view code, std::string_view message);
    void reject(std::string_view what, std::uint64_t limit);

    // Attributes: attributes.cpp. Each reads the rest of a line after its keyword.
    void read_position();
    void add_far_position(const glm::dvec3& position);
    void return_to_zero(glm::length_t axis);
    void read_uv();
    void read_normal();
    void add_color(const double* values, int count);
    void read_polypaint();
    int read_numbers(double* out, int max_count, double bound); // values beyond `bound` are 0, with a warning
    template <std::size_t count>
    bool read_plain_numbers(std::span<double> out);
    double read_nonstandard_number();

    // Statements: statements.cpp
    void read_statement(std::string_view word);
    void report_unknown(std::string_view word);
    void begin_part(std::string name);
    void name_group(const std::string& names);
    void add_library_reference();
    void use_material(const std::string& name);

    // Corners of elements: corners.cpp
    enum class Lookup : std::uint8_t { good, bad, later };
    bool read_plain_corners();
    bool read_plain_corner(const char*& p, std::size_t in_all_lists, Corner& corner);
    bool read_corners();
    void skip_rest_of_corner(bool is_corner);
    bool read_corner(Corner& corner);
    Lookup look_up(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all, std::uint32_t& out) const;
    bool find_position(std::int64_t raw, std::uint32_t& out);
    void find_optional(std::int64_t raw, std::uint64_t so_far, std::uint64_t in_all, std::uint32_t& out);

    // Elements: elements.cpp. Each reads the rest of a line after its keyword.
    void read_face();
    void read_polyline();
    void read_points();
    std::uint32_t smooth_slot(std::uint32_t position, std::uint32_t side);
    void supply_normals();
    void add_polygon();
    void add_triangles();
    bool quad_splits_at_1() const;
    std::uint32_t vertex_of(const Corner& corner);
    void add_plain_triangle();
    void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c);
    void add_indices(scene::Topology topology, std::initializer_list<std::uint32_t> vertices);
    PrimitiveRun& primitive_run_of(scene::Topology topology);
    bool room_for(std::uint64_t vertices, std::uint64_t indices);
    void add_point_cloud();

    const Limits& limits_;
    io::WarningLog& warnings_;
    Document doc_;
    Pass pass_ = Pass::all;
    std::uint64_t positions_ = 0, uvs_ = 0, normals_ = 0; // counted so far
    std::uint64_t painted_ = 0;                           // positions that #MRGB has colored
    const char* at_ = nullptr;
    const char* region_begin_ = nullptr; // of the line, to detect its backslash
    const char* region_first_ = nullptr;
    const char* region_last_ = nullptr;
    const char* faces_first_ = nullptr; // position of the faces in the region
    unsigned digits_ = 1;               // of the last index: see scan_digits()
    bool is_uniform_ = true;            // the last corner had equal indices for all its attributes
    std::uint64_t line_ = 1;
    bool is_far_ = true; // positions are far from zero; also while there are none
    bool stop_ = false;
    bool needs_second_pass_ = false;
    bool has_zero_normals_ = false;
    bool in_object_ = false; // `o` has named the part
    bool groups_warned_ = false;
    std::uint32_t material_ = scene::none;
    std::uint32_t smoothing_ = 0; // 0: off
    std::string groups_;          // groups of the part's faces
    std::unordered_map<std::string, std::uint32_t, io::StringHash> material_ids_;
    CornerTable smooth_slots_;                   // (position, group, side) -> index into smooth_sums
    std::vector<Corner> corners_;                // of the current element
    std::vector<std::uint32_t> corner_vertices_; // the same, as vertices of the part
    std::vector<std::uint32_t> scratch_, triangle_corners_;
    bool lacks_normals_ = false; // a corner has no normal
    std::uint64_t dropped_faces_ = 0;
    std::optional<LoadError> error_;
    std::string bad_face_where_;
};

} // namespace vitrine::obj
