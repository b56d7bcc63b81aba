#pragma once
// Small MD3 files with manually computable values.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "loaders/md3/md3.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

struct Md3Vertex {
    std::array<std::int16_t, 3> position{}; // 64ths
    std::array<std::uint8_t, 2> normal{};   // from the Z axis, then about it
};

struct Md3Surface {
    std::string name = "body";
    std::vector<std::string> shaders{"models/a/skin.tga"};
    std::vector<std::array<std::uint32_t, 3>> triangles{{0, 1, 2}};
    std::vector<std::array<float, 2>> coords{{0, 0}, {1, 0}, {0, 0.5}};
    std::vector<std::vector<Md3Vertex>> frames{
        {{{0, 0, 0}, {0, 0}}, {{640, 0, 0}, {64, 0}}, {{0, 640, 0}, {64, 64}}},
        {{{0, 0, 64}, {0, 0}}, {{640, 0, 64}, {64, 0}}, {{0, 640, 64}, {64, 64}}}};

    std::string write() const;
};

struct Md3Tag {
    std::string name;
    std::array<float, 3> origin{};
    std::array<float, 9> axes{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

struct Md3Model {
    std::vector<std::vector<Md3Tag>> tags; // by frame
    std::vector<Md3Surface> surfaces{{}};
    std::uint32_t frames = 2;

    std::string write() const;
};

// Sets the 32-bit word at this byte.
inline std::string with_word(std::string bytes, std::size_t at, std::uint32_t value)
{
    std::memcpy(bytes.data() + at, &value, sizeof value);
    return bytes;
}

namespace md3_bytes {

template <class T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline void append_words(std::string& bytes, std::initializer_list<std::size_t> words)
{
    for (const std::size_t word : words)
        append(bytes, static_cast<std::uint32_t>(word));
}

inline std::string padded(std::string text, std::size_t size)
{
    text.resize(size, '\0');
    return text;
}

} // namespace md3_bytes

inline std::string Md3Surface::write() const
{
    std::string blocks;
    for (const auto& triangle : triangles)
        md3_bytes::append(blocks, triangle);
    const std::size_t shaders_at = 108 + blocks.size();
    for (const auto& shader : shaders)
        blocks += md3_bytes::padded(shader, 68);
    const std::size_t coords_at = 108 + blocks.size();
    for (const auto& coord : coords)
        md3_bytes::append(blocks, coord);
    const std::size_t vertices_at = 108 + blocks.size();
    for (const auto& frame : frames)
        for (const auto& vertex : frame)
            md3_bytes::append(blocks, vertex);
    std::string out = "IDP3" + md3_bytes::padded(name, 64);
    md3_bytes::append_words(out, {0, frames.size(), shaders.size(), coords.size(), triangles.size(), 108,
                                  shaders_at, coords_at, vertices_at, 108 + blocks.size()});
    return out + blocks;
}

inline std::string Md3Model::write() const
{
    std::string blocks(std::size_t{frames} * 56, '\0');
    const std::size_t tags_at = 108 + blocks.size();
    for (const auto& frame : tags)
        for (const auto& tag : frame) {
            blocks += md3_bytes::padded(tag.name, 64);
            md3_bytes::append(blocks, tag.origin);
            md3_bytes::append(blocks, tag.axes);
        }
    const std::size_t surfaces_at = 108 + blocks.size();
    for (const auto& surface : surfaces)
        blocks += surface.write();
    std::string out = "IDP3";
    md3_bytes::append_words(out, {15});
    out += md3_bytes::padded("models/a", 64);
    md3_bytes::append_words(out, {0, frames, tags.empty() ? 0 : tags[0].size(), surfaces.size(), 0, 108,
                                  tags_at, surfaces_at, 108 + blocks.size()});
    return out + blocks;
}

inline LoadResult<scene::Scene> load_md3_files(std::string main, std::map<std::string, std::string> files,
                                               const Limits& limits = {}, bool whole = true)
{
    MemorySource source(std::move(main), std::move(files));
    if (whole) source.make_whole_upload();
    auto loaded = load_md3(source, limits);
    if (loaded) expect_places(*loaded);
    return loaded;
}

inline LoadResult<scene::Scene> load_model(const Md3Model& model, const Limits& limits = {})
{
    return load_md3_files("model.md3", {{"model.md3", model.write()}}, limits);
}

} // namespace vitrine::test
