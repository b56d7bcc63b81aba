// What users see by grants on collections: lists, counts, names, events.

#include <boost/asio/detached.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/access/grants_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(Grants, ListsCountWhatIsVisible)
{
    for (const auto* const sort : {"", "&sort=name", "&q=e", "&q=e&sort=relevance", "&offset=0"}) {
        const auto list =
            get(std::string("/v1/assets?total=true&facets=format,tag,owner") + sort, {maya}).json();
        ASSERT_EQ(list.at("items").as_array().size(), 1u) << sort;
        EXPECT_EQ(list.at_pointer("/items/0/id").as_string(), walker);
        EXPECT_EQ(list.at("total").to_number<int>(), 1) << sort;
        EXPECT_THAT(boost::json::serialize(list.at("facets")), HasSubstr("\"count\":1"));
        EXPECT_THAT(boost::json::serialize(list.at("facets")), Not(HasSubstr("\"count\":2")));
    }
    EXPECT_THAT(ids_of("/v1/assets?q=secret"), ElementsAre());
    EXPECT_THAT(ids_of("/v1/assets?collection=" + hidden), ElementsAre());
    EXPECT_EQ(get("/v1/assets?at=" + secret, {maya}).code(), "no_asset");
    EXPECT_EQ(get("/v1/assets?total=true", {admin}).json().at("total").to_number<int>(), 2);
}

// Words of assets that are not visible are neither suggested nor do they keep others from being.
TEST_F(Grants, SearchesSuggestNothing)
{
    EXPECT_THAT(text_of("/v1/assets?q=secrat"), Not(HasSubstr("secret")));
    EXPECT_EQ(text_of("/v1/assets?q=walkar"), text_of("/v1/assets?q=qqqqqq"));
}

// Responses that are stored for others are not used, and none are made for them.
TEST_F(Grants, StoredResponsesAreThoseOfOthers)
{
    const auto target = std::string("/v1/assets?fields=id");
    const auto count = [&](const Field& field) {
        return get(target, {field}).json().at("items").as_array().size();
    };
    EXPECT_EQ(count(admin), 2u);
    EXPECT_EQ(count(maya), 1u);
    EXPECT_EQ(count(admin), 2u);
    Request request;
    request.method = Method::get;
    request.target = parse_target(target).value();
    request.headers.add("Host", "localhost");
    request.headers.add(maya.first, maya.second);
    EXPECT_EQ(dispatcher.find_cached(request, target).response, nullptr);
    request.headers.set("Cookie", "");
    request.headers.add(admin.first, admin.second);
    EXPECT_NE(dispatcher.find_cached(request, target).response, nullptr);
}

TEST_F(Grants, TagsAreThoseOfVisibleAssets)
{
    set_tags(walker, {"shared", "mine"});
    set_tags(secret, {"shared", "covert"});
    const auto tags = get("/v1/tags", {maya}).json().at("items").as_array();
    ASSERT_EQ(tags.size(), 2u);
    for (const auto& tag : tags)
        EXPECT_EQ(tag.at("assets").to_number<int>(), 1);
    EXPECT_THAT(boost::json::serialize(tags), Not(HasSubstr("covert")));
    EXPECT_THAT(text_of("/v1/assets?facets=tag"), Not(HasSubstr("covert")));
}

TEST_F(Grants, OtherListsHaveNothingElse)
{
    Note note;
    note.version = 1;
    note.text = "text";
    note.author = "test";
    for (const auto& asset : {walker, secret}) {
        note.asset = asset;
        ASSERT_TRUE(services.notes.create(note));
    }
    SavedSearch search;
    search.name = "shared search";
    search.query = "q=secret";
    search.owner = "token:server";
    search.is_shared = true;
    ASSERT_TRUE(services.searches.create(search));
    const auto by = std::string("/v1/assets/") + walker;
    for (const auto& target :
         {std::string("/v1/jobs"), std::string("/v1/notes"), std::string("/v1/collections"),
          std::string("/v1/searches"), std::string("/v1/me/favorites"), by + "/similar?by=bytes",
          by + "/similar", by + "/fitting-clips", by + "/fitting-characters",
          "/v1/collections?asset=" + walker, std::string("/v1/me")}) {
        const auto answered = get(target, {maya});
        const auto text = std::string(body_bytes(answered.response.body).value_or(""));
        EXPECT_THAT(text, Not(HasSubstr(secret))) << target;
        EXPECT_THAT(text, Not(HasSubstr("secret"))) << target;
        EXPECT_THAT(text, Not(HasSubstr(hidden))) << target;
    }
    EXPECT_THAT(text_of("/v1/jobs"), HasSubstr(walker));
    EXPECT_THAT(text_of("/v1/notes"), HasSubstr(walker));
    EXPECT_THAT(ids_of("/v1/collections"), ElementsAre(mine));
    EXPECT_THAT(get("/v1/collections?asset=" + secret, {maya}).json().at("items").as_array(), ElementsAre());
}

// The highest of the own role and those of grants, also of collections above.
TEST_F(Grants, RolesAreShownWhenAskedFor)
{
    const auto role_at = [&](const std::string& target, const Field& who, const std::string& pointer) {
        const auto answered = get(target, {who});
        EXPECT_EQ(answered.status(), 200) << target;
        EXPECT_EQ(answered.response.headers.find("Cache-Control"), "private, no-store") << target;
        return std::string(answered.json().at_pointer(pointer).as_string());
    };
    const auto below = make_collection("below", mine);
    const auto asset = "/v1/assets/" + walker + "?role=true",
               collections = "/v1/collections/" + below + "?role=true";
    EXPECT_EQ(role_at(asset, maya, "/role"), "editor");
    EXPECT_EQ(role_at(asset, admin, "/role"), "admin");
    EXPECT_EQ(role_at(collections, maya, "/role"), "editor");
    EXPECT_EQ(role_at(collections, admin, "/role"), "admin");
    EXPECT_EQ(role_at("/v1/assets?fields=role", maya, "/items/0/role"), "editor");
    EXPECT_EQ(role_at("/v1/collections?role=true", maya, "/items/1/role"), "editor");
    give(below, Role::admin);
    give(mine, Role::viewer);
    EXPECT_EQ(role_at(asset, maya, "/role"), "viewer");
    EXPECT_EQ(role_at("/v1/collections?role=true", maya, "/items/0/role"), "viewer");
    EXPECT_EQ(role_at("/v1/collections?role=true", maya, "/items/1/role"), "admin");
    EXPECT_TRUE(services.collections.insert_members(below, {.assets = {walker}}));
    EXPECT_EQ(role_at("/v1/assets?fields=id,role", maya, "/items/0/role"), "admin") << "of two collections";
}

TEST_F(Grants, RolesAreNotShownOtherwise)
{
    for (const auto& target :
         {"/v1/assets/" + walker, "/v1/assets/" + walker + "?role=false", "/v1/collections/" + mine})
        EXPECT_FALSE(get(target, {maya}).json().as_object().contains("role")) << target;
    for (const auto* const list : {"/v1/assets", "/v1/collections"})
        EXPECT_FALSE(get(list, {maya}).json().at_pointer("/items/0").as_object().contains("role")) << list;
    EXPECT_EQ(get("/v1/assets/" + walker + "?role=maybe", {maya}).status(), 400);
}

// A granted collection is at the top for who sees nothing above it.
TEST_F(Grants, ParentsAndCoversAreHidden)
{
    const auto below = make_collection("below", hidden);
    ASSERT_TRUE(services.collections.change(below, {.cover = secret}));
    give(below, Role::editor);
    const auto collection = get("/v1/collections/" + below, {maya}).json();
    EXPECT_TRUE(collection.at("parent").is_null());
    EXPECT_TRUE(collection.at("cover").is_null());
    EXPECT_THAT(ids_of("/v1/collections?parent="), ElementsAre(mine, below));
    EXPECT_THAT(ids_of("/v1/collections?parent=" + hidden), ElementsAre());
    const auto changed = send(Method::patch, "/v1/collections/" + below, R"({"description": "new"})");
    EXPECT_EQ(changed.status(), 200);
    EXPECT_TRUE(changed.json().at("parent").is_null());
    EXPECT_EQ(services.collections.find(below).value().parent, hidden) << "it stays where it is";
    EXPECT_EQ(send(Method::patch, "/v1/collections/" + below, R"({"parent": null})").code(), "role_required");
    EXPECT_EQ(
        send(Method::patch, "/v1/collections/" + mine, fmt::format(R"({{"cover": "{}"}})", secret)).code(),
        "no_asset");
}

TEST_F(Grants, RequestsThatNameOtherAssetsDoNotFindThem)
{
    const std::string unknown = "unknown";
    const auto same = [&](const std::string& before, const std::string& after) {
        const auto at_hidden = get(before + secret + after, {maya}),
                   at_unknown = get(before + unknown + after, {maya});
        EXPECT_EQ(at_hidden.status(), at_unknown.status()) << before;
        auto text = std::string(body_bytes(at_hidden.response.body).value_or(""));
        for (auto at = text.find(secret); at != text.npos; at = text.find(secret))
            text.replace(at, secret.size(), unknown);
        EXPECT_EQ(text, body_bytes(at_unknown.response.body).value_or("")) << before;
        EXPECT_NE(at_hidden.status(), 200) << before;
    };
    const auto asset = "/v1/assets/" + walker;
    same(asset + "/render?attach=", "@0");
    same(asset + "/mesh?clip=", ":0");
    same(asset + "/clips/0/pose?t=0&layer=", ":0");
    same("/v1/lineup?asset=" + walker + "&asset=", "");
    same("/v1/render?asset=", "");
    same("/v1/assets:download?assets=" + walker + ",", "");
    same("/v1/assets:download?collection=", "");
    same("/v1/preview?asset=", "");
    EXPECT_EQ(get("/v1/assets:download?collection=" + hidden, {maya}).code(), "no_collection");
    EXPECT_EQ(get("/v1/assets:download?assets=" + walker, {maya}).status(), 200);
    EXPECT_EQ(get("/v1/lineup?asset=" + walker, {maya}).status(), 200);
}

class GrantedEvents : public Grants {
protected:
    // What the stream has after the greeting, until `last` is in it.
    std::string read_until(Answered& answered, const std::string& last)
    {
        auto& stream = *std::get<std::unique_ptr<EventStreamBody>>(answered.response.body);
        std::string all;
        answered.io->restart();
        asio::co_spawn(
            *answered.io,
            [&]() -> asio::awaitable<void> {
                while (!all.contains(last)) {
                    const auto piece = co_await stream.next();
                    if (piece.empty()) break;
                    all += piece;
                }
                answered.io->stop();
            },
            asio::detached);
        answered.io->run_for(test::wait_timeout);
        return all;
    }
};

TEST_F(GrantedEvents, AreThoseOfVisibleAssets)
{
    context.limits.heartbeat = 10ms;
    const auto first = services.catalog.newest_events(1000).front().id;
    rename(secret, "a secret name");
    const auto below = make_collection("below", hidden);
    give(below, Role::viewer);
    ASSERT_TRUE(services.collections.change(below, {.description = "changed"}));
    rename(walker, "the last");
    const auto stored = services.catalog.newest_events(1);
    ASSERT_TRUE(test::eventually([&] { return services.events.last_id() == stored.back().id; }));
    auto stream = get(fmt::format("/v1/events?lastEventId={}", first), {maya});
    ASSERT_EQ(stream.status(), 200);
    const auto all = read_until(stream, "the last");
    EXPECT_THAT(all, HasSubstr("the last"));
    EXPECT_THAT(all, HasSubstr(below));
    EXPECT_THAT(all, Not(HasSubstr(secret)));
    EXPECT_THAT(all, Not(HasSubstr("secret")));
    EXPECT_THAT(all, Not(HasSubstr(hidden))) << "the parent";
    EXPECT_EQ(get("/v1/events?collection=" + hidden, {maya}).code(), "no_collection");
}

TEST_F(GrantedEvents, EndWithTheGrants)
{
    auto stream = get("/v1/events", {maya});
    ASSERT_EQ(stream.status(), 200);
    ASSERT_TRUE(services.tokens.remove_grant(mine, "maya"));
    EXPECT_THAT(read_until(stream, "never"), Not(HasSubstr("never")));
}

TEST_F(Grants, McpShowsWhatIsVisible)
{
    const auto call = [&](const std::string& tool, const std::string& arguments) {
        const auto body = fmt::format(R"({{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": )"
                                      R"({{"name": "{}", "arguments": {}}}}})",
                                      tool, arguments);
        return std::string(body_bytes(send(Method::post, "/mcp", body).response.body).value_or(""));
    };
    EXPECT_THAT(call("search_assets", "{}"), HasSubstr(walker));
    EXPECT_THAT(call("search_assets", "{}"), Not(HasSubstr(secret)));
    EXPECT_THAT(call("get_asset", fmt::format(R"({{"asset": "{}"}})", secret)), HasSubstr("no asset"));
    EXPECT_THAT(call("list_clips", fmt::format(R"({{"asset": "{}"}})", secret)), HasSubstr("no asset"));
}

} // namespace
} // namespace vitrine::server::testing
