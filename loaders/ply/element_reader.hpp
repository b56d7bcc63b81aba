#pragma once
// The elements of a file: vertices (vertex_reader.cpp), faces, strips and edges (face_reader.cpp).

#include <string>
#include <string_view>
#include <vector>

#include "loaders/ply/document.hpp"
#include "loaders/ply/row_reader.hpp"

namespace vitrine::ply {

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

    Done read(const Element& element);
    Done skip(const Element& element);
    void report_ignored(const Element& element, const std::vector<std::string_view>& names);
    // Calls read_row() for each row until a value fails.
    template <class ReadRow>
    Done for_each_row(const Element& element, ReadRow read_row)
    {
        for (std::uint64_t row = 0; row < element.count; ++row) {
            if (Done read = read_row(); !read) return read;
            if (in_.failed()) return std::unexpected(in_.error());
        }
        return {};
    }

    Done read_vertices(const Element& element);

    Done read_faces(const Element& element);
    Done read_strips(const Element& element);
    Done read_edges(const Element& element);
    Done add_face(const std::vector<double>& corners, const std::vector<double>& uvs);
    Done add_strip(const std::vector<double>& corners);
    Done check_corner_limit(std::uint64_t more) const;

    const Header& header_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    RowReader in_;
    Document document_;
    bool has_vertices_ = false;
};

} // namespace vitrine::ply
