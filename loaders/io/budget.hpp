#pragma once
// Tracks how much of its Limits one load has used. Checked before memory is allocated.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "loaders/io/input.hpp"
#include "loaders/io/limits.hpp"

namespace vitrine::io {

class Budget {
public:
    explicit Budget(const Limits& limits) : limits_(limits) {}
    const Limits& limits() const { return limits_; }

    LoadResult<void> take_bytes(std::uint64_t n, std::string where)
    {
        return take(bytes_, n, limits_.total_bytes, "total_bytes", std::move(where));
    }
    LoadResult<void> take_vertices(std::uint64_t n, std::string where)
    {
        return take(vertices_, n, limits_.vertices, "vertices", std::move(where));
    }
    LoadResult<void> take_indices(std::uint64_t n, std::string where)
    {
        return take(indices_, n, limits_.indices, "indices", std::move(where));
    }
    LoadResult<void> take_influences(std::uint64_t n, std::string where)
    {
        return take(influences_, n, limits_.influences, "influences", std::move(where));
    }
    LoadResult<void> take_skin_joints(std::uint64_t n, std::string where)
    {
        return take(skin_joints_, n, limits_.skin_joints, "skin_joints", std::move(where));
    }
    LoadResult<void> take_deltas(std::uint64_t n, std::string where)
    {
        return take(deltas_, n, limits_.morph_deltas, "morph_deltas", std::move(where));
    }
    // Vertices at which a morph target is compared with its base, whether they move or not.
    LoadResult<void> take_compared(std::uint64_t n, std::string where)
    {
        return take(compared_, n, limits_.morph_deltas, "morph_deltas", std::move(where));
    }
    LoadResult<void> take_keys(std::uint64_t n, std::string where)
    {
        return take(keys_, n, limits_.key_values, "key_values", std::move(where));
    }
    // Numbers of a text that are read before their meaning is known.
    LoadResult<void> take_numbers(std::uint64_t n, std::string where)
    {
        if (n > max_numbers - numbers_)
            return fail(LoadErrc::limit_exceeded, std::move(where),
                        fmt::format("more than {} numbers, which is the maximum", max_numbers));
        numbers_ += n;
        return {};
    }

private:
    static constexpr std::uint64_t max_numbers = 1ull << 30;

    static LoadResult<void> take(std::uint64_t& used, std::uint64_t n, std::uint64_t limit,
                                 std::string_view name, std::string where)
    {
        if (n > limit - used) return limit_exceeded_error(std::move(where), name, limit);
        used += n;
        return {};
    }

    const Limits& limits_;
    std::uint64_t bytes_ = 0;
    std::uint64_t vertices_ = 0;
    std::uint64_t indices_ = 0;
    std::uint64_t influences_ = 0;
    std::uint64_t skin_joints_ = 0;
    std::uint64_t deltas_ = 0;
    std::uint64_t compared_ = 0;
    std::uint64_t keys_ = 0;
    std::uint64_t numbers_ = 0;
};

} // namespace vitrine::io
