#pragma once
// Small MD2 files with manually computable values.

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "loaders/md2/md2.hpp"
#include "tests/support/load_model.hpp"
#include "tests/support/memory_source.hpp"

namespace vitrine::test {

struct Md2Frame {
    std::string name;
    std::array<float, 3> scale{1, 1, 1};
    std::array<float, 3> translate{0, 0, 0};
    std::vector<std::array<std::uint8_t, 4>> vertices; // position and normal
};

// The content of a file; tests change it before it is written.
struct Md2Model {
    std::uint32_t skin_width = 64;
    std::uint32_t skin_height = 32;
    std::vector<std::string> skins{"models/arm.pcx"};
    std::vector<std::array<std::int16_t, 2>> coords{{0, 0}, {32, 0}, {0, 16}, {64, 32}};
    std::vector<std::array<std::uint16_t, 6>> triangles{{0, 1, 2, 0, 1, 2}, {0, 2, 3, 3, 2, 1}};
    std::vector<Md2Frame> frames{
        {"run1", {1, 1, 1}, {0, 0, 0}, {{0, 0, 0, 5}, {10, 0, 0, 5}, {0, 10, 0, 32}, {0, 0, 10, 52}}},
        {"run2", {0.5, 1, 1}, {1, 2, 3}, {{2, 0, 0, 5}, {10, 0, 0, 5}, {0, 10, 0, 32}, {0, 0, 10, 52}}}};
    std::uint32_t frame_padding = 0;
    std::string commands; // GL commands as bytes

    std::string frame_blocks() const;
    std::string write() const;
};

// Sets field `field` of the header, counted in 32-bit words.
inline std::string with_header_field(std::string bytes, std::size_t field, std::uint32_t value)
{
    std::memcpy(bytes.data() + 4 * field, &value, sizeof value);
    return bytes;
}

template <class T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

inline std::string padded(std::string text, std::size_t size)
{
    text.resize(size, '\0');
    return text;
}

inline std::string Md2Model::frame_blocks() const
{
    std::string blocks;
    for (const auto& frame : frames) {
        append(blocks, frame.scale);
        append(blocks, frame.translate);
        blocks += padded(frame.name, 16);
        for (const auto& vertex : frame.vertices)
            append(blocks, vertex);
        blocks.append(frame_padding, '\x55');
    }
    return blocks;
}

inline std::string Md2Model::write() const
{
    const std::size_t vertices = frames.empty() ? 0 : frames[0].vertices.size();
    const std::size_t frame_bytes = 40 + 4 * vertices + frame_padding;
    std::string blocks;
    std::vector<std::size_t> at;
    const auto begin = [&] { at.push_back(68 + blocks.size()); };
    begin();
    for (const auto& skin : skins)
        blocks += padded(skin, 64);
    begin();
    for (const auto& coord : coords)
        append(blocks, coord);
    begin();
    for (const auto& triangle : triangles)
        append(blocks, triangle);
    begin();
    blocks += frame_blocks();
    begin();
    blocks += commands;
    begin(); // the end of the file
    std::vector<std::size_t> numbers{
        8,        skin_width,    skin_height,      frame_bytes,         skins.size(),
        vertices, coords.size(), triangles.size(), commands.size() / 4, frames.size()};
    numbers.insert(numbers.end(), at.begin(), at.end());
    std::string out = "IDP2";
    for (const std::size_t number : numbers)
        append(out, static_cast<std::uint32_t>(number));
    return out + blocks;
}

inline LoadResult<scene::Scene> load_md2_files(std::map<std::string, std::string> files,
                                               const Limits& limits = {}, bool whole = true)
{
    MemorySource source("tris.md2", std::move(files));
    if (whole) source.make_whole_upload();
    auto loaded = load_md2(source, limits);
    if (loaded) expect_places(*loaded);
    return loaded;
}

inline LoadResult<scene::Scene> load_model(const Md2Model& model, const Limits& limits = {})
{
    return load_md2_files({{"tris.md2", model.write()}}, limits);
}

} // namespace vitrine::test
