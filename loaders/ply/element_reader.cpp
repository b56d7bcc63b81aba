#include "loaders/ply/element_reader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "loaders/io/text/text_reader.hpp"
#include "loaders/ply/color.hpp"

namespace vitrine::ply {

LoadResult<Document> read_elements(std::string_view file, const Header& header, const Limits& limits,
                                   io::WarningLog& warnings)
{
    return ElementReader(file, header, limits, warnings).run();
}

LoadResult<Document> ElementReader::run()
{
    for (const PlyElement& element : header_.elements) {
        if (!in_.has_room_for(element))
            return fail(LoadErrc::truncated, in_.where(),
                        fmt::format("{} rows of the element {} are more than the rest of the file",
                                    element.count, io::shown(element.name)));
        if (auto done = read(element); !done) return std::unexpected(done.error());
    }
    if (document_.vertex_count == 0) return fail(LoadErrc::empty, "header", "the file has no vertices");
    to_linear(document_.faces.colors);
    return std::move(document_);
}

LoadResult<void> ElementReader::read(const PlyElement& element)
{
    if (element.name == "vertex" && !has_vertices_) return read_vertices(element);
    if (element.name == "face") return read_faces(element);
    if (element.name == "tristrips") return read_strips(element);
    if (element.name == "edge") return read_edges(element);
    if (element.count > 0 && warnings_.accepts("ply_element_ignored"))
        warnings_.store(
            "ply_element_ignored",
            fmt::format("{} rows of the element {} are not shown", element.count, io::shown(element.name)),
            "header");
    return skip(element);
}

LoadResult<void> ElementReader::skip(const PlyElement& element)
{
    if (element.properties.empty()) return {};
    return for_each_row(element, [&]() -> Done {
        for (const Property& property : element.properties)
            in_.skip(property);
        return {};
    });
}

void ElementReader::report_ignored(const PlyElement& element, const std::vector<std::string_view>& names)
{
    if (names.empty() || element.count == 0) return;
    constexpr std::size_t max_names = 8;
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), max_names); ++i)
        list += (i == 0 ? "" : ", ") + io::shown(names[i]);
    if (names.size() > max_names) list += fmt::format(" and {} more", names.size() - max_names);
    warnings_.add(
        "ply_property_ignored",
        fmt::format("properties of the element {} are not shown: {}", io::shown(element.name), list),
        "header");
}

} // namespace vitrine::ply
