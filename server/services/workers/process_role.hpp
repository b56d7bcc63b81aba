#pragma once
// What a process of the server does.

#include <array>
#include <cstdint>
#include <string_view>

namespace vitrine::server {

enum class ProcessRole : std::uint8_t {
    all,
    api,    // answers clients; has no device and imports nothing
    worker, // imports and draws; shows no page
};

struct ProcessRoleWord {
    std::string_view word;
    ProcessRole role;
};
inline constexpr std::array process_role_words{ProcessRoleWord{"all", ProcessRole::all},
                                               ProcessRoleWord{"api", ProcessRole::api},
                                               ProcessRoleWord{"worker", ProcessRole::worker}};

constexpr std::string_view to_word(ProcessRole role)
{
    return process_role_words[static_cast<std::size_t>(role)].word;
}

} // namespace vitrine::server
