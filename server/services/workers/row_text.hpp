#pragma once
// Values of the columns of render_requests.

#include <chrono>
#include <string>
#include <string_view>

#include "server/services/workers/render_queue.hpp"

namespace vitrine::server {

inline constexpr const char* quarantined_detail = "Drawing this model has made two workers or devices fail. "
                                                  "It is drawn again as a new version, after DELETE "
                                                  "/v1/assets/{id}/quarantine, and after a day.";

constexpr long long to_micros(std::chrono::milliseconds time)
{
    return std::chrono::microseconds(time).count();
}

// The bytes of a column of text, which must be UTF-8 without NUL, as io::encode_base64() has written them;
// empty if they are not base64.
std::string from_base64(std::string_view text);

// The response that is this problem.
RemoteRenderResult problem_outcome(int status, std::string code, std::string detail,
                                   unsigned retry_after_s = 0);

} // namespace vitrine::server
