// A process without a device: requests that wait for the images of workers.

#include <atomic>
#include <future>
#include <set>

#include <gmock/gmock.h>

#include "server/services/s3/s3_derived_store.hpp"
#include "tests/support/eventually.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using test::eventually;

class ImageWaitsTest : public HandlerTest {
protected:
    ImageWaitsTest()
        : HandlerTest(true, [this](ServicesConfig& made) {
              made.role = ProcessRole::api;
              made.shared_derived =
                  std::make_shared<SharedDerivedConfig>(SharedDerivedConfig{.folder = folder() / "shared"});
          })
    {
        std::filesystem::create_directories(folder() / "shared");
        services.importer.start();
        asset = "/v1/assets/" + imported("bar.obj");
        registration.start();
        worker.start();
    }
    ~ImageWaitsTest() override { go.set_value(); }

    // Orders have the key of the image, because derived files are shared.
    RemoteRenderResult draw(const std::string& request)
    {
        if (auto posted = parse_remote_request_models(request); !posted.empty()) models = std::move(posted);
        ++drawn;
        started.wait();
        const bool is_wrong = wrong > 0;
        if (is_wrong) --wrong;
        const auto key = parse_remote_request_key(request);
        return {.content_type = "image/png",
                .body = is_wrong ? "another picture" : "the picture",
                .etag = is_wrong ? "\"another\""
                        : key    ? etag_of(*key)
                                 : ""};
    }
    std::future<Answered> start(const std::string& rest)
    {
        return std::async(std::launch::async, [this, rest] { return get(asset + rest); });
    }
    void let_draw()
    {
        go.set_value();
        go = {};
    }
    void hold_drawings() { started = go.get_future().share(); } // after let_draw()
    std::size_t waiting() const { return image_waits.waiting(); }

    std::promise<void> go;
    std::shared_future<void> started = go.get_future().share();
    std::atomic<int> drawn = 0, wrong = 0;
    std::string asset;
    std::vector<NewAsset> models; // of the last request that had any
    WorkerRegistration registration{services.workers,
                                    [] { return api::Worker{.role = "worker", .draw_slots = 8}; }};
    RenderWorker worker{services.render_queue,
                        services.catalog.signals(),
                        registration.id(),
                        8,
                        [this](const std::string& request) { return draw(request); },
                        [] { return true; }};
};

TEST_F(ImageWaitsTest, WhatTheWorkerHasDrawnIsKept)
{
    let_draw();
    const auto image = get(asset + "/render?w=16");
    EXPECT_EQ(image.status(), 200);
    EXPECT_EQ(body_bytes(image.response.body), "the picture");
    EXPECT_EQ(get(asset + "/render?w=16").header("ETag"), image.header("ETag"));
    EXPECT_EQ(drawn, 1);
}

// The worker is of another version, or knows another state of the asset.
TEST_F(ImageWaitsTest, AnotherImageThanWasAskedForIsNeitherSentNorKept)
{
    let_draw();
    wrong = 2;
    const auto image = get(asset + "/render?w=16");
    EXPECT_EQ(image.status(), 503);
    EXPECT_EQ(image.code(), "drawn_otherwise");
    EXPECT_NE(image.header("Retry-After"), "");
    EXPECT_EQ(drawn, 2) << "once more";
    const auto again = get(asset + "/render?w=16");
    EXPECT_EQ(again.status(), 200);
    EXPECT_EQ(body_bytes(again.response.body), "the picture");
    EXPECT_EQ(drawn, 3);
}

TEST_F(ImageWaitsTest, TheRequestIsAnsweredAgainAfterAnotherImage)
{
    let_draw();
    wrong = 1;
    const auto image = get(asset + "/render?w=16");
    EXPECT_EQ(image.status(), 200);
    EXPECT_EQ(body_bytes(image.response.body), "the picture");
    EXPECT_EQ(drawn, 2);
}

TEST_F(ImageWaitsTest, APickOfAnotherStateIsRejectedToo)
{
    wrong = 2;
    let_draw();
    EXPECT_EQ(get(asset + "/pick?w=16&h=16&x=1&y=1").code(), "drawn_otherwise");
}

TEST_F(ImageWaitsTest, AModelInTheBodyIsHandedOverAsBlobs)
{
    const auto post = [&] {
        return ask(Method::post, "/v1/render?w=16&name=fish.obj", {{"Content-Type", "model/obj"}},
                   {"content of fish.obj"});
    };
    auto image = std::async(std::launch::async, post);
    EXPECT_TRUE(eventually([&] { return drawn == 1; }));
    EXPECT_EQ(waiting(), 1u);
    EXPECT_EQ(get(asset + "/skeleton").status(), 200);
    let_draw();
    const auto answered = image.get();
    EXPECT_EQ(answered.status(), 200);
    EXPECT_EQ(body_bytes(answered.response.body), "the picture");
    EXPECT_EQ(answered.header("Cache-Control"), "no-store");
    EXPECT_EQ(answered.header("ETag"), "");
    ASSERT_EQ(models.size(), 1u);
    EXPECT_EQ(models.front().main_file, "fish.obj");
    EXPECT_EQ(models.front().files.front().size_bytes, 19u);
}

// The pools of the test have one thread each.
TEST_F(ImageWaitsTest, NothingElseWaitsBehindThem)
{
    std::vector<std::future<Answered>> images;
    for (const auto* rest : {"/render?w=16", "/render?w=17", "/thumbnail", "/turntable?frames=2&size=16"})
        images.push_back(start(rest));
    EXPECT_TRUE(eventually([&] { return waiting() == images.size() && drawn == 4; }));
    for (const char* rest : {"/skeleton", "/clips", "/bounds", "/clips/c0/pose?t=0.5", "/mesh"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
    const auto metrics = get("/metrics");
    EXPECT_THAT(std::string(body_bytes(metrics.response.body).value()),
                ::testing::HasSubstr("\nvitrine_requests_awaiting_workers 4\n"));
    let_draw();
    for (auto& image : images)
        EXPECT_EQ(image.get().status(), 200);
    EXPECT_EQ(waiting(), 0u);
}

// Four threads and two places before them.
TEST_F(ImageWaitsTest, TooManyAreRejected)
{
    std::vector<std::future<Answered>> images;
    for (int width = 16; width < 22; ++width)
        images.push_back(start("/render?w=" + std::to_string(width)));
    EXPECT_TRUE(eventually([&] { return waiting() == 6 && drawn == 4; }));
    const auto rejected = get(asset + "/render?w=30");
    EXPECT_EQ(rejected.status(), 503);
    EXPECT_EQ(rejected.code(), "render_queue_full");
    EXPECT_NE(rejected.header("Retry-After"), "");
    EXPECT_EQ(get(asset + "/skeleton").status(), 200);
    let_draw();
    for (auto& image : images)
        EXPECT_EQ(image.get().status(), 200);
}

// A thread that begins after the answer has come reads it from the derived data: another attempt.
TEST_F(ImageWaitsTest, EqualRequestsShareOneAnswer)
{
    std::set<const std::vector<std::byte>*> bodies;
    for (int attempt = 1; attempt <= 5 && bodies.size() != 1; ++attempt) {
        if (attempt > 1) hold_drawings();
        const auto before = drawn.load();
        std::vector<std::future<Answered>> images;
        for (int i = 0; i < 4; ++i) // responses to POST are not cached
            images.push_back(std::async(std::launch::async, [&] {
                return ask(Method::post, asset + "/render", {{"Content-Type", "application/json"}},
                           {R"({"w": )" + std::to_string(16 + attempt) + "}"});
            }));
        EXPECT_TRUE(eventually([&] { return waiting() == 4 && drawn == before + 1; }));
        let_draw();
        bodies.clear();
        for (auto& image : images)
            bodies.insert(std::get<SharedBytes>(image.get().response.body).get());
        EXPECT_EQ(drawn, before + 1);
    }
    EXPECT_EQ(bodies.size(), 1u) << "read once";
}

} // namespace
} // namespace vitrine::server::testing
