// Requests whose parameters are a JSON body: POST to the routes of images, poses, meshes and exports answers
// as GET with the same parameters in the URL does, with the same entity tag.
#include <algorithm>
#include <array>

#include <boost/json/parse.hpp>
#include <fmt/format.h>

#include "api/json_text.hpp"
#include "server/handlers/handlers.hpp"
#include "server/preview/member_reader.hpp"

namespace vitrine::server {
namespace {

namespace json = boost::json;

// Members of a motion, whose entries may be objects.
constexpr std::array<std::string_view, 7> motion_members{"layers", "turn",  "move",  "scale",
                                                         "joints", "reach", "attach"};
constexpr std::size_t max_values = 10'000; // of one member

class BodyQuery {
public:
    explicit BodyQuery(Query& query) : query_(query) {}

    void add_motion(const json::object& body)
    {
        json::object motion;
        for (const auto name : motion_members)
            if (const auto* value = body.if_contains(name)) motion[name] = *value;
        MemberReader reader(motion);
        ViewChange change;
        read_animation(reader, {}, change);
        if (reader.error()) return reject("", reader.error()->detail);
        const auto add = [&](std::string_view name, const std::optional<std::vector<std::string>>& texts) {
            for (const auto& text : texts.value_or(std::vector<std::string>()))
                query_.emplace_back(name, text);
        };
        add("layer", change.layers);
        add("turn", change.turns);
        add("move", change.moves);
        add("scale", change.scales);
        add("reach", change.reaches);
        add("attach", change.attachments);
    }

    // A list is that of a parameter, separated by commas, or several joints or views.
    void add_member(std::string_view name, const json::value& value)
    {
        if (value.is_null() || std::ranges::find(motion_members, name) != motion_members.end()) return;
        const auto* list = value.if_array();
        if (list == nullptr)
            return add_scalar(name, value, "must be a text, a number, a flag or a list of these");
        if (list->size() > max_values)
            return reject(name, fmt::format("has more than {} values", max_values));
        // Several views are texts, one is numbers.
        const bool repeats =
            name == "joint" || (name == "view" && std::ranges::all_of(*list, [](const auto& entry) {
                                    return entry.is_string();
                                }));
        std::string joined;
        for (const auto& entry : *list) {
            const auto text = api::scalar_text(entry);
            if (!text) return reject(name, "must be a list of texts or numbers");
            if (repeats)
                query_.emplace_back(name, *text);
            else
                joined += (joined.empty() ? "" : ",") + *text;
        }
        if (!repeats) query_.emplace_back(name, joined);
    }

    std::optional<api::Problem> finish()
    {
        if (errors_.empty()) return std::nullopt;
        api::Problem rejected{.status = 400, .code = "bad_body", .detail = errors_.front().detail};
        rejected.errors = std::move(errors_);
        return rejected;
    }

private:
    void add_scalar(std::string_view name, const json::value& value, std::string_view why)
    {
        if (const auto text = api::scalar_text(value))
            query_.emplace_back(name, *text);
        else
            reject(name, why);
    }
    void reject(std::string_view name, std::string_view why)
    {
        errors_.push_back({.pointer = name.empty() ? "" : "/" + std::string(name),
                           .detail = name.empty() ? std::string(why) : fmt::format("{} {}", name, why)});
    }

    Query& query_;
    std::vector<api::FieldError> errors_;
};

} // namespace

std::optional<api::Problem> add_json_members(Request& request)
{
    if (request.body.empty()) return std::nullopt;
    boost::system::error_code error;
    json::parse_options options;
    options.max_depth = 8;
    const auto value = json::parse(json::string_view(request.body), error, {}, options);
    if (error || !value.is_object())
        return api::Problem{.status = 400, .code = "bad_json", .detail = "The body must be one JSON object."};
    BodyQuery query(request.target.query);
    query.add_motion(value.as_object());
    for (const auto& [name, member] : value.as_object())
        query.add_member(name, member);
    return query.finish();
}

namespace {

// A parameter of the query is a member of the body.
void point_into_body(api::Problem& rejected)
{
    constexpr std::string_view of_query = "/query/";
    for (auto& error : rejected.errors)
        if (error.pointer.starts_with(of_query)) error.pointer.erase(0, of_query.size() - 1);
}

HandlerResult answer_members(const Request& asked, Context& context, BlockingHandler handler)
{
    auto response = handler(asked, context);
    if (!response) point_into_body(response.error());
    return response;
}

} // namespace

HandlerResult answer_json(const Request& request, Context& context, BlockingHandler handler)
{
    Request asked = request;
    if (auto rejected = add_json_members(asked)) return std::unexpected(*rejected);
    return answer_members(asked, context, handler);
}

} // namespace vitrine::server
