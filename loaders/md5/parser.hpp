#pragma once
// What the parsers of .md5mesh and .md5anim share.

#include <cstdint>
#include <optional>
#include <string_view>

#include <glm/glm.hpp>

#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md5 {

// A count from the file: at most `limit` less what is `used` of it, and at most what the bytes behind it can
// hold when each thing takes `min_bytes` of text. `what` is the file's own word, `limit_name` the member of
// Limits.
std::uint32_t read_count(io::TextReader& in, std::string_view what, std::uint64_t limit, std::uint64_t used,
                         std::string_view limit_name, std::uint64_t min_bytes);

// A file that is being read.
class Parser {
public:
    Parser(std::string_view text, const Limits& limits, io::WarningLog& warnings)
        : in_(text), limits_(limits), warnings_(warnings)
    {
    }

protected:
    io::TextReader in_;
    const Limits& limits_;
    io::WarningLog& warnings_;
};

// A whole number without sign.
inline std::uint32_t read_index(io::TextReader& in, std::string_view what)
{
    return static_cast<std::uint32_t>(in.integer(what, 0, 0xFFFF'FFFF));
}

// "( x y z )"
glm::dvec3 read_vec3(io::TextReader& in, std::string_view what);
// What coordinates may be at most, so that squares of differences stay finite floats.
inline constexpr double max_coordinate = 1e8;

// A count that a file gives before what is counted.
struct DeclaredCount {
    std::int64_t count = 0;
    std::uint32_t line = 0;
};
DeclaredCount read_declared_count(io::TextReader& in, std::string_view word);
// A warning where `found` is another number. Nothing announced is no mistake.
void check_declared_count(const std::optional<DeclaredCount>& declared, std::string_view word,
                          std::size_t found, io::WarningLog& warnings);

// "MD5Version 10" at the start; a missing line is a warning, another version fails as unsupported.
void read_version(io::TextReader& in, io::WarningLog& warnings);

// A parent from the file, not yet compared with the joints there are: -1 is scene::none.
std::uint32_t read_parent(io::TextReader& in, std::string_view what);

// Passes over a word that the format does not know: its line, or the block that follows.
void skip_unknown(io::TextReader& in, io::WarningLog& warnings);

} // namespace vitrine::md5
