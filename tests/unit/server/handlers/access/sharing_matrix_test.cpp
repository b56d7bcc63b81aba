// Every route of the table with share links and signed URLs.

#include <gtest/gtest.h>

#include "server/access/signed_url.hpp"
#include "tests/unit/server/handlers/access/access_matrix.hpp"

namespace vitrine::server::testing {
namespace {

class SharingMatrix : public AccessMatrix {
protected:
    CreatedShareLink link_to(const LinkScope& scope, Micros expires = 0, std::string password_hash = {})
    {
        return services.tokens
            .create_link({.name = "of the matrix",
                          .scope = scope,
                          .password_hash = std::move(password_hash),
                          .expires = expires})
            .value();
    }
    Field link_cookie(const CreatedShareLink& made) const
    {
        return {"Cookie", cookies.link + "=" + link_cookie_value(made.secret, made.link.password_hash)};
    }

    // "token_required", "not_shared", or empty for everything that the route itself answers.
    static std::string outcome_of(const Answered& answered)
    {
        const auto rejection = rejection_of(answered);
        if (!rejection.empty() || answered.status() != 404) return rejection;
        const bool is_problem = answered.header("Content-Type") == "application/problem+json";
        return is_problem && answered.code() == "not_shared" ? "not_shared" : "";
    }

    // `id`: for {id}; `is_shown`: whether the link has this asset or collection.
    void expect_link(const LinkScope& scope, const Field& field, const std::string& id, bool is_shown)
    {
        const Principal principal{.kind = Principal::Kind::link,
                                  .role = Role::link,
                                  .scope = std::make_shared<const LinkScope>(scope)};
        for (const auto& route : all_routes()) {
            const auto outcome = outcome_of(ask(route.method, path_of(route, id), {field}, {}, 0));
            const bool is_allowed = route.access == Access::anyone || may_share(principal, route.sharing);
            const bool is_of_id = route.sharing != Sharing::none && route.pattern.contains("{id}");
            const auto* expected = !is_allowed ? "token_required" : is_of_id && !is_shown ? "not_shared" : "";
            EXPECT_EQ(outcome, expected) << route.name << ", " << field.second << ", " << id;
        }
    }

    void expect_nobody(const Field& field, const std::string& id)
    {
        for (const auto& route : all_routes())
            EXPECT_EQ(outcome_of(ask(route.method, path_of(route, id), {field}, {}, 0)),
                      route.access == Access::anyone ? "" : "token_required")
                << route.name << ", " << field.second;
    }

    std::string make_collection(const std::string& name, const std::string& parent = {})
    {
        Collection wanted;
        wanted.name = name;
        wanted.parent = parent;
        return services.collections.create(wanted).value().id;
    }
};

TEST_F(SharingMatrix, OfAnAssetIsAsDeclared)
{
    const auto asset = imported("bar.obj"), other = imported("other.obj");
    const LinkScope scope{.asset = asset}, with_files{.asset = asset, .downloads = true};
    const auto link = link_to(scope), downloads = link_to(with_files);
    for (const auto& field : {bearer(link.secret), link_cookie(link)}) {
        expect_link(scope, field, asset, true);
        expect_link(scope, field, other, false);
        expect_link(scope, field, "none", false);
    }
    expect_link(with_files, bearer(downloads.secret), asset, true);
    expect_link(with_files, link_cookie(downloads), other, false);
}

TEST_F(SharingMatrix, OfACollectionIsAsItsContent)
{
    const auto asset = imported("bar.obj"), other = imported("other.obj");
    const auto root = make_collection("root"), nested = make_collection("nested", root),
               beside = make_collection("beside");
    ASSERT_TRUE(services.collections.insert_members(nested, {.assets = {asset}}));
    ASSERT_TRUE(services.collections.insert_members(beside, {.assets = {other}}));
    const LinkScope scope{.collection = root};
    const auto field = bearer(link_to(scope).secret);
    const auto list = [&] { return get("/v1/assets?fields=id", {field}).json().at("items").as_array(); };
    expect_link(scope, field, beside, false);
    expect_link(scope, field, other, false);
    EXPECT_EQ(get("/v1/assets/" + asset, {field}).status(), 200);
    EXPECT_EQ(get("/v1/collections/" + nested, {field}).status(), 200);
    EXPECT_EQ(get("/v1/collections/" + root + "/assets", {field}).status(), 200);
    ASSERT_EQ(list().size(), 1u);
    EXPECT_EQ(list()[0].at("id").as_string(), asset);
    EXPECT_EQ(get("/v1/assets?collection=" + beside, {field}).json().at("items").as_array().size(), 0u);
    EXPECT_EQ(get("/v1/assets?trash=true", {field}).status(), 400);
    EXPECT_EQ(get("/v1/assets?at=" + other, {field}).status(), 400);
    // A response for others with the same target is none for the link, and the other way round.
    EXPECT_EQ(get("/v1/assets?fields=id", {bearer(server_token)}).json().at("items").as_array().size(), 2u);
    EXPECT_EQ(list().size(), 1u);

    ASSERT_TRUE(services.collections.remove_members(nested, {.assets = {asset}}));
    EXPECT_EQ(get("/v1/assets/" + asset, {field}).status(), 404);
    EXPECT_EQ(list().size(), 0u);
}

TEST_F(SharingMatrix, LinksThatHaveEndedAreNobody)
{
    const auto asset = imported("bar.obj");
    const auto revoked = link_to({.asset = asset}), expired = link_to({.asset = asset}, now() - 1),
               locked = link_to({.asset = asset}, 0, "$scrypt$x");
    ASSERT_EQ(get("/v1/assets/" + asset, {bearer(revoked.secret)}).status(), 200);
    ASSERT_TRUE(services.tokens.remove_link(revoked.link.id));
    for (const auto& field : {bearer(revoked.secret), link_cookie(revoked), bearer(expired.secret),
                              link_cookie(expired), bearer(locked.secret)})
        expect_nobody(field, asset);
    EXPECT_EQ(get("/v1/assets/" + asset, {link_cookie(locked)}).status(), 200);
}

TEST_F(SharingMatrix, OtherAssetsOfARequestAreNotShown)
{
    const auto asset = imported("bar.obj"), other = imported("other.obj");
    const auto field = bearer(link_to({.asset = asset}).secret);
    for (const auto& query : {"attach=" + other + "@a", "clip=" + other + ":0", "layer=" + other + ":0"})
        EXPECT_EQ(get("/v1/assets/" + asset + "/render?" + query, {field}).code(), "not_shared") << query;
}

TEST_F(SharingMatrix, OfSignedUrlsIsAsDeclared)
{
    const auto asset = imported("bar.obj");
    const auto key = services.tokens.signing_key();
    const auto url_of = [&](const std::string& path, std::int64_t expires) {
        const auto made = sign_url(path, {{"w", "64"}}, expires, key);
        return path + "?w=64&key=" + made.key + "&expires=" + std::to_string(made.expires) +
               "&sig=" + made.digits;
    };
    const auto second = now() / 1'000'000;
    for (const auto& route : all_routes()) {
        const auto path = path_of(route, asset);
        const bool is_public = route.access == Access::anyone;
        const bool is_allowed = is_public || route.sharing == Sharing::picture;
        const auto valid = url_of(path, second + 60);
        EXPECT_EQ(outcome_of(ask(route.method, valid, {}, {}, 0)), is_allowed ? "" : "token_required")
            << route.name;
        auto other_width = valid, other_time = valid;
        other_width.replace(other_width.find("w=64"), 4, "w=65");
        other_time.replace(other_time.find("expires=") + 8, 1, "3");
        for (const auto& altered : {other_width, other_time, valid + "0", valid + "&h=4",
                                    valid.substr(0, valid.find("&sig=")), url_of(path, second - 1)})
            EXPECT_EQ(outcome_of(ask(route.method, altered, {}, {}, 0)), is_public ? "" : "token_required")
                << route.name << " " << altered;
    }
    services.tokens.remove_url_keys();
    EXPECT_EQ(get(url_of("/v1/assets/" + asset + "/render", second + 60)).status(), 401);
}

} // namespace
} // namespace vitrine::server::testing
