#include "loaders/md2/file.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/byte_reader.hpp"
#include "loaders/quake/file_blocks.hpp"

namespace vitrine::md2 {
namespace {

constexpr quake::FileKind kind{"MD2", "IDP2", 8};
constexpr std::uint32_t skin_bytes = 64;
constexpr std::uint32_t frame_header_bytes = 40; // scale, translate, 16 bytes of name
constexpr std::uint32_t vertex_bytes = sizeof(Md2FrameVertex);
constexpr float max_file_coordinate = 1e9f; // squares of distances remain finite floats

struct Md2Header {
    std::uint32_t magic, version, skin_width, skin_height, frame_bytes;
    std::uint32_t skins, vertices, coords, triangles, commands, frames;
    std::uint32_t skins_at, coords_at, triangles_at, frames_at, commands_at, end;
};
static_assert(sizeof(Md2Header) == 68);

class Parser {
public:
    Parser(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
        : bytes_(bytes), limits_(limits), warnings_(warnings)
    {
    }

    LoadResult<Md2File> run();

private:
    using Step = LoadResult<void>;

    Step read_header();
    Step check_counts() const;
    Step read_skins();
    Step read_surface();
    Step read_gl_commands();
    Step check_indices();
    Step read_frames();
    Step read_frame(std::uint32_t index, Bytes block);
    LoadResult<Bytes> find(const quake::FileBlock& block) { return blocks_.find(bytes_, header_.end, block); }

    Bytes bytes_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Md2Header header_{};
    quake::FileBlockMap blocks_;
    Md2File file_;
};

LoadResult<void> Parser::read_header()
{
    if (auto ok = quake::check_file_header(bytes_, sizeof(Md2Header), kind); !ok) return ok;
    header_ = io::ByteReader(bytes_).read<Md2Header>();
    file_.skin_width = header_.skin_width;
    file_.skin_height = header_.skin_height;
    file_.vertex_count = header_.vertices;
    return check_counts();
}

LoadResult<void> Parser::check_counts() const
{
    if (header_.vertices > limits_.vertices)
        return quake::block_limit_error("vertices", header_.vertices, "vertices", limits_.vertices);
    if (std::uint64_t{header_.triangles} * 3 > limits_.indices)
        return quake::block_limit_error("indices", std::uint64_t{header_.triangles} * 3, "indices",
                                        limits_.indices);
    if (header_.frames == 0) return fail(LoadErrc::empty, quake::at_byte(40), "the model has no frame");
    if (header_.frames > limits_.frames)
        return quake::block_limit_error("frames", header_.frames, "frames", limits_.frames);
    if (header_.frame_bytes < frame_header_bytes + std::uint64_t{vertex_bytes} * header_.vertices) {
        return fail(LoadErrc::malformed, quake::at_byte(16),
                    fmt::format("{} vertices do not fit into frames of {} bytes", header_.vertices,
                                header_.frame_bytes));
    }
    return {};
}

LoadResult<void> Parser::read_skins()
{
    const auto names = find({"skins", header_.skins, skin_bytes, header_.skins_at});
    if (!names) return std::unexpected(names.error());
    for (std::size_t at = 0; at < names->size(); at += skin_bytes) {
        const std::string_view name = quake::text_of(names->subspan(at, skin_bytes));
        if (!name.empty()) file_.skins.push_back(name);
    }
    return {};
}

LoadResult<void> Parser::read_surface()
{
    if (header_.triangles == 0 && header_.commands > 0) return read_gl_commands();
    const quake::FileBlock commands{"words of GL commands", header_.commands, 4, header_.commands_at};
    if (commands.at >= sizeof(Md2Header) && quake::find_block(bytes_, header_.end, commands))
        blocks_.add(commands);
    const auto coords = find({"texture coordinates", header_.coords, sizeof(TexCoord), header_.coords_at});
    if (!coords) return std::unexpected(coords.error());
    file_.coords = io::ByteReader(*coords).read_array<TexCoord>();
    const auto triangles = find({"triangles", header_.triangles, sizeof(Md2Triangle), header_.triangles_at});
    if (!triangles) return std::unexpected(triangles.error());
    file_.triangles = io::ByteReader(*triangles).read_array<Md2Triangle>();
    return check_indices();
}

LoadResult<void> Parser::read_gl_commands()
{
    const auto words = find({"words of GL commands", header_.commands, 4, header_.commands_at});
    if (!words) return std::unexpected(words.error());
    return read_commands(*words, header_.commands_at, limits_, file_);
}

// An invalid vertex index rejects the file; an invalid texture coordinate index only causes a warning.
LoadResult<void> Parser::check_indices()
{
    const std::size_t coords = file_.coords.size();
    for (std::size_t i = 0; i < file_.triangles.size(); ++i) {
        Md2Triangle& triangle = file_.triangles[i];
        const std::uint16_t largest = std::ranges::max(triangle.vertices);
        if (largest >= header_.vertices) {
            return fail(LoadErrc::out_of_range, fmt::format("triangle {}", i),
                        fmt::format("vertex {} is used, but there are {}", largest, header_.vertices));
        }
        for (std::uint16_t& coord : triangle.coords) {
            if (coord < coords || coords == 0) continue;
            if (warnings_.accepts("md2_texture_coordinate")) {
                warnings_.store(
                    "md2_texture_coordinate",
                    fmt::format("texture coordinate {} is used, but there are {}; the first is used instead",
                                coord, coords),
                    fmt::format("triangle {}", i));
            }
            coord = 0;
        }
    }
    return {};
}

LoadResult<void> Parser::read_frame(std::uint32_t index, Bytes bytes)
{
    io::ByteReader in(bytes);
    VertexFrameRecord frame;
    frame.scale = in.read<glm::vec3>();
    frame.translate = in.read<glm::vec3>();
    frame.name = quake::text_of(in.read_bytes(16));
    frame.vertices = in.read_bytes(std::uint64_t{vertex_bytes} * header_.vertices);
    for (int i = 0; i < 3; ++i) {
        const float reach = std::abs(frame.scale[i]) * 255.0f + std::abs(frame.translate[i]);
        if (!(reach <= max_file_coordinate)) {
            return fail(LoadErrc::out_of_range, fmt::format("frame {}", index),
                        "its scale and position are out of range");
        }
    }
    file_.frames.push_back(frame);
    return {};
}

LoadResult<void> Parser::read_frames()
{
    const auto frames = find({"frames", header_.frames, header_.frame_bytes, header_.frames_at});
    if (!frames) return std::unexpected(frames.error());
    file_.frames.reserve(header_.frames);
    for (std::uint32_t f = 0; f < header_.frames; ++f) {
        const auto bytes = frames->subspan(std::uint64_t{f} * header_.frame_bytes, header_.frame_bytes);
        if (auto read = read_frame(f, bytes); !read) return read;
    }
    return {};
}

LoadResult<Md2File> Parser::run()
{
    for (const auto step :
         {&Parser::read_header, &Parser::read_skins, &Parser::read_surface, &Parser::read_frames}) {
        if (auto done = (this->*step)(); !done) return std::unexpected(done.error());
    }
    blocks_.add({"words of the header", 1, sizeof(Md2Header), 0});
    blocks_.warn("md2_overlap", "md2_size_differs", header_.end, bytes_.size(), warnings_);
    return std::move(file_);
}

} // namespace

LoadResult<Md2File> parse_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
{
    return Parser(bytes, limits, warnings).run();
}

} // namespace vitrine::md2
