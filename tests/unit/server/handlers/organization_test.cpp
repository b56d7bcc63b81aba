// /v1/tags, /v1/collections, /v1/assets:batch, the trash.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/services/rendering/image_service.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class OrganizationRoutes : public HandlerTest {
protected:
    OrganizationRoutes() : HandlerTest(false) {}

    Answered send(Method method, const std::string& target, const std::string& body,
                  const Fields& fields = {})
    {
        return ask(method, target, fields, {body}, body.size());
    }
    Answered batch(const std::string& assets, const std::string& operations, const Fields& fields = {})
    {
        return send(Method::post, "/v1/assets:batch",
                    fmt::format(R"({{"assets": [{}], "operations": [{}]}})", assets, operations), fields);
    }
    static std::string quoted(const std::string& text) { return '"' + text + '"'; }
    static std::string text(const boost::json::value& object, const char* member)
    {
        return std::string(object.at(member).as_string());
    }
    std::vector<std::string> ids(const std::string& target)
    {
        std::vector<std::string> found;
        for (const auto& item : get(target).json().at("items").as_array()) {
            const auto* asset = item.as_object().if_contains("asset");
            found.push_back(text(asset ? *asset : item, "id"));
        }
        return found;
    }
    // Of the first error.
    static std::string pointer(const Answered& answered)
    {
        return std::string(answered.json().at_pointer("/errors/0/pointer").as_string());
    }

    const std::string fish = imported("fish.obj"), boat = imported("boat.obj");
};

TEST_F(OrganizationRoutes, AssetsHaveTags)
{
    const auto path = "/v1/assets/" + fish;
    const auto tagged = send(Method::patch, path, R"({"tags": [" wood ", "Sea"], "license": "CC0-1.0"})");
    ASSERT_EQ(tagged.status(), 200);
    EXPECT_EQ(tagged.json().at("tags"), (boost::json::array{"Sea", "wood"}));
    EXPECT_EQ(text(tagged.json(), "license"), "CC0-1.0");
    EXPECT_EQ(get("/v1/assets?tag=WOOD&tag=sea").json().at_pointer("/items/0/tags").as_array().size(), 2u);
    EXPECT_THAT(ids("/v1/assets?tag=none"), IsEmpty());
    EXPECT_EQ(send(Method::patch, path, R"({"license": null})").json().at("license"), nullptr);
    EXPECT_EQ(pointer(send(Method::patch, path, R"({"tags": "wood"})")), "/tags");
    EXPECT_EQ(pointer(send(Method::patch, path, R"({"tags": ["a\nb"]})")), "/tags");
    EXPECT_EQ(pointer(send(Method::patch, path, R"({"sourceUrl": "javascript:alert"})")), "/sourceUrl");
    EXPECT_EQ(pointer(send(Method::patch, path, R"({"id": "x"})")), "/id");
    EXPECT_EQ(send(Method::patch, path, "[]").code(), "bad_json");
}

class CoverRoutes : public HandlerTest {
protected:
    Answered set(const std::string& cover, const Fields& fields = {})
    {
        const auto body = R"({"cover": )" + cover + "}";
        return ask(Method::patch, path, fields, {body}, body.size());
    }
    std::string key() { return std::string(get(path).json().at("coverKey").as_string()); }

    const std::string path = "/v1/assets/" + imported("bar.obj");
    const std::string fixed = fmt::format("{}/versions/1/thumbnail?size=64&rev={}", path, image_revision);
};

TEST_F(CoverRoutes, TheThumbnailShowsTheCover)
{
    const auto url = path + "/thumbnail?size=64";
    const auto before = get(url).header("ETag");
    EXPECT_EQ(get(path).json().at("coverKey"), nullptr);
    const auto changed = set(R"({"view": "front", "clip": "c0", "time": 0.9, "background": "#ffffff"})");
    ASSERT_EQ(changed.status(), 200);
    EXPECT_EQ(
        changed.json().at("cover"),
        (boost::json::object{{"view", "front"}, {"clip", "bend"}, {"background", "#ffffff"}, {"time", 0.9}}));
    EXPECT_NE(get(url).header("ETag"), before);
    EXPECT_EQ(get(url, {{"If-None-Match", before}}).status(), 200);
    EXPECT_EQ(get("/v1/assets?fields=cover,coverKey").json().at_pointer("/items/0/coverKey").as_string(),
              key());
    EXPECT_EQ(set("null").json().at("cover"), nullptr);
    EXPECT_EQ(get(url, {{"If-None-Match", before}}).status(), 304);
}

TEST_F(CoverRoutes, PermanentUrlsStayAsTheyAre)
{
    const auto first = get(fixed);
    EXPECT_THAT(first.header("Cache-Control"), HasSubstr("immutable"));
    set(R"({"view": "front"})");
    const auto front = key();
    EXPECT_EQ(get(fixed).header("ETag"), first.header("ETag")) << "caches keep what they have";
    const auto named = get(fixed + "&cover=" + front);
    EXPECT_THAT(named.header("Cache-Control"), HasSubstr("immutable"));
    EXPECT_NE(named.header("ETag"), first.header("ETag"));
    set(R"({"view": "top"})");
    EXPECT_NE(key(), front);
    EXPECT_THAT(get(fixed + "&cover=" + front).header("Cache-Control"), Not(HasSubstr("immutable")));
    set(R"({"view": "front"})");
    EXPECT_EQ(key(), front);
    EXPECT_EQ(get(fixed + "&cover=" + front).header("ETag"), named.header("ETag"));
}

TEST_F(CoverRoutes, FaultsAreNamed)
{
    const auto pointer = [&](const std::string& cover) {
        const auto rejected = set(cover);
        EXPECT_EQ(rejected.status(), 400) << cover;
        return std::string(rejected.json().at_pointer("/errors/0/pointer").as_string());
    };
    EXPECT_EQ(pointer("3"), "/cover");
    EXPECT_EQ(pointer(R"({"view": "sideways"})"), "/cover/view");
    EXPECT_EQ(pointer(R"({"clip": "jump"})"), "/cover/clip");
    EXPECT_EQ(pointer(R"({"clip": "bend", "time": -1})"), "/cover/time");
    EXPECT_EQ(pointer(R"({"time": 1})"), "/cover/time");
    EXPECT_EQ(pointer(R"({"target": [0, 0, 0]})"), "/cover/target");
    EXPECT_EQ(pointer(R"({"view": "front", "target": [0, 0]})"), "/cover/target");
    EXPECT_EQ(pointer(R"({"background": "plaid"})"), "/cover/background");
    EXPECT_EQ(pointer(R"({"variant": "red"})"), "/cover/variant");
    EXPECT_EQ(pointer(R"({"fov": 200})"), "/cover/fov");
    EXPECT_EQ(pointer(R"({"zoom": 2})"), "/cover/zoom");
    EXPECT_EQ(set(R"({"view": "front"})", {{"If-Match", "\"1-0\""}}).status(), 412);
}

TEST_F(OrganizationRoutes, TagsAreListedRenamedAndRemoved)
{
    batch(quoted(fish) + "," + quoted(boat), R"({"op": "tag", "tags": ["wood", "a/b"]})");
    const auto listed = get("/v1/tags?limit=1");
    EXPECT_EQ(listed.json().at_pointer("/items/0/name").as_string(), "a/b");
    EXPECT_EQ(listed.json().at_pointer("/items/0/assets"), 2);
    EXPECT_THAT(listed.header("Link"), HasSubstr("/v1/tags?limit=1&cursor=a%2Fb"));
    EXPECT_EQ(text(send(Method::patch, "/v1/tags/a%2Fb", R"({"name": "c"})").json(), "name"), "c");
    EXPECT_EQ(send(Method::patch, "/v1/tags/c", R"({"name": "wood"})").code(), "tag_exists");
    EXPECT_EQ(send(Method::patch, "/v1/tags/c", R"({"name": "wood", "merge": true})").json().at("assets"), 2);
    EXPECT_EQ(pointer(send(Method::patch, "/v1/tags/wood", R"({})")), "/name");
    EXPECT_EQ(ask(Method::delete_, "/v1/tags/Wood").status(), 204);
    EXPECT_EQ(ask(Method::delete_, "/v1/tags/wood").code(), "no_tag");
    EXPECT_THAT(get("/v1/tags").json().at("items").as_array(), IsEmpty());
}

TEST_F(OrganizationRoutes, CollectionsAreMadeChangedAndDeleted)
{
    const auto made = send(Method::post, "/v1/collections", R"({"name": "Props"})");
    ASSERT_EQ(made.status(), 201);
    const auto id = text(made.json(), "id");
    const auto path = "/v1/collections/" + id;
    EXPECT_EQ(made.header("Location"), path);
    EXPECT_EQ(get(path).json(), made.json());
    EXPECT_EQ(get(path, {{"If-None-Match", made.header("ETag")}}).status(), 304);
    const auto changed =
        send(Method::patch, path, R"({"description": "wooden", "cover": )" + quoted(fish) + "}",
             {{"If-Match", made.header("ETag")}});
    ASSERT_EQ(changed.status(), 200);
    EXPECT_EQ(text(changed.json(), "cover"), fish);
    EXPECT_EQ(send(Method::patch, path, "{}", {{"If-Match", made.header("ETag")}}).status(), 412);
    EXPECT_EQ(send(Method::post, "/v1/collections", R"({"name": "props"})").code(), "collection_exists");
    EXPECT_EQ(pointer(send(Method::post, "/v1/collections", R"({"description": ""})")), "/name");
    const auto inner =
        send(Method::post, "/v1/collections", R"({"name": "x", "parent": )" + quoted(id) + "}");
    EXPECT_THAT(ids("/v1/collections?parent=" + id), ElementsAre(text(inner.json(), "id")));
    EXPECT_THAT(ids("/v1/collections?parent="), ElementsAre(id));
    EXPECT_EQ(ask(Method::delete_, path).code(), "collection_not_empty");
    EXPECT_EQ(ask(Method::delete_, path + "?descendants=true").status(), 204);
    EXPECT_EQ(get(path).code(), "no_collection");
}

TEST_F(OrganizationRoutes, CollectionsHaveMembers)
{
    const auto id = text(send(Method::post, "/v1/collections", R"({"name": "Props"})").json(), "id");
    const auto path = "/v1/collections/" + id + "/assets";
    EXPECT_THAT(ids("/v1/assets?collection=" + id), IsEmpty());
    const auto both = fmt::format(R"({{"assets": ["{}", "{}"]}})", fish, boat);
    EXPECT_EQ(send(Method::post, path, both).json().at("assets"), 2);
    EXPECT_THAT(ids(path), ElementsAre(fish, boat));
    EXPECT_THAT(ids("/v1/assets?collection=" + id), ElementsAre(boat, fish));
    send(Method::post, path, fmt::format(R"({{"assets": ["{}"], "position": 0}})", boat));
    EXPECT_THAT(ids(path), ElementsAre(boat, fish));
    EXPECT_EQ(get(path + "?limit=1").json().at_pointer("/items/0/position"), 0);
    EXPECT_THAT(get(path + "?limit=1").header("Link"), HasSubstr("cursor="));
    EXPECT_EQ(send(Method::put, path, both, {{"If-Match", "\"other\""}}).status(), 412);
    EXPECT_EQ(send(Method::put, path, both).status(), 200);
    EXPECT_THAT(ids(path), ElementsAre(fish, boat));
    EXPECT_EQ(ask(Method::delete_, path + "?asset=" + fish).json().at("assets"), 1);
    EXPECT_THAT(ids("/v1/assets?collection=" + id), ElementsAre(boat)) << "no stored response";
    EXPECT_EQ(ask(Method::delete_, path).status(), 400);
    EXPECT_EQ(pointer(send(Method::post, path, R"({"assets": [], "position": -1})")), "/position");
    EXPECT_EQ(send(Method::put, path, R"({"assets": ["asset_none"]})").code(), "no_asset");
}

TEST_F(OrganizationRoutes, BatchAnswersForEachAsset)
{
    const auto answered =
        batch(quoted(fish) + R"(, "asset_none")", R"({"op": "tag", "tags": ["wood"]}, {"op": "delete"})");
    ASSERT_EQ(answered.status(), 200);
    const auto items = answered.json();
    EXPECT_EQ(text(items.at_pointer("/items/0"), "asset"), fish);
    EXPECT_EQ(items.at_pointer("/items/0/status"), 200);
    EXPECT_EQ(items.at_pointer("/items/0/problem"), nullptr);
    EXPECT_EQ(items.at_pointer("/items/1/status"), 404);
    EXPECT_EQ(items.at_pointer("/items/1/problem/code").as_string(), "no_asset");
    EXPECT_THAT(ids("/v1/assets?trash=true"), ElementsAre(fish));
}

TEST_F(OrganizationRoutes, BatchIsDoneOncePerKey)
{
    const Fields key{{"Idempotency-Key", "one"}};
    const auto first = batch(quoted(fish), R"({"op": "delete"})", key);
    EXPECT_EQ(first.status(), 200);
    EXPECT_EQ(ask(Method::post, "/v1/assets/" + fish + "/restore").status(), 200);
    EXPECT_EQ(batch(quoted(fish), R"({"op": "delete"})", key).json(), first.json());
    EXPECT_THAT(ids("/v1/assets?trash=true"), IsEmpty()) << "it was not done again";
    EXPECT_EQ(batch(quoted(boat), R"({"op": "delete"})", key).code(), "idempotency_key_reused");
}

TEST_F(OrganizationRoutes, BatchesAreChecked)
{
    EXPECT_EQ(pointer(batch("", R"({"op": "delete"})")), "/assets");
    EXPECT_EQ(pointer(batch(quoted(fish), "")), "/operations");
    EXPECT_EQ(pointer(batch(quoted(fish), R"({"op": "explode"})")), "/operations");
    EXPECT_EQ(pointer(batch(quoted(fish), R"({"op": "delete"}, {"op": "tag"})")), "/operations/1/tags");
    EXPECT_EQ(pointer(batch(quoted(fish), R"({"op": "delete", "tags": []})")), "/operations/0/tags");
    EXPECT_EQ(pointer(batch(quoted(fish), R"({"op": "set", "sourceUrl": "x"})")), "/operations/0/sourceUrl");
    std::string many;
    for (int i = 0; i <= 1000; ++i)
        many += (i > 0 ? "," : "") + quoted("asset_" + std::to_string(i));
    EXPECT_EQ(pointer(batch(many, R"({"op": "delete"})")), "/assets");
}

TEST_F(OrganizationRoutes, AssetsInTheTrashArePurged)
{
    const auto path = "/v1/assets/" + fish;
    EXPECT_EQ(ask(Method::post, path + "/purge").code(), "not_in_trash");
    EXPECT_EQ(ask(Method::delete_, path).status(), 204);
    EXPECT_EQ(ask(Method::post, path + "/purge").status(), 204);
    EXPECT_EQ(get(path).code(), "no_asset");
    EXPECT_EQ(ask(Method::post, path + "/purge").code(), "no_asset");
    EXPECT_THAT(ids("/v1/assets?trash=true"), IsEmpty());
}

} // namespace
} // namespace vitrine::server::testing
