#include "loaders/bvh/parser.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/parse_whole.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::bvh {
namespace {

constexpr std::array<std::string_view, 6> channel_words{"xposition", "yposition", "zposition",
                                                        "xrotation", "yrotation", "zrotation"};

ChannelKind kind_of(std::string_view word)
{
    const auto same = [word](std::string_view known) { return ascii::equal_ignoring_case(word, known); };
    const auto found = std::ranges::find_if(channel_words, same);
    return static_cast<ChannelKind>(found - channel_words.begin()); // behind the last: ignored
}

bool begins_section(std::string_view word)
{
    constexpr std::array<std::string_view, 8> words{"{",    "}",      "joint",  "end",
                                                    "root", "motion", "offset", "channels"};
    return word.empty() || std::ranges::any_of(words, [word](std::string_view known) {
               return ascii::equal_ignoring_case(word, known);
           });
}

} // namespace

LoadResult<Document> parse(std::string_view text, const Limits& limits, io::WarningLog& warnings)
{
    return Parser(text, limits, warnings).run();
}

Parser::Parser(std::string_view text, const Limits& limits, io::WarningLog& warnings)
    : in_(text), limits_(limits), warnings_(warnings)
{
}

LoadResult<Document> Parser::run()
{
    if (!in_.accept("HIERARCHY")) {
        in_.next();
        return fail(LoadErrc::malformed, in_.where(), "the file does not begin with HIERARCHY");
    }
    if (auto read = read_hierarchy(); !read) return std::unexpected(read.error());
    if (document_.joints.empty()) return fail(LoadErrc::empty, in_.where(), "the file has no joint");
    name_joints();
    if (auto read = read_motion(); !read) return std::unexpected(read.error());
    return std::move(document_);
}

std::unexpected<LoadError> Parser::malformed(std::string sentence) const
{
    return fail(LoadErrc::malformed, in_.where(), std::move(sentence));
}

// Up to MOTION, which is consumed.
LoadResult<void> Parser::read_hierarchy()
{
    for (;;) {
        const std::string_view word = in_.next();
        LoadResult<void> read;
        if (word.empty() || ascii::equal_ignoring_case(word, "MOTION")) {
            has_motion_ = !word.empty();
            if (open_.empty()) return {};
            return malformed(
                fmt::format("the brace of the joint {} is not closed", io::shown(names_[open_.back()])));
        }
        if (ascii::equal_ignoring_case(word, "ROOT") || ascii::equal_ignoring_case(word, "JOINT"))
            read = open_joint(false);
        else if (ascii::equal_ignoring_case(word, "End"))
            read = open_joint(true);
        else if (ascii::equal_ignoring_case(word, "OFFSET"))
            read = read_offset();
        else if (ascii::equal_ignoring_case(word, "CHANNELS"))
            read = read_channels();
        else if (word == "}" && !open_.empty())
            open_.pop_back();
        else
            return malformed(fmt::format("{} is not expected here", io::shown(word)));
        if (!read) return read;
    }
}

LoadResult<void> Parser::open_joint(bool is_end_site)
{
    const std::string where = in_.where();
    std::vector<Joint>& joints = document_.joints;
    if (joints.size() >= limits_.joints) return io::limit_exceeded_error(where, "joints", limits_.joints);
    if (joints.size() >= limits_.nodes) return io::limit_exceeded_error(where, "nodes", limits_.nodes);
    if (open_.size() / io::node_depth_factor >= limits_.depth)
        return io::limit_exceeded_error(where, "the nesting of joints", "depth", limits_.depth);
    if (is_end_site && open_.empty()) return malformed("an End Site is outside of a joint");
    const std::string_view name = in_.read_name();
    if (!in_.accept("{")) {
        in_.next();
        return malformed("a brace is missing after the name of a joint");
    }
    const auto number = static_cast<std::uint32_t>(joints.size());
    joints.push_back({.parent = open_.empty() ? scene::none : open_.back(),
                      .first_channel = static_cast<std::uint32_t>(document_.channels.size()),
                      .is_end_site = is_end_site});
    names_.push_back(is_end_site ? names_[open_.back()] : name);
    open_.push_back(number);
    return {};
}

LoadResult<void> Parser::read_offset()
{
    if (open_.empty()) return malformed("OFFSET is outside of a joint");
    glm::dvec3& offset = document_.joints[open_.back()].offset;
    for (glm::length_t axis = 0; axis < 3; ++axis) {
        const auto value = read_number("OFFSET");
        if (!value) return std::unexpected(value.error());
        offset[axis] = std::isfinite(*value) ? *value : 0.0;
    }
    return {};
}

LoadResult<void> Parser::read_channels()
{
    if (open_.empty()) return malformed("CHANNELS is outside of a joint");
    Joint& joint = document_.joints[open_.back()];
    if (joint.channel_count > 0) return malformed("a joint has CHANNELS twice");
    if (joint.first_channel != document_.channels.size())
        return malformed("CHANNELS follows the children of its joint");
    const std::string_view text = in_.next();
    const auto count = parse_whole<std::uint32_t>(text);
    if (!count) return malformed(fmt::format("{} is not a number of channels", io::shown(text)));
    for (std::uint32_t i = 0; i < *count; ++i) {
        if (begins_section(in_.peek()))
            return malformed(fmt::format("CHANNELS declares {} channels and names {}", *count, i));
        const std::string_view word = in_.next();
        document_.channels.push_back(kind_of(word));
        ++joint.channel_count;
        if (document_.channels.back() == ChannelKind::ignored && warnings_.accepts("bvh_channel_ignored"))
            warnings_.store(
                "bvh_channel_ignored",
                fmt::format("the channel {} is not of the format; its values are ignored", io::shown(word)),
                in_.where());
    }
    return {};
}

// All names are assumed to have one encoding.
void Parser::name_joints()
{
    const io::TextEncoding encoding = io::detect_encoding(names_);
    for (std::size_t j = 0; j < names_.size(); ++j) {
        Joint& joint = document_.joints[j];
        joint.name = io::to_utf8(names_[j], encoding);
        if (joint.is_end_site) joint.name += "_end";
    }
}

LoadResult<double> Parser::read_number(std::string_view what)
{
    const std::string_view word = in_.next();
    const auto number = io::scan_number(word.data(), word.data() + word.size());
    if (word.empty() || number.end != word.data() + word.size())
        return malformed(word.empty() ? fmt::format("the file ends within {}", what)
                                      : fmt::format("{} in {} is not a number", io::shown(word), what));
    if (std::isfinite(number.value) && std::abs(number.value) > max_value)
        return malformed(fmt::format("a number in {} is too large", what));
    return number.value;
}

} // namespace vitrine::bvh
