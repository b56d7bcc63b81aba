#include "loaders/io/limits.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/ranges.h>

#include "loaders/base/parse_whole.hpp"

namespace vitrine::io {
namespace {

constexpr std::array table{
    NamedLimit{"file_bytes", "bytes of one file", &Limits::file_bytes},
    NamedLimit{"total_bytes", "bytes of all files of a load", &Limits::total_bytes},
    NamedLimit{"vertices", "vertices", &Limits::vertices},
    NamedLimit{"indices", "indices", &Limits::indices},
    NamedLimit{"influences", "influences of joints on vertices", &Limits::influences},
    NamedLimit{"key_values", "numbers in all keys", &Limits::key_values},
    NamedLimit{"morph_deltas", "deltas of morph targets", &Limits::morph_deltas},
    NamedLimit{"drawn_vertices", "vertices times the nodes that draw them", &Limits::drawn_vertices},
    NamedLimit{"drawn_influences", "joint influences times the nodes that draw them",
               &Limits::drawn_influences},
    NamedLimit{"nodes", "nodes", &Limits::nodes},
    NamedLimit{"joints", "joints of a skin", &Limits::joints},
    NamedLimit{"skin_joints", "joints of all skins", &Limits::skin_joints},
    NamedLimit{"meshes", "meshes", &Limits::meshes},
    NamedLimit{"materials", "materials", &Limits::materials},
    NamedLimit{"images", "images", &Limits::images},
    NamedLimit{"clips", "clips", &Limits::clips},
    NamedLimit{"frames", "frames of one file, in formats that store frames", &Limits::frames},
    NamedLimit{"clip_seconds", "seconds of one clip; longer clips are cut", &Limits::clip_seconds},
    NamedLimit{"depth", "levels of nesting", &Limits::depth},
    NamedLimit{"image_pixels", "pixels of one image; larger ones are reduced", &Limits::image_pixels},
    NamedLimit{"total_pixels", "pixels of all images of a load; large ones are reduced",
               &Limits::total_pixels},
    NamedLimit{"zip_entries", "entries of a zip", &Limits::zip_entries},
    NamedLimit{"zip_bytes", "bytes that a zip unpacks to", &Limits::zip_bytes},
    NamedLimit{"zip_ratio", "ratio of the unpacked size of a zip to its own size", &Limits::zip_ratio},
};

std::string unknown(std::string_view name)
{
    std::string names;
    for (const auto& limit : table)
        names += (names.empty() ? "" : ", ") + std::string(limit.name);
    return fmt::format("unknown limit '{}'; the limits are {}", name, names);
}

} // namespace

std::span<const NamedLimit> named_limits()
{
    return table;
}

std::uint64_t value_of(const Limits& limits, const NamedLimit& limit)
{
    return std::visit([&](auto member) { return std::uint64_t{limits.*member}; }, limit.member);
}

std::string set_limit(Limits& limits, std::string_view text)
{
    const auto equals = text.find('=');
    if (equals == text.npos) return fmt::format("'{}' is not NAME=NUMBER", text);
    const auto name = text.substr(0, equals), digits = text.substr(equals + 1);
    const auto* found = std::ranges::find(table, name, &NamedLimit::name);
    if (found == table.end()) return unknown(name);
    const auto number = parse_whole<std::uint64_t>(digits);
    if (!number) return fmt::format("'{}' of {} is not an integer", digits, name);
    return std::visit(
        [&]<class T>(T Limits::* member) -> std::string {
            if (*number > std::numeric_limits<T>::max())
                return fmt::format("{} is at most {}", name, std::numeric_limits<T>::max());
            limits.*member = static_cast<T>(*number);
            return {};
        },
        found->member);
}

std::string limit_message(std::string_view subject, std::string_view name, std::uint64_t limit)
{
    const std::string separator = subject.empty() ? "" : ": ";
    return fmt::format("{}{}more than the limit {} = {}", subject, separator, name, limit);
}

std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view subject,
                                                std::string_view name, std::uint64_t limit)
{
    return fail(LoadErrc::limit_exceeded, std::move(where), limit_message(subject, name, limit));
}

std::unexpected<LoadError> limit_exceeded_error(std::string where, std::string_view name, std::uint64_t limit)
{
    return limit_exceeded_error(std::move(where), "", name, limit);
}

} // namespace vitrine::io
