#pragma once
// The layout of a blob, shared by its writer and its reader. Private to loaders/scene.
//
// Layout: header, then the fields of the Scene in the order of blob_fields.hpp. Numbers are stored
// unmodified; a text or list is preceded by its count (8 bytes). The elements of an array of plain numbers
// start at a multiple of 16 from the start of the blob, with zero padding.

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include <glm/glm.hpp>

#include "loaders/scene/blob.hpp"

namespace vitrine::scene {

static_assert(std::endian::native == std::endian::little, "the blob layout is little-endian");

struct BlobHeader {
    std::array<char, 8> magic{'V', 'T', 'R', 'S', 'C', 'E', 'N', 'E'};
    std::uint64_t version = blob_version;
    std::uint64_t size_bytes = 0; // including this header
};
static_assert(sizeof(BlobHeader) == 24 && std::has_unique_object_representations_v<BlobHeader>);

inline constexpr std::size_t blob_alignment = 16;

// Copied bytewise, alone or as elements of an aligned array.
template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <glm::length_t N>
inline constexpr bool is_plain<glm::vec<N, float>> = true;
template <>
inline constexpr bool is_plain<glm::mat4> = true;
template <>
inline constexpr bool is_plain<glm::mat3> = true;

} // namespace vitrine::scene
