// A request target: what is taken is valid UTF-8 without control characters, and says the same once it is
// encoded again; a path below a folder stays there.

#include "server/net/url.hpp"

#include <algorithm>
#include <filesystem>

#include "loaders/base/utf8.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

using namespace vitrine;

void demand_text(std::string_view text)
{
    test::demand(is_utf8(text));
    test::demand(std::ranges::none_of(text, [](char c) { return (c >= 0 && c < 0x20) || c == 0x7f; }));
}

} // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto text = test::text_of(data, size);
    if (const auto decoded = server::percent_decode(text)) demand_text(*decoded);
    const auto encoded = server::percent_encode(text);
    if (is_utf8(text))
        if (const auto back = server::percent_decode(encoded)) test::demand(*back == text);
    const auto target = server::parse_target(text);
    if (!target) return 0;
    test::demand(target->segments.size() <= 256 && target->query.size() <= 64);
    std::string again;
    for (const auto& segment : target->segments) {
        demand_text(segment);
        again += "/" + server::percent_encode(segment);
    }
    char separator = '?';
    for (const auto& [name, value] : target->query) {
        demand_text(name);
        demand_text(value);
        again += separator + server::percent_encode(name) + "=" + server::percent_encode(value);
        separator = '&';
    }
    const auto same = server::parse_target(again);
    test::demand(same && same->segments == target->segments && same->query == target->query);
    if (const auto path = server::join_safely(target->segments, 0)) {
        const auto inside = (std::filesystem::path("/root") / *path).lexically_normal().string();
        test::demand(inside.starts_with("/root/"));
    }
    return 0;
}
