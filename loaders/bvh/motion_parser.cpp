#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "loaders/base/parse_whole.hpp"
#include "loaders/bvh/parser.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/text/number_scanner.hpp"
#include "loaders/io/text/text_reader.hpp"

namespace vitrine::bvh {

LoadResult<void> Parser::read_motion()
{
    if (!has_motion_ || document_.channels.empty()) {
        warnings_.add("bvh_no_motion",
                      has_motion_ ? "no joint has channels; the skeleton has no clip"
                                  : "the file has no MOTION; the skeleton has no clip",
                      in_.where());
        return {};
    }
    if (auto read = read_frame_count(); !read) return read;
    read_frame_time();
    if (auto read = read_frames(); !read) return read;
    report_frame_count();
    return {};
}

LoadResult<void> Parser::read_frame_count()
{
    if (!in_.accept("Frames")) {
        in_.next();
        return malformed("MOTION is not followed by Frames");
    }
    const std::string_view text = in_.next();
    const auto count = parse_whole<std::uint64_t>(text);
    if (!count) return malformed(fmt::format("{} is not a number of frames", io::shown(text)));
    declared_frames_ = *count;
    return {};
}

// Without a valid one the frames are at 30 per second.
void Parser::read_frame_time()
{
    constexpr double min_frame_time = 1e-6, max_frame_time = 1e4; // seconds
    std::string text;
    if (in_.accept("Frame") && in_.accept("Time")) {
        text = in_.next();
        const auto number = io::parse_number(text);
        if (number && *number >= min_frame_time && *number <= max_frame_time) {
            document_.frame_time = *number;
            return;
        }
    }
    warnings_.add("bvh_frame_time",
                  fmt::format("Frame Time {} is invalid; 30 frames per second are assumed", io::shown(text)),
                  in_.where());
}

std::uint64_t Parser::key_values_per_frame() const
{
    std::uint64_t values = 0;
    for (const Joint& joint : document_.joints) {
        const auto channels = std::span(document_.channels).subspan(joint.first_channel, joint.channel_count);
        values += std::ranges::any_of(channels, is_position) ? 3 : 0;
        values += std::ranges::any_of(channels, is_rotation) ? 4 : 0;
    }
    return std::max<std::uint64_t>(values, document_.channels.size());
}

// Of the frames so far and one more.
LoadResult<void> Parser::check_frame_limits() const
{
    if (document_.frames >= limits_.frames)
        return io::limit_exceeded_error(in_.where(), "frames", limits_.frames);
    if ((document_.frames + std::uint64_t{1}) * key_values_per_frame() > limits_.key_values)
        return io::limit_exceeded_error(in_.where(), "the numbers of all keys", "key_values",
                                        limits_.key_values);
    return {};
}

LoadResult<void> Parser::read_frames()
{
    const std::uint64_t columns = document_.channels.size();
    const std::uint64_t present = in_.remaining() / 2 / columns + 1; // at most
    const std::uint64_t allowed = std::min<std::uint64_t>(limits_.frames, limits_.key_values / columns);
    document_.values.reserve(std::min({declared_frames_, present, allowed}) * columns);
    for (;;) {
        if (in_.peek().empty() || (declared_frames_ > 0 && document_.frames == declared_frames_)) return {};
        if (auto within = check_frame_limits(); !within) return within;
        const auto complete = read_frame();
        if (!complete) return std::unexpected(complete.error());
        if (!*complete) return {};
        ++document_.frames;
        end_frame();
    }
}

// A frame may continue on the next lines. False, without a frame, if the file ends within it.
LoadResult<bool> Parser::read_frame()
{
    const std::size_t columns = document_.channels.size(), first = document_.values.size();
    for (std::size_t column = 0; column < columns; ++column) {
        if (in_.peek().empty()) {
            document_.values.resize(first);
            return false;
        }
        const auto value = read_number("a frame");
        if (!value) return std::unexpected(value.error());
        if (std::isfinite(*value)) {
            document_.values.push_back(static_cast<float>(*value));
            continue;
        }
        warnings_.add("bvh_number", "a value is not finite; that of the frame before it is used",
                      in_.where());
        document_.values.push_back(first == 0 ? 0.0f : document_.values[first + column - columns]);
    }
    return true;
}

// Another frame begins on this line only if the line holds complete frames.
void Parser::end_frame()
{
    if (!in_.has_more_in_line()) {
        frames_in_line_ = 0;
        return;
    }
    if (frames_in_line_ == 0) {
        const std::uint64_t left = in_.count_in_line(), columns = document_.channels.size();
        if (left % columns != 0) {
            warnings_.add("bvh_extra_values",
                          "a line has more values than channels; the last ones are ignored", in_.where());
            return in_.skip_line();
        }
        frames_in_line_ = left / columns;
    }
    --frames_in_line_;
}

void Parser::report_frame_count()
{
    if (document_.frames != declared_frames_)
        warnings_.add("bvh_frame_count",
                      fmt::format("Frames is {}, but the file has {} complete frames, which are used",
                                  declared_frames_, document_.frames),
                      in_.where());
    else if (!in_.peek().empty())
        warnings_.add("bvh_frame_count",
                      fmt::format("values after the last of {} frames are ignored", declared_frames_),
                      in_.where());
}

} // namespace vitrine::bvh
