#pragma once
// Helpers shared by the parsers of .md5mesh and .md5anim.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/io/limits.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/text/warning_log.hpp"

namespace vitrine::md5 {

// Reads a count: at most `limit` minus `used`, and at most what the remaining bytes can contain at
// `min_bytes` of text per item. `what` is the file's keyword, `limit_name` the member of Limits.
std::uint32_t read_count(io::TextReader& in, std::string_view what, std::uint64_t limit, std::uint64_t used,
                         std::string_view limit_name, std::uint64_t min_bytes);

// Reads "MD5Version 10"; a missing line is a warning, another version fails as unsupported.
void read_version(io::TextReader& in, io::WarningLog& warnings);

// Reads a parent index, not yet validated; -1 is scene::none.
std::uint32_t read_parent(io::TextReader& in, std::string_view what);

// State that the parsers of .md5mesh and .md5anim share.
class Parser {
public:
    Parser(std::string_view text, const Limits& limits, io::WarningLog& warnings)
        : in_(text), limits_(limits), warnings_(warnings)
    {
    }

protected:
    // Reads the version, then calls `read_statement` up to the end of the file.
    template <class ReadStatement>
    void read_statements(ReadStatement read_statement)
    {
        read_version(in_, warnings_);
        while (!in_.at_end())
            read_statement();
    }

    // Reads the block of joints "{ NAME PARENT ... }"; `read_rest` reads what follows the parent of a joint.
    // `is_repeated` is the error if there are joints already.
    template <class Joint, class ReadRest>
    void read_joint_block(std::vector<Joint>& joints, std::string_view is_repeated, ReadRest read_rest)
    {
        if (!joints.empty()) return in_.fail(LoadErrc::malformed, std::string(is_repeated));
        in_.expect("{");
        while (!in_.failed() && !in_.accept("}")) {
            if (joints.size() >= limits_.joints) {
                return in_.fail(LoadErrc::limit_exceeded, io::limit_message("", "joints", limits_.joints));
            }
            joint_lines_.push_back(in_.peek().line);
            Joint joint;
            joint.name = io::to_utf8(in_.string("the name of a joint"));
            joint.parent = read_parent(in_, "the parent of a joint");
            read_rest(joint);
            joints.push_back(std::move(joint));
        }
    }

    io::TextReader in_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    std::vector<std::uint32_t> joint_lines_;
};

// Reads an unsigned integer.
inline std::uint32_t read_index(io::TextReader& in, std::string_view what)
{
    return static_cast<std::uint32_t>(in.integer(what, 0, 0xFFFF'FFFF));
}

// Reads "( x y z )".
glm::dvec3 read_vec3(io::TextReader& in, std::string_view what);
// Limit for coordinates; squares of differences remain finite floats.
inline constexpr double max_file_coordinate = 1e8;

// A count that precedes the counted items.
struct DeclaredCount {
    std::int64_t count = 0;
    std::uint32_t line = 0;
};
DeclaredCount read_declared_count(io::TextReader& in, std::string_view word);
// Warns when `found` differs from the declared count; a missing declaration is valid.
void check_declared_count(const std::optional<DeclaredCount>& declared, std::string_view word,
                          std::size_t found, io::WarningLog& warnings);

// Skips an unknown keyword: its line, or the block that follows.
void skip_unknown(io::TextReader& in, io::WarningLog& warnings);

// A list in a mesh, declared by "numX N" and filled by N lines with an index each, in any order. Invalid
// lines make the reader fail.
class IndexedList {
public:
    IndexedList() = default;
    // "numverts", "vert", "the number of a vert" (for messages); literals.
    IndexedList(std::string_view count_word, std::string_view item, std::string_view item_number)
        : count_word_(count_word), item_(item), item_number_(item_number)
    {
    }

    std::string_view count_word() const { return count_word_; }
    bool announce(io::TextReader& in);
    void resize(std::size_t count) { filled_.resize(count); }
    // Reads the index of a line; or checks one already read. nullopt when the reader has failed.
    std::optional<std::uint32_t> read(io::TextReader& in);
    std::optional<std::uint32_t> take(io::TextReader& in, std::uint64_t index, std::uint32_t line);
    void check_filled(io::TextReader& in) const;

private:
    std::string_view count_word_, item_, item_number_;
    std::vector<bool> filled_;
    std::uint64_t filled_count_ = 0;
    bool is_declared_ = false;
};

} // namespace vitrine::md5
