#include "loaders/ply/header.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::ply {
namespace {

constexpr std::size_t max_line_bytes = 4096; // a longer one is not a header
constexpr std::size_t max_properties = 4096; // of all elements

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr std::array type_names{
    TypeName{"char", Type::int8},      TypeName{"uchar", Type::uint8},    TypeName{"short", Type::int16},
    TypeName{"ushort", Type::uint16},  TypeName{"int", Type::int32},      TypeName{"uint", Type::uint32},
    TypeName{"float", Type::float32},  TypeName{"double", Type::float64}, TypeName{"int8", Type::int8},
    TypeName{"uint8", Type::uint8},    TypeName{"int16", Type::int16},    TypeName{"uint16", Type::uint16},
    TypeName{"int32", Type::int32},    TypeName{"uint32", Type::uint32},  TypeName{"float32", Type::float32},
    TypeName{"float64", Type::float64}};

std::optional<Type> find_type(std::string_view word)
{
    const auto* const found = std::ranges::find_if(
        type_names, [word](const TypeName& known) { return ascii::equal_ignoring_case(known.name, word); });
    return found == type_names.end() ? std::nullopt : std::optional(found->type);
}

class HeaderParser {
public:
    HeaderParser(std::string_view file, io::WarningLog& warnings) : file_(file), warnings_(warnings) {}
    LoadResult<Header> run();

private:
    using Done = LoadResult<void>;

    bool next_line();
    std::string_view next_word();
    Done read_line(std::string_view word);
    Done read_format();
    Done read_element();
    Done read_property();
    void read_comment();
    std::unexpected<LoadError> malformed(std::string sentence) const
    {
        return fail(LoadErrc::malformed, fmt::format("line {}", header_.lines), std::move(sentence));
    }

    std::string_view file_;
    io::WarningLog& warnings_;
    std::string_view rest_; // of the line
    Header header_;
    bool has_format_ = false;
    std::size_t properties_ = 0;
};

// A line ends with LF, CRLF or CR. False at the end of the file and for a line that is too long.
bool HeaderParser::next_line()
{
    const std::string_view rest = file_.substr(header_.size, max_line_bytes);
    const auto end = rest.find_first_of("\r\n");
    if (end == rest.npos) return false;
    rest_ = rest.substr(0, end);
    const bool is_pair = file_.substr(header_.size + end).starts_with("\r\n");
    header_.size += end + (is_pair ? 2 : 1);
    ++header_.lines;
    return true;
}

std::string_view HeaderParser::next_word()
{
    rest_ = ascii::trimmed(rest_);
    const std::string_view word = rest_.substr(0, rest_.find_first_of(" \t"));
    rest_.remove_prefix(word.size());
    return word;
}

LoadResult<Header> HeaderParser::run()
{
    if (file_.starts_with("\xEF\xBB\xBF")) header_.size = 3;
    if (!next_line() || next_word() != "ply")
        return fail(LoadErrc::malformed, "line 1", "the file does not begin with the line ply");
    for (;;) {
        if (!next_line()) {
            ++header_.lines;
            return malformed("the header has no end_header");
        }
        const std::string_view word = next_word();
        if (word == "end_header") break;
        if (auto read = read_line(word); !read) return std::unexpected(read.error());
    }
    if (!has_format_) return malformed("the header has no format");
    return std::move(header_);
}

LoadResult<void> HeaderParser::read_line(std::string_view word)
{
    if (word.empty()) return {};
    if (word == "format") return read_format();
    if (word == "element") return read_element();
    if (word == "property") return read_property();
    if (word == "comment" || word == "obj_info") {
        read_comment();
        return {};
    }
    // Programs write comments of several lines.
    if (warnings_.accepts("ply_header_line"))
        warnings_.store("ply_header_line",
                        fmt::format("{} is not a word of the header; its line is ignored", io::shown(word)),
                        fmt::format("line {}", header_.lines));
    return {};
}

LoadResult<void> HeaderParser::read_format()
{
    const std::string_view word = next_word(), version = next_word();
    constexpr std::array<std::string_view, 3> words{"ascii", "binary_little_endian", "binary_big_endian"};
    const auto* const found = std::ranges::find(words, word);
    if (found == words.end() || version != "1.0")
        return fail(LoadErrc::unsupported, fmt::format("line {}", header_.lines),
                    fmt::format("the format {} {} is not supported", io::shown(word), io::shown(version)));
    header_.encoding = static_cast<PlyEncoding>(found - words.begin());
    has_format_ = true;
    return {};
}

LoadResult<void> HeaderParser::read_element()
{
    const std::string_view name = next_word(), text = next_word();
    const auto count = parse_whole<std::uint64_t>(text);
    if (name.empty() || !count || *count > UINT32_MAX)
        return malformed(fmt::format("{} is not a number of elements", io::shown(text)));
    header_.elements.push_back({name, *count, {}});
    return {};
}

LoadResult<void> HeaderParser::read_property()
{
    if (header_.elements.empty()) return malformed("a property comes before the first element");
    if (++properties_ > max_properties)
        return malformed(fmt::format("there are more than {} properties", max_properties));
    Property property;
    std::string_view word = next_word();
    property.is_list = word == "list";
    if (property.is_list) {
        const std::string_view count = next_word();
        const auto count_type = find_type(count);
        if (!count_type || !is_integer(*count_type))
            return malformed(fmt::format("{} is not a type of the length of a list", io::shown(count)));
        property.count_type = *count_type;
        word = next_word();
    }
    const auto type = find_type(word);
    if (!type) return malformed(fmt::format("{} is not a type", io::shown(word)));
    property.type = *type;
    property.name = next_word();
    // Blender 2.7 leaves the element out if there are no faces.
    if (header_.elements.back().name == "vertex" && is_corner_list(property)) {
        warnings_.add("ply_header_line", "a list of corners is in the element vertex; there are no faces",
                      fmt::format("line {}", header_.lines));
        header_.elements.push_back({"face", 0, {}});
    }
    header_.elements.back().properties.push_back(property);
    return {};
}

void HeaderParser::read_comment()
{
    const std::string_view text = ascii::trimmed(rest_);
    const std::string_view word = next_word();
    if (ascii::equal_ignoring_case(word, "TextureFile"))
        header_.textures.push_back(ascii::trimmed(rest_));
    else if (header_.generator.empty())
        header_.generator = text;
}

} // namespace

std::uint64_t PlyElement::smallest_row(PlyEncoding encoding) const
{
    if (encoding == PlyEncoding::text) return 2 * properties.size();
    std::uint64_t bytes = 0;
    for (const Property& property : properties)
        bytes += bytes_of(property.is_list ? property.count_type : property.type);
    return bytes;
}

LoadResult<Header> parse_header(std::string_view file, io::WarningLog& warnings)
{
    return HeaderParser(file, warnings).run();
}

} // namespace vitrine::ply
