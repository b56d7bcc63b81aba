#pragma once
// The elements of a file: vertices (vertex_reader.cpp), faces, strips and edges (face_reader.cpp).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/ply/document.hpp"

namespace vitrine::ply {

// The values of a file, one after another, in each of its encodings (row_reader.cpp).
//
// Failure is sticky, as for io::ByteReader: after it all values are 0, and the caller checks failed() once a
// row.
class PlyRowReader {
public:
    PlyRowReader(std::string_view file, const Header& header);

    double number(Type type) { return encoding_ == PlyEncoding::text ? text_number() : binary_number(type); }
    // Reads the length and then the values of a list, of the corners of a face or their texture coordinates;
    // fails with limit_exceeded beyond the limit `indices`, before it allocates.
    void list(const Property& property, std::uint64_t max_indices, std::vector<double>& values);
    void skip(const Property& property);

    // Whether that many rows fit into the rest of the file.
    bool has_room_for(const PlyElement& element) const;

    bool failed() const { return failed_; }
    // Precondition: failed(). Truncated, limit_exceeded, or a word of a text file that is not a number.
    LoadError error() const;
    std::string where() const; // "byte 123", in a text "line 12"

private:
    double text_number();
    std::string_view next_word();
    double binary_number(Type type);
    template <class T>
    double read();
    std::uint64_t list_length(const Property& property);
    std::uint64_t remaining() const { return file_.size() - at_; }
    void fail_at_end();

    std::string_view file_;
    std::uint64_t at_;
    PlyEncoding encoding_;
    bool failed_ = false;
    LoadError error_;
};

class ElementReader {
public:
    // All arguments must outlive the reader.
    ElementReader(std::string_view file, const Header& header, const Limits& limits, io::WarningLog& warnings)
        : header_(header), limits_(limits), warnings_(warnings), in_(file, header)
    {
    }
    LoadResult<Document> run();

private:
    using Done = LoadResult<void>;

    Done read(const PlyElement& element);
    Done skip(const PlyElement& element);
    void report_ignored(const PlyElement& element, const std::vector<std::string_view>& names);
    // Calls read_row() for each row until a value fails.
    template <class ReadRow>
    Done for_each_row(const PlyElement& element, ReadRow read_row)
    {
        for (std::uint64_t row = 0; row < element.count; ++row) {
            if (Done read = read_row(); !read) return read;
            if (in_.failed()) return std::unexpected(in_.error());
        }
        return {};
    }

    Done read_vertices(const PlyElement& element);

    Done read_faces(const PlyElement& element);
    Done read_strips(const PlyElement& element);
    Done read_edges(const PlyElement& element);
    Done add_face(const std::vector<double>& corners, const std::vector<double>& uvs);
    Done add_strip(const std::vector<double>& corners);
    Done check_corner_limit(std::uint64_t more) const;

    const Header& header_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    PlyRowReader in_;
    Document document_;
    bool has_vertices_ = false;
};

} // namespace vitrine::ply
