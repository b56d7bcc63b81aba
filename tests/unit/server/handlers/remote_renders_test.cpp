// Requests for images that another process hands over, and the list of workers.

#include "server/remote_renders.hpp"

#include <gmock/gmock.h>

#include "server/routing/remote_image.hpp"
#include "server/services/s3/s3_derived_store.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

class RemoteRenders : public HandlerTest {
protected:
    static Request request_of(std::string_view target)
    {
        Request request;
        request.target = parse_target(target).value();
        request.headers.add("Accept", "image/webp, image/png;q=0.5");
        return request;
    }
    RemoteRenderResult answer(std::string_view target)
    {
        return answer_remote_render(remote_request_text(request_of(target)), context);
    }
    static std::string code_of(const RemoteRenderResult& outcome) { return parse_problem(outcome).code; }
};

TEST_F(RemoteRenders, AreTheRequestAgain)
{
    const auto request = request_of("/v1/assets/a%20b/render?turn=hip%3a1&turn=knee&w=64&name=%C3%A9%22");
    const auto parsed = parse_remote_request(remote_request_text(request)).value();
    EXPECT_EQ(parsed.target.segments, request.target.segments);
    EXPECT_EQ(parsed.target.query, request.target.query);
    EXPECT_EQ(parsed.headers.find("Accept"), "image/webp, image/png;q=0.5");
    EXPECT_EQ(parsed.method, Method::get);
}

TEST_F(RemoteRenders, HaveTheTraceOfTheRequest)
{
    auto request = request_of("/v1/render?asset=a");
    EXPECT_EQ(parse_remote_request_trace(remote_request_text(request)), "");
    request.headers.add("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    EXPECT_EQ(parse_remote_request_trace(remote_request_text(request)), "4bf92f3577b34da6a3ce929d0e0e4736");
}

// PostgreSQL stores texts of UTF-8 only.
TEST_F(RemoteRenders, HaveOnlyBytesOfTexts)
{
    auto request = request_of("/v1/render?asset=%C3%A9");
    request.headers.set("Accept", "image/webp;q=\"\xff\xc3(\", image/png");
    const auto text = remote_request_text(request);
    EXPECT_FALSE(text.contains('\xff'));
    EXPECT_EQ(parse_remote_request(text).value().headers.find("Accept"), "image/webp;q=\"?"
                                                                         "?(\", image/png");
}

TEST_F(RemoteRenders, MayHaveTheKeyOfTheImage)
{
    const auto request = request_of("/v1/render?asset=a");
    EXPECT_FALSE(parse_remote_request_key(remote_request_text(request)));
    const DerivedKey key{.content_hash = "h", .kind = "render", .parameters = "w=\"1\"", .revision = 7};
    const auto text = remote_request_text(request, &key);
    EXPECT_EQ(parse_remote_request_key(text).value().digest(), key.digest());
    EXPECT_EQ(parse_remote_request(text).value().target.query, request.target.query);
    for (const std::string wrong : {"", "{", "[]", R"({"key": 1})", R"({"key": []})"})
        EXPECT_FALSE(parse_remote_request_key(wrong)) << wrong;
}

TEST_F(RemoteRenders, AreAnsweredAsTheRequestWouldBe)
{
    const auto asset = imported("fish.obj");
    const auto path = "/v1/assets/" + asset + "/render?w=32&h=32";
    const auto outcome = answer(path);
    EXPECT_EQ(outcome.status, 200) << outcome.body;
    EXPECT_EQ(outcome.content_type, "image/webp") << "as Accept says";
    const auto local = get(path, {{"Accept", "image/webp"}});
    EXPECT_EQ(outcome.body, body_bytes(local.response.body));
    EXPECT_EQ(outcome.etag, local.header("ETag"));
    const auto pick = "/v1/assets/" + asset + "/pick?w=8&h=8&x=1&y=1";
    EXPECT_EQ(answer(pick).content_type, "application/json");
    EXPECT_EQ(answer(pick).etag, get(pick).header("ETag"));
}

// As POST /v1/render answers here.
TEST_F(RemoteRenders, MayHaveModelsThatAreNoAssets)
{
    const auto blob = put_blob(*services.blobs, bytes_of("content of fish.obj"));
    const std::vector models{NewAsset{.name = "fish",
                                      .main_file = "fish.obj",
                                      .files = {{"fish.obj", blob.hash, blob.size_bytes, blob.pin}}}};
    const auto image = answer_remote_render(
        remote_request_text(request_of("/v1/render?w=32&h=32"), models, "place"), context);
    EXPECT_EQ(image.status, 200) << image.body;
    EXPECT_EQ(image.content_type, "image/webp");
    EXPECT_EQ(image.etag, "") << "nothing of it is kept";
    const auto local = ask(Method::post, "/v1/render?w=32&h=32&name=fish.obj", {{"Accept", "image/webp"}},
                           {"content of fish.obj"});
    EXPECT_EQ(image.body, body_bytes(local.response.body));
    EXPECT_EQ(
        answer_remote_render(remote_request_text(request_of("/v1/convert"), models, "place"), context).status,
        404);
    EXPECT_EQ(
        answer_remote_render(remote_request_text(request_of("/v1/render?w=0"), models, "place"), context)
            .status,
        400);
    auto missing = models;
    missing.front().files.front() = {.name = "fish.obj", .blob = std::string(64, 'a')};
    EXPECT_GE(
        answer_remote_render(remote_request_text(request_of("/v1/render"), missing, "place"), context).status,
        400);
    EXPECT_TRUE(parse_remote_request_models(R"({"models": [1, []]})").empty());
    EXPECT_EQ(parse_remote_request_place(remote_request_text(request_of("/v1/render"), models, "place")),
              "place");
    EXPECT_EQ(blobs_of(models), std::vector{blob.hash});
}

class SharedRemoteRenders : public HandlerTest {
protected:
    SharedRemoteRenders()
        : HandlerTest(true, [this](ServicesConfig& made) {
              made.shared_derived =
                  std::make_shared<SharedDerivedConfig>(SharedDerivedConfig{.folder = folder() / "shared"});
          })
    {
        std::filesystem::create_directories(folder() / "shared");
    }
};

// The key of another process counts only if it is that of the image that was drawn here.
TEST_F(SharedRemoteRenders, ArePublishedUnderTheirOwnKeyOnly)
{
    const auto asset = services.catalog.find_asset(imported("fish.obj")).value();
    Request request;
    request.target =
        parse_target("/v1/assets/" + asset.id + "/render?w=2000&h=2000&format=jpeg&quality=100").value();
    const DerivedKey wrong{.content_hash = "h", .kind = "render", .parameters = "w=1", .revision = 7};
    const auto kept = answer_remote_render(remote_request_text(request, &wrong), context);
    EXPECT_EQ(kept.status, 200);
    EXPECT_GT(kept.body.size(), 32u * 1024) << "large enough to be published";
    EXPECT_FALSE(services.derived.contains(wrong));
    EXPECT_FALSE(services.derived.find_published(wrong));
    RenderParams params{.format = render::ImageFormat::jpeg, .quality = 100};
    params.view.width = params.view.height = 2000;
    params.view.camera.yaw = 30.0f;
    params.view.camera.pitch = 15.0f;
    const auto key = image_key(asset, params);
    ASSERT_EQ(etag_of(key), kept.etag);
    const auto published = answer_remote_render(remote_request_text(request, &key), context);
    EXPECT_EQ(published.etag, kept.etag);
    EXPECT_EQ(published.body, "");
    EXPECT_EQ(services.derived.find_published(key).value().size(), kept.body.size());
}

TEST_F(RemoteRenders, HaveTheProblemsOfTheRequest)
{
    const auto asset = imported("fish.obj");
    for (const auto* parameters : {"?w=0", "?nonsense=1", "?clip=none-such", "?variant=none-such"}) {
        const auto path = "/v1/assets/" + asset + "/render" + parameters;
        const auto outcome = answer(path);
        const auto local = get(path);
        EXPECT_EQ(outcome.status, local.status()) << path;
        const auto problem = parse_problem(outcome);
        EXPECT_EQ(problem.code, local.code());
        EXPECT_EQ(problem.detail, local.json().at("detail").as_string());
        EXPECT_EQ(problem.errors.size(), local.json().at("errors").as_array().size());
    }
    EXPECT_EQ(answer("/v1/assets/asset_none/render").status, 404);
}

TEST_F(RemoteRenders, DrawNothingElse)
{
    const auto asset = imported("fish.obj");
    for (const auto* path : {"/v1/assets", "/metrics", "/", "/v1/assets/x/files/fish.obj", "/nonsense"})
        EXPECT_EQ(answer(path).status, 404) << path;
    EXPECT_EQ(answer("/v1/assets/" + asset).status, 404);
}

TEST_F(RemoteRenders, RejectTextsThatAreNoRequest)
{
    for (const std::string text :
         {"", "null", "[]", "{", "{}", R"({"path": 1, "query": []})", R"({"path": "/v1/render"})",
          R"({"path": "v1", "query": []})", R"({"path": "/%00", "query": []})",
          R"({"path": "/v1/render", "query": {}})", R"({"path": "/v1/render", "query": [["a"]]})",
          R"({"path": "/v1/render", "query": [["a", 1]]})",
          R"({"path": "/v1/render", "query": ["a", "b"]})"}) {
        EXPECT_FALSE(parse_remote_request(text)) << text;
        EXPECT_EQ(answer_remote_render(text, context).status, 400) << text;
    }
    EXPECT_FALSE(parse_remote_request(std::string(100'000, '[')));
}

TEST_F(RemoteRenders, ProblemsKeepTheirMembers)
{
    const auto parsed = parse_problem(to_outcome({.status = 503,
                                                  .code = "render_queue_full",
                                                  .detail = "Wait.",
                                                  .where = "here",
                                                  .errors = {{.pointer = "/query/w", .detail = "wide"}},
                                                  .retry_after_s = 7}));
    EXPECT_EQ(parsed.status, 503);
    EXPECT_EQ(parsed.code, "render_queue_full");
    EXPECT_EQ(parsed.where, "here");
    EXPECT_EQ(parsed.retry_after_s, 7u);
    ASSERT_EQ(parsed.errors.size(), 1u);
    EXPECT_EQ(parsed.errors.front().pointer, "/query/w");
    for (const auto& outcome : {RemoteRenderResult{.status = 500, .body = "nonsense"},
                                RemoteRenderResult{.status = 202, .body = "{}"},
                                RemoteRenderResult{.status = 400, .body = R"({"code": 1, "errors": [1]})"}}) {
        const auto problem = parse_problem(outcome);
        EXPECT_EQ(problem.status, 503);
        EXPECT_EQ(problem.code, "not_drawn");
    }
}

TEST_F(RemoteRenders, TheProcessIsListedAsAWorker)
{
    EXPECT_EQ(get("/v1/workers").json().at("items").as_array().size(), 0u);
    ASSERT_TRUE(test::eventually([&] { return get("/readyz").status() == 200; }));
    services.join({.address = "http://127.0.0.1:1",
                   .viewer_slots = 5,
                   .viewers = [this] { return viewers.load(); },
                   .answer = {}});
    const auto listed = get("/v1/workers?limit=500").json();
    EXPECT_TRUE(listed.at("next").is_null());
    const auto& worker = listed.at("items").as_array().at(0);
    EXPECT_EQ(worker.at("role").as_string(), "all");
    EXPECT_EQ(worker.at("address").as_string(), "http://127.0.0.1:1");
    EXPECT_EQ(worker.at_pointer("/capacity/viewers").as_int64(), 5);
    EXPECT_EQ(worker.at_pointer("/capacity/draws").as_int64(), 0);
    EXPECT_TRUE(worker.at("alive").as_bool());
    for (const auto* wrong : {"?limit=0", "?limit=501", "?limit=x", "?other=1"})
        EXPECT_EQ(get(std::string("/v1/workers") + wrong).status(), 400) << wrong;
    services.stop(std::chrono::milliseconds(0));
    EXPECT_EQ(get("/v1/workers").json().at("items").as_array().size(), 0u);
}

class ApiRole : public HandlerTest {
protected:
    ApiRole() : HandlerTest(true, [](ServicesConfig& made) { made.role = ProcessRole::api; }) {}
};

TEST_F(ApiRole, HasNoDeviceAndImportsNothing)
{
    const auto ready = get("/readyz");
    EXPECT_EQ(ready.status(), 200);
    EXPECT_EQ(ready.json().at("role").as_string(), "api");
    EXPECT_TRUE(ready.json().at("device").is_null());
    EXPECT_TRUE(ready.json().at("devices").as_array().empty());
    const auto created = upload(services, "fish.obj");
    EXPECT_EQ(get("/v1/assets/" + created.asset.id + "/thumbnail").status(), 202);
    services.join({.viewers = [] { return std::size_t{0}; }, .answer = {}});
    EXPECT_EQ(get("/v1/workers").json().at("items").as_array().size(), 0u);
    const auto answered = get("/metrics");
    const auto metrics = body_bytes(answered.response.body).value();
    EXPECT_THAT(std::string(metrics), HasSubstr("vitrine_job_queue_length 1"));
    EXPECT_THAT(std::string(metrics), HasSubstr("vitrine_workers{role=\"worker\"} 0"));
    services.stop(std::chrono::seconds(5)); // what runs by now ends
    EXPECT_EQ(services.catalog.find_job(created.job.id)->state, JobState::queued);
    EXPECT_EQ(loader.loads, 0);
}

TEST_F(ApiRole, SaysThatNoWorkerRuns)
{
    const auto created = upload(services, "fish.obj");
    services.importer.start();
    ASSERT_NE(wait_for(services, created.job.id).finished, 0);
    const auto image = get("/v1/assets/" + created.asset.id + "/render?w=16");
    EXPECT_EQ(image.status(), 503);
    EXPECT_EQ(image.code(), "no_worker");
    EXPECT_NE(image.header("Retry-After"), "");
}

} // namespace
} // namespace vitrine::server::testing
