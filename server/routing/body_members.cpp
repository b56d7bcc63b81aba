#include "server/routing/body_members.hpp"

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"

namespace vitrine::server {
namespace {

constexpr std::size_t max_errors = 16;

std::string trimmed_text(const boost::json::string& text)
{
    return std::string(ascii::trimmed(std::string_view(text)));
}

} // namespace

const boost::json::value* BodyMembers::find(std::string_view name)
{
    known_.emplace(name);
    return object_.if_contains(name);
}

std::optional<std::string> BodyMembers::text(std::string_view name)
{
    const auto* value = find(name);
    if (!value) return std::nullopt;
    if (const auto* text = value->if_string()) return trimmed_text(*text);
    reject(name, "must be a string");
    return std::nullopt;
}

std::optional<std::string> BodyMembers::text_or_null(std::string_view name)
{
    const auto* value = find(name);
    if (value && value->is_null()) return std::string();
    return text(name);
}

std::optional<bool> BodyMembers::flag(std::string_view name)
{
    const auto* value = find(name);
    if (!value) return std::nullopt;
    if (value->is_bool()) return value->as_bool();
    reject(name, "must be true or false");
    return std::nullopt;
}

std::optional<std::uint64_t> BodyMembers::integer(std::string_view name, std::uint64_t max)
{
    const auto* value = find(name);
    if (!value) return std::nullopt;
    boost::system::error_code error;
    const auto number = value->is_number() ? value->to_number<std::uint64_t>(error) : max + 1;
    if (!error && number <= max) return number;
    reject(name, fmt::format("must be an integer from 0 to {}", max));
    return std::nullopt;
}

std::optional<std::vector<std::string>> BodyMembers::texts(std::string_view name, std::size_t min,
                                                           std::size_t max)
{
    const auto* value = find(name);
    if (!value) return std::nullopt;
    const auto* array = value->if_array();
    if (!array || array->size() < min || array->size() > max) {
        reject(name, fmt::format("must be an array of {} to {} strings", min, max));
        return std::nullopt;
    }
    std::vector<std::string> texts;
    for (const auto& element : *array) {
        if (!element.is_string()) {
            reject(name, "must have strings only");
            return std::nullopt;
        }
        texts.push_back(trimmed_text(element.get_string()));
    }
    return texts;
}

void BodyMembers::require(std::string_view name)
{
    if (!find(name)) reject(name, "is required");
}

void BodyMembers::reject(std::string_view name, std::string_view why)
{
    if (why.empty() || errors_.size() >= max_errors) return;
    errors_.push_back(
        {.pointer = fmt::format("{}/{}", at_, name), .detail = fmt::format("{} {}", name, why)});
}

void BodyMembers::reject_unknown()
{
    for (const auto& member : object_)
        if (!known_.contains(std::string_view(member.key()))) reject(member.key(), "is no member here");
}

void BodyMembers::merge(BodyMembers& inner)
{
    inner.reject_unknown();
    for (const auto& error : inner.errors_)
        if (errors_.size() < max_errors) errors_.push_back(error);
}

std::optional<api::Problem> BodyMembers::finish()
{
    reject_unknown();
    if (errors_.empty()) return std::nullopt;
    return api::Problem{
        .status = 400, .code = "bad_body", .detail = "The body is not valid.", .errors = std::move(errors_)};
}

} // namespace vitrine::server
