#include "server/services/workers/row_text.hpp"

#include <boost/json/serialize.hpp>

#include "api/problem.hpp"
#include "loaders/io/base64.hpp"

namespace vitrine::server {

std::string from_base64(std::string_view text)
{
    const auto bytes = io::decode_base64(text);
    return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size()) : std::string();
}

RemoteRenderResult problem_outcome(int status, std::string code, std::string detail, unsigned retry_after_s)
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
