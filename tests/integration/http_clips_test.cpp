// User clips over HTTP: cut, used like other clips, deleted.

#include <array>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>

#include "tests/integration/http_fixture.hpp"
#include "tests/support/eventually.hpp"

namespace vitrine::test {
namespace {

namespace json = boost::json;

class HttpClips : public Http {
protected:
    static Reply patch(const std::string& body, const Fields& headers = {})
    {
        return fetch(port(), "PATCH", asset_path("/clips"), headers, body);
    }
    static json::array clips()
    {
        return json::parse(get(port(), asset_path("/clips")).body).at("items").as_array();
    }
    // Returns the node matrices of a clip at a time.
    static json::value pose(const std::string& clip, double t)
    {
        const auto answer = get(port(), asset_path(fmt::format("/clips/{}/pose?t={}", clip, t)));
        EXPECT_EQ(answer.status, 200) << answer.body;
        return json::parse(answer.body).at("poses").at(0).at("nodes");
    }
    // The clip of the user, the only one, in every route that takes or lists clips.
    static void expect_uses_of_clip(std::string_view name, std::size_t own)
    {
        const auto revision = get(port(), "/readyz").json().at("imageRevision").to_number<unsigned>();
        const auto caching = [&](std::string_view clip) {
            return get(port(),
                       asset_path(fmt::format("/versions/1/render?w=32&h=32&clip={}&rev={}", clip, revision)))
                .header("cache-control");
        };
        EXPECT_EQ(caching(name), "no-cache") << "the user can change the clip";
        EXPECT_EQ(caching("c0"), "public, max-age=31536000, immutable");

        EXPECT_EQ(get(port(), asset_path(fmt::format("/clips/{}/bounds", name))).status, 200);
        EXPECT_NE(get(port(), asset_path(fmt::format("/clips/c{}", own))).body.find("cutFrom"),
                  std::string::npos);
        EXPECT_EQ(get(port(), asset_path(fmt::format("/render?clip={}&t=0.1&w=64&h=64", name))).status, 200);
        EXPECT_EQ(get(port(), asset_path(fmt::format("/sprite?clip={}&frames=4&size=32", name))).status, 200);
        EXPECT_EQ(get(port(), asset_path("/thumbnail?size=64")).status, 200);
        const auto bounds = json::parse(get(port(), asset_path("/bounds")).body);
        EXPECT_EQ(bounds.at("clips").as_array().size(), own + 1);
        EXPECT_NE(get(port(), fmt::format("/v1/assets?clip={}", name)).body.find(koi), std::string::npos);
    }
};

// Returns positions of nodes as rounded text, for comparison.
std::string rounded(const json::value& nodes)
{
    std::string text;
    for (const auto& node : nodes.as_array())
        for (const auto& x : node.at("translation").as_array())
            text += fmt::format("{:.4f} ", x.to_number<double>());
    return text;
}

TEST_F(HttpClips, UserClipBehavesLikeAFileClip)
{
    const auto own = clips().size();
    const auto whole = clips().at(0);
    const double rate = whole.at("frameRate").to_number<double>();
    const auto before = get(port(), asset_path(""));
    const auto made = patch(fmt::format(
        R"({{"name":"half","clip":"c0","firstFrame":4,"lastFrame":16,"frameRate":{}}})", 2 * rate));
    ASSERT_EQ(made.status, 200) << made.body;
    const auto items = json::parse(made.body).at("items").as_array();
    ASSERT_EQ(items.size(), own + 1);
    EXPECT_EQ(items[own].at("name"), "half");
    EXPECT_EQ(items[own].at("frames"), 13);
    EXPECT_EQ(items[own].at("cutFrom").at("clip"), "c0");
    EXPECT_NEAR(items[own].at("duration").to_number<double>(), 6.0 / rate, 1e-9);
    EXPECT_EQ(clips().size(), own + 1);

    EXPECT_EQ(rounded(pose("half", 3.0 / rate)), rounded(pose("c0", 10.0 / rate)));
    EXPECT_NE(rounded(pose("half", 3.0 / rate)), rounded(pose("half", 0.0)));
    expect_uses_of_clip("half", own);
    const auto after = get(port(), asset_path(""));
    EXPECT_NE(after.header("etag"), before.header("etag"));
    EXPECT_EQ(json::parse(after.body).at("counts").at("clips"), own + 1);

    EXPECT_EQ(fetch(port(), "DELETE", asset_path("/clips/c0"), {}, "").status, 409) << "the file's own";
    EXPECT_EQ(fetch(port(), "DELETE", asset_path("/clips/half"), {{"If-Match", "\"x\""}}, "").status, 412);
    EXPECT_EQ(fetch(port(), "DELETE", asset_path("/clips/half"), {}, "").status, 200);
    EXPECT_EQ(clips().size(), own);
    EXPECT_EQ(get(port(), asset_path("/clips/half")).status, 404);
}

struct Picture {
    std::string body, etag, caching;
    bool operator==(const Picture&) const = default;
};

Picture picture_of(const Reply& reply)
{
    EXPECT_EQ(reply.status, 200) << reply.body;
    return {reply.body, reply.header("etag"), reply.header("cache-control")};
}

// Images of the first version, each rendered again.
class HttpClipImages : public HttpClips {
protected:
    static std::vector<Picture> take(std::span<const std::string> images)
    {
        const auto revision = get(port(), "/readyz").json().at("imageRevision").to_number<unsigned>();
        std::vector<Picture> pictures;
        for (const auto& image : images) {
            for (const auto& entry :
                 std::filesystem::recursive_directory_iterator(folder->path() / "data/derived"))
                if (entry.is_regular_file()) std::filesystem::remove(entry);
            const auto path = asset_path(fmt::format("/versions/1/{}&rev={}", image, revision));
            pictures.push_back(picture_of(get(port(), path)));
        }
        return pictures;
    }
    static void cut_idle(std::uint32_t first_frame, std::uint32_t last_frame)
    {
        const auto reply = patch(fmt::format(R"({{"name":"idle","clip":0,"firstFrame":{},"lastFrame":{}}})",
                                             first_frame, last_frame));
        ASSERT_EQ(reply.status, 200) << reply.body;
    }
    static void delete_idle()
    {
        ASSERT_EQ(fetch(port(), "DELETE", asset_path("/clips/idle"), {}, "").status, 200);
    }
};

// The clip named "idle" would be preferred to those of the file.
TEST_F(HttpClipImages, WithoutAUserClipDoNotChange)
{
    const std::array<std::string, 6> images{"thumbnail?size=64",       "turntable?frames=4&size=64",
                                            "sprite?frames=4&size=64", "animation?frames=4&size=64",
                                            "render?w=64&h=64&t=0.3",  "render?w=64&h=64&clip=c0&t=0.3"};
    const auto manifest = [] { return get(port(), asset_path("/sprite/manifest?frames=4")).body; };
    const auto shown = [] { return get(port(), asset_path("")).json().at("representativeClip"); };
    const auto before = take(images);
    for (const auto& one : before)
        EXPECT_EQ(one.caching, "public, max-age=31536000, immutable");
    const auto manifest_before = manifest();
    const auto shown_before = shown();

    cut_idle(2, 6);
    EXPECT_EQ(take(images), before);
    EXPECT_EQ(manifest(), manifest_before);
    EXPECT_EQ(shown(), shown_before);
    delete_idle();
    EXPECT_EQ(take(images), before);
    cut_idle(8, 20);
    EXPECT_EQ(take(images), before);
    delete_idle();
}

TEST_F(HttpClipImages, OfAUserClipFollowIt)
{
    const std::array<std::string, 3> images{"turntable?frames=4&size=64&clip=idle",
                                            "sprite?frames=4&size=64&clip=idle",
                                            "render?w=64&h=64&clip=idle&t=0.1"};
    cut_idle(2, 6);
    const auto first = take(images);
    delete_idle();
    cut_idle(8, 20);
    const auto second = take(images);
    delete_idle();
    for (std::size_t i = 0; i < images.size(); ++i) {
        EXPECT_NE(first[i].body, second[i].body) << images[i];
        EXPECT_NE(first[i].etag, second[i].etag) << images[i];
        EXPECT_EQ(first[i].caching, "no-cache") << images[i];
        EXPECT_EQ(second[i].caching, "no-cache") << images[i];
    }
}

TEST_F(HttpClips, ReimportKeepsUserClips)
{
    ASSERT_EQ(patch(R"({"name":"idle","clip":0,"firstFrame":2,"lastFrame":6})").status, 200);
    const auto before = clips();
    const auto shown = get(port(), asset_path("")).json().at("representativeClip");
    const auto started = fetch(port(), "POST", asset_path("/reimport"));
    ASSERT_EQ(started.status, 202) << started.body;
    const std::string job(started.json().at("id").as_string());
    ASSERT_TRUE(eventually([&] { return get(port(), "/v1/jobs/" + job).json().at("state") == "succeeded"; }));
    EXPECT_EQ(clips(), before);
    EXPECT_EQ(get(port(), asset_path("")).json().at("representativeClip"), shown);
    EXPECT_EQ(fetch(port(), "DELETE", asset_path("/clips/idle"), {}, "").status, 200);
}

TEST_F(HttpClips, SeveralClipsAreAddedAtomically)
{
    const auto own = clips().size();
    const auto one = [](const char* name, int first, int last) {
        return fmt::format(R"({{"name":"{}","clip":0,"firstFrame":{},"lastFrame":{}}})", name, first, last);
    };
    const auto bad = patch(R"({"items":[)" + one("a", 0, 5) + "," + one("b", 5, 5) + "]}");
    EXPECT_EQ(bad.status, 422);
    EXPECT_NE(bad.body.find("/items/1/lastFrame"), std::string::npos) << bad.body;
    EXPECT_EQ(clips().size(), own);
    EXPECT_EQ(patch(R"({"items":[)" + one("a", 0, 5) + "," + one("a", 6, 9) + "]}").status, 422)
        << "one name twice";
    ASSERT_EQ(patch(R"({"items":[)" + one("a", 0, 5) + "," + one("b", 6, 9) + "]}").status, 200);
    EXPECT_EQ(clips().size(), own + 2);
    EXPECT_EQ(patch(R"({"name":"c","clip":"a","firstFrame":0,"lastFrame":2})").status, 422)
        << "a clip of a clip";
    for (const char* name : {"a", "b"})
        EXPECT_EQ(fetch(port(), "DELETE", asset_path(fmt::format("/clips/{}", name)), {}, "").status, 200);
}

TEST_F(HttpClips, InvalidClipsAreRejectedWithTheirLocation)
{
    const auto own = clips().size();
    const std::pair<const char*, const char*> cases[] = {
        {R"({"clip":"c0","firstFrame":0,"lastFrame":2})", "/name"},
        {R"({"name":"","clip":"c0","firstFrame":0,"lastFrame":2})", "/name"},
        {R"({"name":"x","clip":"nope","firstFrame":0,"lastFrame":2})", "/clip"},
        {R"({"name":"x","clip":"c0","firstFrame":-1,"lastFrame":2})", "/firstFrame"},
        {R"({"name":"x","clip":"c0","firstFrame":0,"lastFrame":999999})", "/lastFrame"},
        {R"({"name":"x","clip":"c0","firstFrame":0,"lastFrame":2.5})", "/lastFrame"},
        {R"({"name":"x","clip":"c0","firstFrame":0,"lastFrame":2,"frameRate":0})", "/frameRate"},
        {R"({"name":"x","clip":"c0","firstFrame":0,"lastFrame":2,"speed":2})", "/speed"},
    };
    for (const auto& [body, place] : cases) {
        const auto answer = patch(body);
        EXPECT_EQ(answer.status, 422) << body;
        EXPECT_NE(answer.body.find(fmt::format("\"{}\"", place)), std::string::npos) << answer.body;
    }
    EXPECT_EQ(patch("[]").status, 400);
    EXPECT_EQ(patch("{").status, 400);
    EXPECT_EQ(fetch(port(), "PATCH", "/v1/assets/asset_none/clips", {}, "{}").status, 404);
    EXPECT_EQ(clips().size(), own);
}

} // namespace
} // namespace vitrine::test
