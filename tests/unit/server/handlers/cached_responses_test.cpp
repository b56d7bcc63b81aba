// Responses that are stored and sent again without a handler: which, to whom, until when, and in which form.

#include <string>
#include <vector>

#include <brotli/decode.h>
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class CachedResponsesOfRoutes : public HandlerTest {
protected:
    // What a request gets without a handler.
    CacheHit cached(std::string_view target, const Fields& fields = {}, Method method = Method::get)
    {
        Request request;
        request.method = method;
        request.headers.add("Host", "localhost");
        for (const auto& [name, value] : fields)
            request.headers.add(name, value);
        return dispatcher.find_cached(request, target);
    }
    bool is_stored(std::string_view target, const Fields& fields = {})
    {
        return cached(target, fields).response != nullptr;
    }
    std::string path(const std::string& rest = "") const { return "/v1/assets/" + fish + rest; }

    std::string fish = imported("fish.obj");
};

std::string tag_of(const Answered& answered)
{
    return answered.header("ETag");
}

TEST_F(CachedResponsesOfRoutes, EqualTheResponseOfTheHandler)
{
    for (const auto& target :
         {path(), path("/skeleton"), path("/clips"), path("/bounds"), path("/files"), path("/thumbnail"),
          std::string("/v1/assets?limit=5"), std::string("/openapi.json")}) {
        EXPECT_FALSE(is_stored(target)) << target;
        const auto first = get(target);
        ASSERT_EQ(first.status(), 200) << target;
        const auto again = cached(target);
        ASSERT_TRUE(again.response) << target;
        EXPECT_FALSE(again.unchanged);
        EXPECT_EQ(again.response->body(), body_bytes(first.response.body).value());
        EXPECT_EQ(again.response->etag, tag_of(first));
        for (const auto& [name, value] : first.response.headers) {
            if (name != "X-Request-Id") {
                EXPECT_THAT(again.response->head, HasSubstr("\r\n" + name + ": " + value + "\r\n"));
            }
        }
        EXPECT_THAT(again.response->head, StartsWith("HTTP/1.1 200 OK\r\n"));
        EXPECT_THAT(again.response->head,
                    HasSubstr("Content-Length: " + std::to_string(again.response->body().size())));
        EXPECT_THAT(again.response->head, Not(HasSubstr("X-Request-Id")));
    }
}

TEST_F(CachedResponsesOfRoutes, HaveARequestIdOfTheirOwn)
{
    get(path());
    EXPECT_NE(view_of(cached(path()).id), view_of(cached(path()).id));
}

TEST_F(CachedResponsesOfRoutes, AreCounted)
{
    int made = 0;
    EXPECT_TRUE(test::eventually([&] { // what follows the import may change the asset
        get(path());
        ++made;
        return cached(path()).response != nullptr;
    }));
    cached(path(), {{"If-None-Match", tag_of(get(path()))}});
    const auto metrics = std::string(body_bytes(get("/metrics").response.body).value());
    EXPECT_THAT(metrics,
                HasSubstr(fmt::format(R"(vitrine_http_requests_total{{route="getAsset",status="200"}} {})",
                                      made + 2)));
    EXPECT_THAT(metrics, HasSubstr(R"(vitrine_http_requests_total{route="getAsset",status="304"} 1)"));
    EXPECT_THAT(metrics, HasSubstr("vitrine_answer_cache_hits_total 2"));
}

TEST_F(CachedResponsesOfRoutes, HonorConditions)
{
    const auto first = get(path("/thumbnail"));
    const auto same = cached(path("/thumbnail"), {{"If-None-Match", "\"other\", " + tag_of(first)}});
    ASSERT_TRUE(same.response);
    EXPECT_TRUE(same.unchanged);
    EXPECT_THAT(same.response->unchanged_head, StartsWith("HTTP/1.1 304 Not Modified\r\n"));
    for (const char* name : {"ETag", "Cache-Control", "Vary"})
        EXPECT_THAT(same.response->unchanged_head,
                    HasSubstr(std::string("\r\n") + name + ": " + first.header(name) + "\r\n"));
    EXPECT_FALSE(cached(path("/thumbnail"), {{"If-None-Match", "\"other\""}}).unchanged);
}

TEST_F(CachedResponsesOfRoutes, StatusNotModifiedIsCachedWithoutABody)
{
    const auto tag = tag_of(get(path()));
    ask(Method::patch, path(), {{"Content-Length", "14"}}, {R"({"name":"cod"})"}, 14);
    const auto changed = tag_of(get(path(), {{"If-None-Match", tag}}));
    EXPECT_NE(changed, tag);
    ask(Method::patch, path(), {{"Content-Length", "14"}}, {R"({"name":"eel"})"}, 14);
    const auto record = services.catalog.find_asset(fish).value();
    EXPECT_EQ(get(path(), {{"If-None-Match", record.etag()}}).status(), 304);
    EXPECT_TRUE(cached(path(), {{"If-None-Match", record.etag()}}).unchanged);
    EXPECT_FALSE(is_stored(path())) << "its body is unknown";
    get(path());
    EXPECT_TRUE(is_stored(path()));
    EXPECT_EQ(get(path(), {{"If-None-Match", record.etag()}}).status(), 304);
    EXPECT_TRUE(is_stored(path())) << "a 304 does not replace a body";
}

TEST_F(CachedResponsesOfRoutes, DependOnAccept)
{
    get(path("/thumbnail"), {{"Accept", "image/webp"}});
    EXPECT_TRUE(is_stored(path("/thumbnail"), {{"Accept", "image/webp"}}));
    EXPECT_FALSE(is_stored(path("/thumbnail"), {{"Accept", "image/png"}}));
    EXPECT_FALSE(is_stored(path("/thumbnail")));
}

TEST_F(CachedResponsesOfRoutes, LeaveOtherRequestsToTheHandlers)
{
    get(path());
    EXPECT_FALSE(is_stored(path(), {{"Range", "bytes=0-1"}}));
    EXPECT_FALSE(is_stored(path(), {{"X-Forwarded-For", "1.2.3.4"}})) << "rejected without a token";
    EXPECT_FALSE(is_stored(path("?")));
    EXPECT_FALSE(is_stored(path("/")));
}

TEST_F(CachedResponsesOfRoutes, AreNeitherErrorsNorJobsNorMetrics)
{
    const auto job = "/v1/jobs/" + services.catalog.find_asset(fish).value().job;
    for (const auto& target :
         {std::string("/v1/assets/none"), path("?a=b"), std::string("/v1/nothing"), job, path("/warnings"),
          std::string("/metrics"), std::string("/readyz"), std::string("/healthz")}) {
        get(target);
        EXPECT_FALSE(is_stored(target)) << target;
    }
    ask(Method::head, path());
    EXPECT_FALSE(is_stored(path())) << "of a HEAD, whose body was not counted";
}

TEST_F(CachedResponsesOfRoutes, EndWithEveryChange)
{
    const auto expect_ended = [&](const char* what) {
        for (const auto& target :
             {path(), path("/skeleton"), path("/thumbnail"), std::string("/v1/assets")}) {
            EXPECT_FALSE(is_stored(target)) << what << ": " << target;
            get(target);
        }
    };
    for (const auto& target : {path(), path("/skeleton"), path("/thumbnail"), std::string("/v1/assets")})
        get(target);
    ask(Method::patch, path(), {}, {R"({"name":"cod"})"}, 14);
    expect_ended("renamed");
    ask(Method::delete_, path());
    expect_ended("moved to the trash");
    EXPECT_EQ(get(path()).status(), 404);
    ask(Method::post, path("/restore"));
    EXPECT_EQ(get(path()).status(), 200);
    EXPECT_EQ(ask(Method::post, path("/reimport")).status(), 202);
    const auto job = services.catalog.find_asset(fish).value().job;
    EXPECT_EQ(wait_for(services, job).state, JobState::succeeded);
    expect_ended("imported again");
    imported("cat.obj");
    EXPECT_FALSE(is_stored("/v1/assets"));
}

TEST_F(CachedResponsesOfRoutes, OfATokenAreForItsHoldersAndPrivate)
{
    GuardConfig closed;
    closed.token = "secret";
    Dispatcher other(context, {all_routes(), page_route()}, Guard(closed), 16, [](const LogLine&) {});
    const auto version = path("/versions/1/thumbnail?rev=" + std::to_string(image_revision));
    const auto ask_other = [&](const Fields& fields) {
        Request request;
        request.headers.add("Host", "localhost");
        for (const auto& [name, value] : fields)
            request.headers.add(name, value);
        return other.find_cached(request, version);
    };
    get(version); // by the open server, which shares the store in this test
    EXPECT_THAT(cached(version).response->head,
                HasSubstr("Cache-Control: public, max-age=31536000, immutable"));
    EXPECT_FALSE(ask_other({}).response);
    EXPECT_FALSE(ask_other({{"Authorization", "Bearer wrong"}}).response);
    EXPECT_TRUE(ask_other({{"Authorization", "Bearer secret"}}).response);
}

// Bodies over a kilobyte, as those of pages and skeletons are.
class EncodedResponses : public CachedResponsesOfRoutes {
protected:
    static constexpr const char* target = "/openapi.json";
    const Fields brotli{{"Accept-Encoding", "gzip, br"}}, gzip{{"Accept-Encoding", "gzip"}};

    static Fields with(Fields fields, const std::string& tag)
    {
        fields.emplace_back("If-None-Match", tag);
        return fields;
    }
};

TEST_F(EncodedResponses, AreTheSameText)
{
    const auto plain = get(target);
    const auto encoded = get(target, brotli);
    const auto bytes = body_bytes(encoded.response.body).value();
    const auto expected = body_bytes(plain.response.body).value();
    std::string text(expected.size(), '\0');
    std::size_t size = text.size();
    ASSERT_EQ(BrotliDecoderDecompress(bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                      &size, reinterpret_cast<std::uint8_t*>(text.data())),
              BROTLI_DECODER_RESULT_SUCCESS);
    EXPECT_TRUE(text == expected);
    EXPECT_EQ(encoded.header("Content-Encoding"), "br");
    EXPECT_EQ(plain.header("Content-Encoding"), "");
    for (const auto* answered : {&plain, &encoded})
        EXPECT_EQ(answered->header("Vary"), "Accept-Encoding");
}

TEST_F(EncodedResponses, HaveTagsOfTheirOwn)
{
    const auto plain = tag_of(get(target)), br = tag_of(get(target, brotli)), gz = tag_of(get(target, gzip));
    EXPECT_NE(plain, br);
    EXPECT_NE(plain, gz);
    EXPECT_NE(br, gz);
    EXPECT_EQ(cached(target, brotli).response->etag, br);
    EXPECT_EQ(cached(target, gzip).response->etag, gz);
    EXPECT_EQ(cached(target).response->etag, plain);
}

TEST_F(EncodedResponses, AreRevalidatedByTheirTag)
{
    const auto plain = tag_of(get(target)), br = tag_of(get(target, brotli));
    const auto same = get(target, with(brotli, br));
    EXPECT_EQ(same.status(), 304);
    EXPECT_EQ(tag_of(same), br);
    EXPECT_EQ(get(target, with({}, br)).status(), 200) << "the client does not take this form";
    EXPECT_EQ(get(target, with(gzip, br)).status(), 200);
    EXPECT_EQ(get(target, with({}, plain)).status(), 304);
}

TEST_F(EncodedResponses, OfAVersionAreAlsoGoodForIfMatch)
{
    const auto tag = tag_of(get(path(), brotli));
    EXPECT_THAT(tag, HasSubstr("-br\""));
    EXPECT_EQ(ask(Method::patch, path(), {{"If-Match", tag}}, {R"({"name":"cod"})"}, 14).status(), 200);
    EXPECT_EQ(ask(Method::patch, path(), {{"If-Match", tag}}, {R"({"name":"eel"})"}, 14).status(), 412);
}

TEST_F(EncodedResponses, AreNotImages)
{
    const auto image = get(path("/thumbnail"), brotli);
    EXPECT_EQ(image.header("Content-Encoding"), "");
    EXPECT_EQ(image.header("Vary"), "Accept");
    EXPECT_TRUE(is_stored(path("/thumbnail"), brotli));
}

TEST_F(EncodedResponses, AreNotForOtherSites)
{
    auto fields = brotli;
    fields.emplace_back("Sec-Fetch-Site", "cross-site");
    EXPECT_EQ(get(target, fields).header("Content-Encoding"), "");
}

} // namespace
} // namespace vitrine::server::testing
