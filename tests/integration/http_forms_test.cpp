// Forms of cached responses of the real program: by Accept and Accept-Encoding; their budget.

#include "tests/integration/http_cached_responses_fixture.hpp"
#include "tests/support/gunzip.hpp"

namespace vitrine::test {
namespace {

TEST_F(HttpCachedResponses, EveryEncodingHasTheSameContent)
{
    Client client(port());
    const Fields zip{{"Accept-Encoding", "gzip"}};
    for (const auto& path : {asset_path("/skeleton"), std::string("/v1/assets"), std::string("/openapi.json"),
                             std::string("/docs")}) {
        for (int again = 0; again < 2; ++again) {
            const auto plain = client.get(path), zipped = client.get(path, zip);
            ASSERT_EQ(zipped.status, 200);
            EXPECT_EQ(zipped.header("content-encoding"), "gzip") << path;
            EXPECT_EQ(zipped.header("vary"), "Accept-Encoding");
            EXPECT_TRUE(gunzip(zipped.body, 1 << 20) == plain.body) << path;
            EXPECT_LT(zipped.body.size(), plain.body.size());
            EXPECT_NE(zipped.header("etag"), plain.header("etag"));
            const auto head = client.get(path, zip, "HEAD");
            EXPECT_EQ(head.header("content-length"), std::to_string(zipped.body.size()));
            EXPECT_EQ(head.header("etag"), zipped.header("etag"));
            auto condition = zip;
            condition.emplace_back("If-None-Match", zipped.header("etag"));
            const auto same = client.get(path, condition);
            EXPECT_EQ(same.status, 304) << path;
            EXPECT_EQ(same.header("etag"), zipped.header("etag"));
            EXPECT_EQ(same.header("vary"), "Accept-Encoding");
            EXPECT_EQ(client.get(path, {{"If-None-Match", zipped.header("etag")}}).status, 200)
                << "of another form";
        }
    }
}

TEST_F(HttpCachedResponses, ImagesAreByAcceptAndRangesByFile)
{
    Client client(port());
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(client.get(asset_path("/thumbnail"), {{"Accept", "image/png"}}).header("content-type"),
                  "image/png");
        EXPECT_EQ(client.get(asset_path("/thumbnail"), {{"Accept", "image/webp"}}).header("content-type"),
                  "image/webp");
        EXPECT_EQ(client.get(asset_path("/thumbnail"), {{"Accept", "text/html"}}).status, 406);
        const auto part = client.get(asset_path("/files/koi.glb"), {{"Range", "bytes=0-3"}});
        EXPECT_EQ(part.status, 206);
        EXPECT_EQ(part.body, "glTF");
        EXPECT_EQ(client.get(asset_path(""), {{"Range", "bytes=0-3"}}).status, 200);
    }
}

// Many different targets, none of which is asked for again.
TEST_F(HttpCachedResponses, ManyTargetsStayWithinTheBudget)
{
    ServerProcess small(folder->path() / "small", {"--answer-cache-mb", "1"});
    ASSERT_NE(small.port(), 0);
    const auto id = import_asset(small.port(), {koi_glb()});
    Client client(small.port());
    const auto bytes = [&] {
        const auto text = client.get("/metrics").body;
        return std::stod(text.substr(text.find("\nvitrine_answer_cache_bytes ") + 28));
    };
    for (int i = 0; i < 300; ++i) {
        ASSERT_EQ(client.get(fmt::format("/v1/assets/{}/clips/c0/pose?t={}", id, i * 0.001)).status, 200);
        if (i % 50 == 0) EXPECT_LE(bytes(), 1 << 20);
    }
    EXPECT_LE(bytes(), 1 << 20);
    EXPECT_GT(bytes(), 1 << 18);
}

} // namespace
} // namespace vitrine::test
