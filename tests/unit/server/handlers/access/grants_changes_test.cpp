// What users change by grants on collections.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/server/handlers/access/grants_fixture.hpp"

namespace vitrine::server::testing {
namespace {

TEST_F(Grants, BatchesChangeWhatMayBeChanged)
{
    const auto batch = [&](const std::string& operation) {
        return send(Method::post, "/v1/assets:batch",
                    fmt::format(R"({{"assets": ["{}", "{}", "unknown"], "operations": [{}]}})", walker,
                                secret, operation));
    };
    const auto results = batch(R"({"op": "tag", "tags": ["seen"]})").json().at("items").as_array();
    EXPECT_EQ(results.at(0).at("status").to_number<int>(), 200);
    for (std::size_t i = 1; i < 3; ++i)
        EXPECT_EQ(results.at(i).at_pointer("/problem/code").as_string(), "no_asset");
    const auto moved =
        batch(fmt::format(R"({{"op": "addToCollection", "collection": "{}"}})", hidden)).json().at("items");
    EXPECT_EQ(moved.at_pointer("/0/problem/code").as_string(), "no_collection");
    EXPECT_EQ(batch(R"({"op": "purge"})").code(), "role_required");
    EXPECT_EQ(services.catalog.find_asset(secret).value().tags, "");
}

// With a role of a viewer for another collection its assets are seen, but not taken into an own one.
TEST_F(Grants, MovesNeedAnEditorOfBoth)
{
    give(hidden, Role::viewer);
    const auto add = [&](const std::string& collection, const std::string& asset) {
        return send(Method::post, "/v1/collections/" + collection + "/assets",
                    fmt::format(R"({{"assets": ["{}"]}})", asset));
    };
    EXPECT_EQ(get("/v1/assets/" + secret, {maya}).status(), 200);
    EXPECT_EQ(add(mine, secret).code(), "no_asset");
    EXPECT_EQ(add(hidden, walker).code(), "role_required");
    give(hidden, Role::editor);
    EXPECT_EQ(add(mine, secret).status(), 200);
}

TEST_F(Grants, UploadsNameACollection)
{
    EXPECT_EQ(upload_as(maya, "", "new.obj").code(), "role_required");
    EXPECT_EQ(upload_as(maya, "&collection=" + hidden, "new.obj").code(), "no_collection");
    EXPECT_EQ(upload_as(maya, "&collection=unknown", "new.obj").code(), "no_collection");
    const auto made = upload_as(maya, "&collection=" + mine, "new.obj");
    ASSERT_EQ(made.status(), 201) << body_bytes(made.response.body).value_or("");
    const auto id = std::string(made.json().at_pointer("/items/0/asset/id").as_string());
    EXPECT_EQ(get("/v1/assets/" + id, {maya}).status(), 200);
    EXPECT_EQ(get("/v1/collections/" + mine, {maya}).json().at("assets").to_number<int>(), 2);
    EXPECT_EQ(upload_as(maya, "&collection=" + mine, "new.obj").status(), 200) << "known and visible";
    give(mine, Role::viewer);
    EXPECT_EQ(upload_as(maya, "&collection=" + mine, "newer.obj").code(), "role_required");
    EXPECT_EQ(upload_as(admin, "&collection=" + mine, "newest.obj").status(), 201);
}

// Content that an asset has which is not visible is new: neither the status nor the response says that it is
// known, and the asset stays as it is.
TEST_F(Grants, UploadsOfHiddenContentAreNew)
{
    const auto made = upload_as(maya, "&collection=" + mine, "secret.obj");
    ASSERT_EQ(made.status(), 201);
    EXPECT_NE(made.json().at_pointer("/items/0/asset/id").as_string(), secret);
    EXPECT_EQ(get("/v1/assets/" + secret, {maya}).status(), 404);
}

TEST_F(Grants, KeysOfOthersGiveNoResponses)
{
    const Fields key{{"Idempotency-Key", "one"}};
    const auto first = upload_as(admin, "", "keyed.obj", key);
    ASSERT_EQ(first.status(), 201);
    const auto own = upload_as(maya, "&collection=" + mine, "keyed.obj", key);
    EXPECT_EQ(own.status(), 201) << body_bytes(own.response.body).value_or("");
}

TEST_F(Grants, CollectionsAreMadeBelowGrantedOnes)
{
    const auto make = [&](const std::string& parent) {
        return send(Method::post, "/v1/collections",
                    fmt::format(R"({{"name": "new", "parent": {}}})", parent));
    };
    EXPECT_EQ(make("null").code(), "role_required");
    EXPECT_EQ(make("\"" + hidden + "\"").code(), "no_collection");
    const auto made = make("\"" + mine + "\"");
    ASSERT_EQ(made.status(), 201);
    EXPECT_EQ(made.json().at("parent").as_string(), mine);
}

// Neither places nor cursors depend on siblings that are not visible.
TEST_F(Grants, PlacesCountVisibleCollections)
{
    const auto third = make_collection("third"), fourth = make_collection("fourth");
    give(third, Role::editor);
    give(fourth, Role::viewer);
    const auto put = [&](const std::string& id, int position) {
        return send(Method::patch, "/v1/collections/" + id, fmt::format(R"({{"position": {}}})", position));
    };
    const auto list = std::string("/v1/collections?parent=");
    ASSERT_EQ(put(third, 0).status(), 200);
    EXPECT_EQ(ids_of(list), (std::vector{third, mine, fourth}));
    ASSERT_EQ(put(mine, 2).status(), 200);
    EXPECT_EQ(ids_of(list), (std::vector{third, fourth, mine}));
    ASSERT_EQ(put(mine, 1).status(), 200);
    EXPECT_EQ(ids_of(list), (std::vector{third, mine, fourth}));
    const auto next = [&](const std::string& cursor, const Field& who) {
        return get("/v1/collections?parent=&limit=1&cursor=" + cursor, {who});
    };
    const auto cursor = std::string(next("", maya).json().at("next").as_string());
    EXPECT_EQ(cursor, third);
    EXPECT_EQ(next(cursor, maya).json().at_pointer("/items/0/id").as_string(), mine);
    EXPECT_EQ(next(hidden, maya).code(), "bad_cursor");
    EXPECT_EQ(next(std::string(next("", admin).json().at("next").as_string()), maya).code(), "bad_cursor");
}

TEST_F(Grants, AdminsOfACollectionManageItsGrants)
{
    make_session("tom", Role::member);
    const auto grants = "/v1/collections/" + mine + "/grants";
    EXPECT_EQ(get(grants, {maya}).code(), "role_required");
    give(mine, Role::admin);
    EXPECT_EQ(send(Method::put, grants + "/Tom", R"({"role": "viewer"})").status(), 200);
    EXPECT_EQ(send(Method::put, grants + "/nobody", R"({"role": "viewer"})").code(), "no_user");
    EXPECT_EQ(send(Method::put, grants + "/tom", R"({"role": "member"})").status(), 400);
    EXPECT_EQ(get(grants, {maya}).json().at("items").as_array().size(), 2u);
    EXPECT_EQ(ask(Method::delete_, grants + "/tom", {maya}).status(), 204);
    EXPECT_EQ(ask(Method::delete_, grants + "/tom", {maya}).code(), "no_grant");
    EXPECT_EQ(get("/v1/collections/" + hidden + "/grants", {maya}).code(), "no_collection");
    EXPECT_EQ(get("/v1/users", {maya}).code(), "role_required");
    const auto me = get("/v1/me", {maya}).json();
    EXPECT_EQ(me.at("role").as_string(), "member");
    EXPECT_EQ(me.at_pointer("/collections/0/role").as_string(), "admin");
}

// A token that stands for a user has the grants, each with at most its own role.
TEST_F(Grants, TokensOfAUserHaveTheGrants)
{
    const auto made = services.tokens
                          .create({.name = "of maya",
                                   .role = Role::viewer,
                                   .created_by = "test",
                                   .owner = session.session.user})
                          .value();
    const auto field = bearer(made.secret);
    EXPECT_EQ(get("/v1/assets/" + walker, {field}).status(), 200);
    EXPECT_EQ(get("/v1/assets/" + secret, {field}).code(), "no_asset");
    EXPECT_EQ(ask(Method::delete_, "/v1/assets/" + walker, {field}).code(), "role_required");
}

} // namespace
} // namespace vitrine::server::testing
