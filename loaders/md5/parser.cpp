#include "loaders/md5/parser.hpp"

#include <fmt/format.h>

#include "loaders/io/limits.hpp"

namespace vitrine::md5 {

std::uint32_t read_count(io::TextReader& in, std::string_view what, std::uint64_t limit, std::uint64_t used,
                         std::string_view limit_name, std::uint64_t min_bytes)
{
    const std::uint32_t line = in.peek().line;
    const auto count = static_cast<std::uint64_t>(in.integer(what, 0, 0xFFFF'FFFE));
    if (in.failed()) return 0;
    if (count > limit - used) {
        const std::string before = used > 0 ? fmt::format(", with {} before it", used) : "";
        in.fail_at(line, LoadErrc::limit_exceeded,
                   io::limit_message(fmt::format("{} is {}{}", what, count, before), limit_name, limit));
        return 0;
    }
    // The next token is no longer in the remaining bytes; it may be the first word of the first item.
    if (const std::uint64_t there = (in.remaining() + in.peek().text.size()) / min_bytes; count > there) {
        in.fail_at(line, LoadErrc::truncated,
                   fmt::format("{} is {}, more than the rest of the file can contain", what, count));
        return 0;
    }
    return static_cast<std::uint32_t>(count);
}

glm::dvec3 read_vec3(io::TextReader& in, std::string_view what)
{
    glm::dvec3 value{0.0};
    in.expect("(");
    for (int i = 0; i < 3; ++i)
        value[i] = in.number(what, max_file_coordinate);
    in.expect(")");
    return value;
}

void read_version(io::TextReader& in, io::WarningLog& warnings)
{
    if (!in.accept("MD5Version")) {
        warnings.add("md5_version_missing",
                     "the line MD5Version 10 is missing; the file is read as version 10", "line 1");
        return;
    }
    const std::uint32_t line = in.peek().line;
    const double version = in.number("the number of MD5Version");
    if (!in.failed() && version != 10.0) {
        in.fail_at(line, LoadErrc::unsupported,
                   fmt::format("MD5 version {} is not supported, only 10 is", version));
    }
}

DeclaredCount read_declared_count(io::TextReader& in, std::string_view word)
{
    const std::uint32_t line = in.peek().line;
    return {in.integer(word, 0, 0xFFFF'FFFE), line};
}

void check_declared_count(const std::optional<DeclaredCount>& declared, std::string_view word,
                          std::size_t found, io::WarningLog& warnings)
{
    if (!declared || declared->count == static_cast<std::int64_t>(found)) return;
    warnings.add("md5_count_differs", fmt::format("{} is {}, but there are {}", word, declared->count, found),
                 fmt::format("line {}", declared->line));
}

std::uint32_t read_parent(io::TextReader& in, std::string_view what)
{
    const std::int64_t parent = in.integer(what, -1, 0xFFFF'FFFE);
    return parent < 0 ? scene::none : static_cast<std::uint32_t>(parent);
}

void skip_unknown(io::TextReader& in, io::WarningLog& warnings)
{
    const io::Token word = in.next();
    if (warnings.accepts("md5_unknown_word")) {
        warnings.store("md5_unknown_word",
                       fmt::format("the keyword {} is unknown; it is ignored", io::shown(word.text)),
                       fmt::format("line {}", word.line));
    }
    while (!in.at_end() && in.peek().line == word.line && in.peek().text != "{")
        in.next();
    if (!in.accept("{")) return;
    for (std::uint64_t depth = 1; depth > 0 && !in.at_end();) {
        if (in.accept("{"))
            ++depth;
        else if (in.accept("}"))
            --depth;
        else
            in.next();
    }
}

} // namespace vitrine::md5
