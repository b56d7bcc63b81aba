#pragma once
// What the routes of this folder read of their requests.

#include <optional>
#include <string>
#include <string_view>

#include <boost/json/object.hpp>

#include "server/handlers/access/json_body.hpp"
#include "server/net/http.hpp"

namespace vitrine::server {

// The first value of the name in a query; empty: there is none.
inline std::string value_of(const Query& query, std::string_view name)
{
    for (const auto& [key, value] : query)
        if (key == name) return value;
    return {};
}

// Of a body that is a form (application/x-www-form-urlencoded). Empty optional: it is none.
inline std::optional<Query> read_form_body(const Request& request)
{
    const auto type = request.headers.find("Content-Type").value_or("");
    if (!type.starts_with("application/x-www-form-urlencoded")) return std::nullopt;
    auto target = parse_target("/?" + request.body);
    if (!target) return std::nullopt;
    return std::move(target->query);
}

// As OAuth has errors (RFC 6749, 5.2), which libraries for it understand.
inline Response oauth_error(std::string_view code, std::string_view description)
{
    return json_answer(400, boost::json::object{{"error", code}, {"error_description", description}},
                       "no-store");
}

// Of this server, as the browser reaches it: "https://host:port".
inline std::string origin_of(const Request& request)
{
    return (request.https ? "https://" : "http://") +
           std::string(request.headers.find("Host").value_or("localhost"));
}

} // namespace vitrine::server
