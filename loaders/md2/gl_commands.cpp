#include "loaders/md2/file.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include "loaders/io/byte_reader.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::md2 {
namespace {

struct CommandVertex {
    float s, t; // fractions of the skin size
    std::int32_t vertex;
};
static_assert(sizeof(CommandVertex) == 12);

class CommandReader {
public:
    CommandReader(Bytes block, std::uint64_t at, const Limits& limits, Md2File& file)
        : in_(block), at_(at), limits_(limits), file_(file)
    {
    }

    LoadResult<void> run();

private:
    LoadResult<void> read_corners(std::uint32_t count);
    void add_triangle(std::size_t a, std::size_t b, std::size_t c);
    std::uint16_t coord_of(const CommandVertex& corner);
    std::string place() const { return fmt::format("byte {}", at_ + in_.position()); }

    io::ByteReader in_;
    std::uint64_t at_;
    const Limits& limits_;
    Md2File& file_;
    std::vector<CommandVertex> corners_; // of one command
    std::vector<glm::vec2> fractions_;   // by coordinate
    std::map<std::pair<float, float>, std::uint16_t> known_;
};

LoadResult<void> CommandReader::read_corners(std::uint32_t count)
{
    const std::string where = place();
    if (count > in_.remaining() / sizeof(CommandVertex))
        return fail(LoadErrc::truncated, where,
                    fmt::format("a GL command of {} vertices exceeds the command block", count));
    corners_ = in_.read_array<CommandVertex>(count);
    for (const CommandVertex& corner : corners_) {
        if (static_cast<std::uint32_t>(corner.vertex) < file_.vertex_count && corner.vertex <= 0xFFFF)
            continue;
        return fail(
            LoadErrc::out_of_range, where,
            fmt::format("a GL command uses vertex {}, but there are {}", corner.vertex, file_.vertex_count));
    }
    return {};
}

// Returns the index of the coordinate; coordinates beyond the index range are dropped.
std::uint16_t CommandReader::coord_of(const CommandVertex& corner)
{
    const glm::vec2 fraction(std::isfinite(corner.s) ? std::clamp(corner.s, -1e4f, 1e4f) : 0.0f,
                             std::isfinite(corner.t) ? std::clamp(corner.t, -1e4f, 1e4f) : 0.0f);
    if (fractions_.size() > 0xFFFF) return 0;
    const auto [found, is_new] =
        known_.try_emplace({fraction.x, fraction.y}, static_cast<std::uint16_t>(fractions_.size()));
    if (is_new) fractions_.push_back(fraction);
    return found->second;
}

void CommandReader::add_triangle(std::size_t a, std::size_t b, std::size_t c)
{
    Md2Triangle triangle;
    for (std::size_t i = 0; const std::size_t corner : {a, b, c}) {
        triangle.vertices[i] = static_cast<std::uint16_t>(corners_[corner].vertex);
        triangle.coords[i++] = coord_of(corners_[corner]);
    }
    file_.triangles.push_back(triangle);
}

// A positive count is a strip, a negative one a fan; 0 ends.
LoadResult<void> CommandReader::run()
{
    while (in_.remaining() >= sizeof(std::int32_t)) {
        const auto command = in_.read<std::int32_t>();
        if (command == 0) break;
        const auto count = static_cast<std::uint32_t>(std::abs(std::int64_t{command}));
        if (auto read = read_corners(count); !read) return read;
        if ((file_.triangles.size() + count) * 3 > limits_.indices)
            return io::limit_exceeded_error(place(), "the indices of the GL commands", "indices",
                                            limits_.indices);
        for (std::size_t i = 2; i < corners_.size(); ++i) {
            if (command < 0)
                add_triangle(0, i - 1, i);
            else
                add_triangle(i - 2 + i % 2, i - 1 - i % 2, i);
        }
    }
    // A skin size in texels with the maximum precision of 16 bits.
    float largest = 1.0f;
    for (const glm::vec2& fraction : fractions_)
        largest = std::max({largest, std::abs(fraction.x), std::abs(fraction.y)});
    const float size = std::floor(32'767.0f / largest);
    file_.skin_width = file_.skin_height = static_cast<std::uint32_t>(size);
    for (const glm::vec2& fraction : fractions_)
        file_.coords.push_back({static_cast<std::int16_t>(std::lround(fraction.x * size)),
                                static_cast<std::int16_t>(std::lround(fraction.y * size))});
    return {};
}

} // namespace

LoadResult<void> read_commands(Bytes block, std::uint64_t at, const Limits& limits, Md2File& file)
{
    return CommandReader(block, at, limits, file).run();
}

} // namespace vitrine::md2
