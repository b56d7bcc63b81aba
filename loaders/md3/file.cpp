#include "loaders/md3/file.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "loaders/io/byte_reader.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/quake/file_blocks.hpp"

namespace vitrine::md3 {
namespace {

constexpr quake::FileKind kind{"MD3", "IDP3", 15};
constexpr std::uint32_t surface_magic = 0x33504449; // "IDP3"
constexpr std::uint32_t name_bytes = 64;
constexpr std::uint32_t frame_bytes = 56; // bounds, origin, radius, name
constexpr std::uint32_t tag_bytes = name_bytes + 48;
constexpr std::uint32_t shader_bytes = name_bytes + 4;
constexpr float max_file_coordinate = 1e9f;

struct Md3Header {
    std::uint32_t magic, version;
    std::array<char, name_bytes> name;
    std::uint32_t flags, frames, tags, surfaces, skins;
    std::uint32_t frames_at, tags_at, surfaces_at, end;
};
static_assert(sizeof(Md3Header) == 108);

struct SurfaceHeader {
    std::uint32_t magic;
    std::array<char, name_bytes> name;
    std::uint32_t flags, frames, shaders, vertices, triangles;
    std::uint32_t triangles_at, shaders_at, coords_at, vertices_at, end; // offsets from this header
};
static_assert(sizeof(SurfaceHeader) == 108);

bool is_sane(const Tag& tag)
{
    const auto holds = [](const glm::vec3& v) {
        return glm::all(glm::lessThanEqual(glm::abs(v), glm::vec3(max_file_coordinate)));
    };
    return holds(tag.origin) && holds(tag.axes[0]) && holds(tag.axes[1]) && holds(tag.axes[2]);
}

class Parser {
public:
    Parser(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
        : bytes_(bytes), limits_(limits), warnings_(warnings)
    {
    }

    LoadResult<Md3File> run();

private:
    using Step = LoadResult<void>;

    Step read_header();
    Step read_tags();
    void order_tags(std::span<const Tag> first, std::span<Tag> tags, std::uint32_t frame);
    Step read_surfaces();
    Step read_surface(std::uint64_t at, const SurfaceHeader& header);
    Step read_triangles(const Md3Surface& surface, Bytes block,
                        std::vector<std::array<std::uint32_t, 3>>& out);
    void read_coords(const Md3Surface& surface, Bytes block, std::vector<glm::vec2>& out);
    Step take_vertices(const SurfaceHeader& header);
    LoadResult<Bytes> find(const quake::FileBlock& block) { return blocks_.find(bytes_, header_.end, block); }

    Bytes bytes_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    Md3Header header_{};
    quake::FileBlockMap blocks_;
    Md3File file_;
    std::uint64_t vertices_ = 0; // of all frames so far
    std::uint64_t indices_ = 0;
    std::uint64_t shaders_ = 0;
};

LoadResult<void> Parser::read_header()
{
    if (auto ok = quake::check_file_header(bytes_, sizeof(Md3Header), kind); !ok) return ok;
    header_ = io::ByteReader(bytes_).read<Md3Header>();
    if (header_.frames == 0) return fail(LoadErrc::empty, quake::at_byte(76), "the model has no frame");
    if (header_.frames > limits_.frames)
        return quake::block_limit_error("frames", header_.frames, "frames", limits_.frames);
    // Games use models without content; a file with more data than its frames has invalid counts.
    const std::uint64_t frames_end = header_.frames_at + std::uint64_t{header_.frames} * frame_bytes;
    if (header_.surfaces == 0 && header_.tags == 0 && header_.end > frames_end)
        return fail(LoadErrc::empty, quake::at_byte(80), "the model has neither a surface nor a tag");
    if (header_.surfaces > limits_.meshes)
        return quake::block_limit_error("surfaces", header_.surfaces, "meshes", limits_.meshes);
    const auto frames = find({"frames", header_.frames, frame_bytes, header_.frames_at});
    if (!frames) return std::unexpected(frames.error()); // bounding boxes, not used
    file_.frame_count = header_.frames;
    return {};
}

LoadResult<void> Parser::read_tags()
{
    const std::uint64_t count = std::uint64_t{header_.tags} * header_.frames;
    const auto bytes = find({"tags of all frames", count, tag_bytes, header_.tags_at});
    if (!bytes) return std::unexpected(bytes.error());
    file_.tag_count = header_.tags;
    file_.tags.reserve(count);
    io::ByteReader in(*bytes);
    for (std::uint64_t i = 0; i < count; ++i) {
        Tag tag;
        tag.name = quake::text_of(in.read_bytes(name_bytes));
        tag.origin = in.read<glm::vec3>();
        tag.axes = in.read<glm::mat3>();
        if (!is_sane(tag)) {
            warnings_.add("md3_tag", "a tag's transform is not finite; the model's origin is used",
                          fmt::format("tag {} in frame {}", i % header_.tags, i / header_.tags));
            tag.origin = glm::vec3(0.0f);
            tag.axes = glm::mat3(1.0f);
        }
        file_.tags.push_back(tag);
    }
    for (std::uint32_t frame = 1; frame < header_.frames && header_.tags > 0; ++frame)
        order_tags(std::span(file_.tags).first(header_.tags),
                   std::span(file_.tags).subspan(std::size_t{frame} * header_.tags, header_.tags), frame);
    return {};
}

// The game looks up tags by name in each frame.
void Parser::order_tags(std::span<const Tag> first, std::span<Tag> tags, std::uint32_t frame)
{
    if (std::ranges::equal(first, tags, {}, &Tag::name, &Tag::name)) return;
    std::unordered_map<std::string_view, Tag, io::StringHash, std::equal_to<>> by_name;
    for (const Tag& tag : tags)
        by_name.try_emplace(tag.name, tag);
    for (std::size_t i = 0; i < tags.size(); ++i) {
        if (const auto named = by_name.find(first[i].name); named != by_name.end())
            tags[i] = named->second;
        else if (warnings_.accepts("md3_tag"))
            warnings_.store(
                "md3_tag",
                fmt::format("the frame has no {}; the tag at its index is used", io::shown(first[i].name)),
                fmt::format("tag {} in frame {}", i, frame));
    }
}

// Checks the limits before storing anything.
LoadResult<void> Parser::take_vertices(const SurfaceHeader& header)
{
    vertices_ += std::uint64_t{header.vertices} * header.frames; // 2^64 - 2^33 + 1 at most
    indices_ += std::uint64_t{header.triangles} * 3;
    if (header.frames > limits_.frames)
        return quake::block_limit_error("frames", header.frames, "frames", limits_.frames);
    if (header.vertices > limits_.vertices || header.frames > limits_.vertices ||
        vertices_ > limits_.vertices)
        return quake::block_limit_error("vertices in all frames", vertices_, "vertices", limits_.vertices);
    if (indices_ > limits_.indices)
        return quake::block_limit_error("indices", indices_, "indices", limits_.indices);
    return {};
}

LoadResult<void> Parser::read_triangles(const Md3Surface& surface, Bytes bytes,
                                        std::vector<std::array<std::uint32_t, 3>>& out)
{
    out = io::ByteReader(bytes).read_array<std::array<std::uint32_t, 3>>();
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::uint32_t largest = std::ranges::max(out[i]);
        if (largest < surface.vertex_count) continue;
        return fail(LoadErrc::out_of_range,
                    fmt::format("surface {}, triangle {}", io::shown(surface.name), i),
                    fmt::format("vertex {} is used, but there are {}", largest, surface.vertex_count));
    }
    return {};
}

void Parser::read_coords(const Md3Surface& surface, Bytes bytes, std::vector<glm::vec2>& out)
{
    out = io::ByteReader(bytes).read_array<glm::vec2>();
    bool lost = false;
    for (glm::vec2& coord : out) {
        if (std::isfinite(coord.x) && std::isfinite(coord.y)) continue;
        coord = glm::vec2(0.0f);
        lost = true;
    }
    if (!lost) return;
    warnings_.add("md3_texture_coordinate", "texture coordinates are not finite; they are replaced by 0",
                  fmt::format("surface {}", io::shown(surface.name)));
}

LoadResult<void> Parser::read_surface(std::uint64_t at, const SurfaceHeader& header)
{
    Md3Surface surface;
    surface.name = quake::text_of(bytes_.subspan(at + 4, name_bytes));
    surface.vertex_count = header.vertices;
    surface.frame_count = header.frames;
    if (header.frames == 0 && header.vertices > 0) {
        return fail(LoadErrc::malformed, fmt::format("surface {}", io::shown(surface.name)),
                    "the surface has no frame");
    }
    if (auto taken = take_vertices(header); !taken) return taken;
    shaders_ += header.shaders; // surfaces may share one table
    if (shaders_ > limits_.materials)
        return quake::block_limit_error("shaders", shaders_, "materials", limits_.materials);
    const auto shaders = find({"shaders", header.shaders, shader_bytes, at + header.shaders_at});
    if (!shaders) return std::unexpected(shaders.error());
    for (std::size_t s = 0; s < shaders->size(); s += shader_bytes) {
        const std::string_view name = quake::text_of(shaders->subspan(s, name_bytes));
        if (!name.empty()) surface.shaders.push_back(name);
    }
    const auto triangles = find({"triangles", header.triangles, 12, at + header.triangles_at});
    if (!triangles) return std::unexpected(triangles.error());
    if (auto read = read_triangles(surface, *triangles, surface.triangles); !read) return read;
    const auto coords = find({"texture coordinates", header.vertices, 8, at + header.coords_at});
    if (!coords) return std::unexpected(coords.error());
    read_coords(surface, *coords, surface.coords);
    const auto vertices = find({"vertices of all frames", std::uint64_t{header.vertices} * header.frames,
                                sizeof(Md3FrameVertex), at + header.vertices_at});
    if (!vertices) return std::unexpected(vertices.error());
    surface.vertices = io::ByteReader(*vertices).read_array<Md3FrameVertex>();
    file_.surfaces.push_back(std::move(surface));
    return {};
}

LoadResult<void> Parser::read_surfaces()
{
    std::uint64_t at = header_.surfaces_at;
    for (std::uint32_t s = 0; s < header_.surfaces; ++s) {
        const auto bytes =
            quake::find_block(bytes_, header_.end, {"surfaces left", 1, sizeof(SurfaceHeader), at});
        if (!bytes) return std::unexpected(bytes.error());
        blocks_.add({"words of a surface's header", 1, sizeof(SurfaceHeader), at});
        const auto header = io::ByteReader(*bytes).read<SurfaceHeader>();
        const auto read = read_surface(at, header);
        if (!read && header.magic != surface_magic)
            return fail(LoadErrc::malformed, quake::at_byte(at),
                        fmt::format("surface {} does not start with IDP3", s));
        if (!read) return read;
        if (header.end < sizeof(SurfaceHeader) && s + 1 < header_.surfaces) {
            return fail(LoadErrc::malformed, quake::at_byte(at),
                        fmt::format("the surface ends after {} bytes, within its header", header.end));
        }
        at += header.end;
    }
    return {};
}

LoadResult<Md3File> Parser::run()
{
    for (const auto step : {&Parser::read_header, &Parser::read_tags, &Parser::read_surfaces}) {
        if (auto done = (this->*step)(); !done) return std::unexpected(done.error());
    }
    blocks_.add({"words of the header", 1, sizeof(Md3Header), 0});
    blocks_.warn("md3_overlap", "md3_size_differs", header_.end, bytes_.size(), warnings_);
    return std::move(file_);
}

} // namespace

LoadResult<Md3File> parse_file(Bytes bytes, const Limits& limits, io::WarningLog& warnings)
{
    return Parser(bytes, limits, warnings).run();
}

} // namespace vitrine::md3
