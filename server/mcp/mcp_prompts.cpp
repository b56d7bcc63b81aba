#include <algorithm>
#include <array>
#include <span>

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include "server/mcp/library.hpp"
#include "server/mcp/tool_calls.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

constexpr std::size_t max_completions = 20;

struct PromptArgument {
    std::string_view name;
    std::string_view description;
    bool is_required = true;
};
constexpr std::array asset_argument{PromptArgument{"asset", "Id of the asset"}};
constexpr std::array review_arguments{
    PromptArgument{"asset", "Id of the asset"},
    PromptArgument{"profile", "Profile of rules: default, game-console, mobile, webgl, vr or film-preview",
                   false}};

struct Prompt {
    std::string_view name;
    std::string_view title;
    std::string_view description;
    std::span<const PromptArgument> arguments;
    std::string_view text; // {0}: the first argument, {1}: the second
};
constexpr std::array prompts{
    Prompt{"describe_asset", "Describe a model", "A caption and tags for the library", asset_argument,
           "Look at the 3D model {0} with the tools look and get_asset. Write one sentence that says what it "
           "shows, "
           "what it is made for and how it moves, and up to eight tags in lower case."},
    Prompt{"review_asset", "Review a model", "Faults and what to repair first", review_arguments,
           "Review the 3D model {0} before it goes into production. Call check_asset with the profile "
           "\"{1}\", look at "
           "it with the views front, side and back and again with the overlay skeleton, and read the facts "
           "of each "
           "clip. List the faults in the order in which they should be repaired, each with the tool that "
           "showed it and "
           "what to change."},
};

constexpr std::string_view default_profile = "default";

json::object prompt_json(const Prompt& prompt)
{
    json::array list;
    for (const auto& argument : prompt.arguments)
        list.push_back(json::object{{"name", argument.name},
                                    {"description", argument.description},
                                    {"required", argument.is_required}});
    return {{"name", prompt.name},
            {"title", prompt.title},
            {"description", prompt.description},
            {"arguments", std::move(list)}};
}

} // namespace

McpResult list_prompts(const json::object&, const RestApi&)
{
    json::array list;
    for (const auto& prompt : prompts)
        list.push_back(prompt_json(prompt));
    return json::object{{"prompts", std::move(list)}};
}

McpResult get_prompt(const json::object& params, const RestApi&)
{
    const auto name = text_member(params, "name");
    const auto prompt = std::ranges::find(prompts, name, &Prompt::name);
    if (prompt == prompts.end())
        return mcp_error(McpErrc::invalid_params, fmt::format("There is no prompt {}.", name));
    const auto* const given = object_member(params, "arguments");
    const auto argument = [&](std::string_view key) {
        return given != nullptr ? text_member(*given, key) : std::string_view();
    };
    for (const auto& needed : prompt->arguments)
        if (needed.is_required && argument(needed.name).empty())
            return mcp_error(McpErrc::invalid_params,
                             fmt::format("The argument {} is missing.", needed.name));
    const auto profile = argument("profile").empty() ? default_profile : argument("profile");
    const auto text = fmt::format(fmt::runtime(prompt->text), argument("asset"), profile);
    return json::object{
        {"description", prompt->description},
        {"messages", json::array{json::object{{"role", "user"}, {"content", text_block(text)}}}}};
}

// Ids of assets whose names have the words; other arguments have no list.
McpResult complete_argument(const json::object& params, const RestApi& api)
{
    const auto* const argument = object_member(params, "argument");
    if (argument == nullptr || object_member(params, "ref") == nullptr)
        return mcp_error(McpErrc::invalid_params, "The members ref and argument must be objects.");
    json::array values;
    bool has_more = false;
    if (text_member(*argument, "name") == "asset") {
        Query query{{"limit", std::to_string(max_completions)}};
        if (const auto words = text_member(*argument, "value"); !words.empty())
            query.emplace_back("q", words);
        const auto page = get_json(api, "/v1/assets", query);
        if (!page) return mcp_error(McpErrc::invalid_params, page.error().detail);
        for (const auto& asset : page->at("items").as_array())
            values.emplace_back(text_member(asset.as_object(), "id"));
        has_more = !text_member(*page, "next").empty();
    }
    return json::object{{"completion", json::object{{"values", std::move(values)}, {"hasMore", has_more}}}};
}

} // namespace vitrine::server
