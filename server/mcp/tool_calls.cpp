#include "server/mcp/tool_calls.hpp"

#include <algorithm>
#include <array>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "loaders/io/base64.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_text = 200'000; // bytes, about 60,000 tokens
constexpr std::size_t max_values = 256;   // of a list

// Parameters that the REST API takes repeatedly.
constexpr std::array<std::string_view, 12> repeated{"check", "asset",   "attach", "joint", "layer", "move",
                                                    "tag",   "warning", "reach",  "scale", "turn",  "view"};

std::expected<std::vector<std::string>, api::Problem> argument_texts(std::string_view name,
                                                                     const json::array& list)
{
    if (list.size() > max_values)
        return bad_argument(name, fmt::format("must have at most {} values", max_values));
    std::vector<std::string> texts;
    for (const auto& entry : list) {
        auto text = api::scalar_text(entry);
        if (!text) return bad_argument(name, "must be a list of texts or numbers");
        texts.push_back(std::move(*text));
    }
    return texts;
}

} // namespace

std::unexpected<api::Problem> bad_argument(std::string_view name, std::string_view why)
{
    return std::unexpected(
        api::Problem{.status = 400, .code = "bad_query", .detail = fmt::format("{} {}.", name, why)});
}

std::expected<Query, api::Problem> to_query(const json::object& arguments,
                                            std::initializer_list<std::string_view> other)
{
    Query query;
    for (const auto& [key, value] : arguments) {
        const std::string_view name = key;
        if (value.is_null() || std::ranges::find(other, name) != other.end()) continue;
        const auto* const list = value.if_array();
        if (list == nullptr) {
            auto text = api::scalar_text(value);
            if (!text) return bad_argument(name, "must be a text, a number, a flag or a list of these");
            query.emplace_back(name, std::move(*text));
            continue;
        }
        auto texts = argument_texts(name, *list);
        if (!texts) return std::unexpected(texts.error());
        if (std::ranges::find(repeated, name) != repeated.end())
            for (auto& text : *texts)
                query.emplace_back(name, std::move(text));
        else
            query.emplace_back(name, fmt::format("{}", fmt::join(*texts, ",")));
    }
    return query;
}

std::expected<std::string, api::Problem> path_segment(const json::object& arguments, std::string_view name)
{
    const auto* const value = arguments.if_contains(name);
    const auto text = value != nullptr ? api::scalar_text(*value) : std::nullopt;
    if (!text || text->empty()) return bad_argument(name, "is missing");
    return percent_encode(*text);
}

std::expected<std::string, api::Problem> body_of(HandlerResult response)
{
    if (!response) return std::unexpected(std::move(response.error()));
    const auto bytes = body_bytes(response->body);
    if (response->status == 200 && bytes) return std::string(*bytes);
    return std::unexpected(api::Problem{.status = 503,
                                        .code = "not_drawn",
                                        .detail = "This is not made yet; ask again later.",
                                        .retry_after_s = 1});
}

std::expected<std::string, api::Problem> get_text(const RestApi& api, const std::string& path,
                                                  const Query& query)
{
    return body_of(api(path, query, "application/json"));
}

std::expected<json::object, api::Problem> get_json(const RestApi& api, const std::string& path,
                                                   const Query& query)
{
    const auto text = get_text(api, path, query);
    if (!text) return std::unexpected(text.error());
    return json::parse(*text).as_object();
}

json::object text_block(std::string text)
{
    return {{"type", "text"}, {"text", std::move(text)}};
}

json::object image_block(std::string_view bytes, std::string_view media_type)
{
    return {{"type", "image"}, {"data", io::encode_base64(bytes)}, {"mimeType", media_type}};
}

ToolResult text_result(std::string text)
{
    if (text.size() > max_text)
        return std::unexpected(api::Problem{
            .status = 413,
            .code = "limit_exceeded",
            .detail = fmt::format(
                "The answer has {} bytes, more than {}: ask for less of it, such as fewer joints, "
                "times or items.",
                text.size(), max_text)});
    return json::object{{"content", json::array{text_block(std::move(text))}}};
}

} // namespace vitrine::server
