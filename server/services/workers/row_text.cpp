#include "server/services/workers/row_text.hpp"

#include <array>
#include <cstdint>

#include <boost/json/serialize.hpp>

#include "api/problem.hpp"
#include "loaders/io/base64.hpp"

namespace vitrine::server {

std::string to_base64(std::string_view bytes)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        const auto byte = [&](std::size_t i) {
            return i < bytes.size() ? std::uint32_t{static_cast<unsigned char>(bytes[i])} : 0u;
        };
        const auto group = byte(at) << 16 | byte(at + 1) << 8 | byte(at + 2);
        const std::array<char, 4> four{digits[group >> 18], digits[group >> 12 & 63], digits[group >> 6 & 63],
                                       digits[group & 63]};
        text.append(four.data(), four.size());
    }
    const auto rest = bytes.size() % 3;
    if (rest > 0) text.replace(text.size() - (3 - rest), 3 - rest, 3 - rest, '=');
    return text;
}

std::string from_base64(std::string_view text)
{
    const auto bytes = io::decode_base64(text);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string();
}

DrawOutcome problem_outcome(int status, std::string code, std::string detail, unsigned retry_after_s)
{
    const api::Problem problem{.status = status,
                               .code = std::move(code),
                               .detail = std::move(detail),
                               .retry_after_s = retry_after_s};
    return {.status = status,
            .content_type = "application/problem+json",
            .body = boost::json::serialize(api::to_json(problem))};
}

} // namespace vitrine::server
