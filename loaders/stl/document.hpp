#pragma once
// What both forms of STL are read into.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/input.hpp"
#include "loaders/io/text/warning_log.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::stl {

struct Document {
    std::vector<scene::Mesh> solids; // in the file's axes; not empty
    std::uint64_t facets = 0;        // as stored
    std::uint64_t corners = 0;
    std::optional<glm::vec4> color; // of the whole part, linear
    std::string header;             // text of a binary header
};

// `stem` names solids without a name. Errors: empty, malformed, truncated, limit_exceeded.
LoadResult<Document> read_text(std::string_view text, const std::string& stem, const Limits& limits,
                               io::WarningLog& warnings);
LoadResult<Document> read_binary(Bytes bytes, const std::string& stem, const Limits& limits,
                                 io::WarningLog& warnings);

// Whether the bytes are an 84-byte header and as many facets as it declares.
bool has_binary_size(Bytes bytes);
// Whether the text begins with "solid" and its first lines have another word of the format.
bool begins_as_text(std::string_view text);

// Checked before facets are stored: each has three indices, and three vertices when it is drawn flat.
LoadResult<void> check_corner_limits(std::uint64_t corners, std::string where, const Limits& limits);

} // namespace vitrine::stl
