// Which requests wait for which: large responses are made on a pool of their own.

#include <algorithm>
#include <latch>
#include <memory>
#include <stdexcept>
#include <vector>

#include "server/net/async.hpp"
#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class PoolsTest : public HandlerTest {
protected:
    // Occupies the only thread of a pool while it lives: that has taken the work when the constructor
    // returns, so that the work fills no place of the queue.
    class Occupied {
    public:
        explicit Occupied(WorkPool& pool)
        {
            const bool is_posted = pool.post([this] {
                started_.count_down();
                end_.wait();
                ended_.count_down();
            });
            if (!is_posted) throw std::runtime_error("the pool takes no work");
            started_.wait();
        }
        ~Occupied()
        {
            end_.count_down();
            ended_.wait();
        }
        Occupied(const Occupied&) = delete;
        Occupied& operator=(const Occupied&) = delete;

    private:
        std::latch started_{1}, end_{1}, ended_{1};
    };

    std::string asset = "/v1/assets/" + imported("bar.obj");
};

// What an orchestrator asks must be answered at once by a healthy server under load.
TEST_F(PoolsTest, HealthAndReadinessWaitForNoPool)
{
    const Occupied catalog(catalog_pool), scenes(scenes_pool), exports(exports_pool);
    while (catalog_pool.post([] {})) {
    }
    EXPECT_EQ(get("/v1/assets").status(), 503) << "the queue is full";
    EXPECT_EQ(get("/healthz").status(), 200);
    EXPECT_EQ(get("/readyz").status(), 200);
}

TEST_F(PoolsTest, IdentityProvidersAndPasswordsDoNotWaitForEachOther)
{
    const Occupied passwords(passwords_pool);
    EXPECT_EQ(get("/v1/oidc/sign-in").code(), "no_provider");
    EXPECT_EQ(get("/v1/oidc/callback").code(), "no_provider");
}

TEST_F(PoolsTest, LargeResponsesDoNotWaitForPictures)
{
    const Occupied scenes(scenes_pool);
    for (const char* rest : {"/mesh", "/export.glb", "/clips/c0/tracks", "/clips/c0/pose?t=0/1/0.5",
                             "/clips/c0/pose?t=0,0.5", "/clips/c0/pose?from=0&to=1&step=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, FrameSequencesAndLargeStillsDoNotOccupyThePoolOfScenes)
{
    const Occupied scenes(scenes_pool);
    for (const char* rest : {"/turntable?frames=2&size=16", "/sprite?frames=2&size=16",
                             "/animation?frames=2&size=16", "/render?w=2048&h=1025", "/render?w=4096&h=513"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, StillsDoNotWaitForFrameSequences)
{
    const Occupied exports(exports_pool);
    for (const char* rest : {"/thumbnail", "/render", "/render?w=2048&h=1024", "/pick?x=0&y=0",
                             "/sprite/manifest", "/clips/c0/pose"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, LargeResponsesDelayNothingElse)
{
    const Occupied exports(exports_pool);
    for (const char* rest :
         {"", "/skeleton", "/bounds", "/thumbnail", "/clips/c0/pose", "/clips/c0/pose?t=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

// A file of a library is read as a whole before it is sent the first time.
TEST_F(PoolsTest, FilesDoNotOccupyThePoolOfTheCatalog)
{
    const auto id = asset.substr(asset.rfind('/') + 1);
    const Occupied catalog(catalog_pool);
    EXPECT_EQ(get(asset + "/files/bar.obj").status(), 200);
    EXPECT_EQ(get("/v1/assets:download?assets=" + id).status(), 200);
}

TEST_F(PoolsTest, UploadsWaitForNothingButUploads)
{
    const Occupied catalog(catalog_pool), exports(exports_pool);
    const std::string body =
        "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.obj\"\r\n\r\n"
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n\r\n--B--\r\n";
    EXPECT_EQ(ask(Method::post, "/v1/assets", {{"Content-Type", "multipart/form-data; boundary=B"}}, {body})
                  .status(),
              201);
}

TEST_F(PoolsTest, NothingElseWaitsForUploads)
{
    const Occupied uploads(uploads_pool);
    for (const char* rest : {"", "/mesh", "/thumbnail", "/clips/c0/pose"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, NothingIsComputedForPeersThatAreGone)
{
    const auto socket = std::make_shared<PeerSocket>(-1);
    EXPECT_EQ(get(asset + "/mesh").status(), 200);
    peer = socket;
    EXPECT_THROW(get(asset + "/mesh"), PeerDisconnected);
    EXPECT_EQ(ask(Method::patch, asset, {{"Content-Type", "application/json"}}, {R"({"name": "changed"})"})
                  .status(),
              200)
        << "a change takes effect";
}

// A body whose sender waits.
class WaitingBody final : public BodySource {
public:
    explicit WaitingBody(asio::io_context& io) : timer_(io, std::chrono::hours(1)) {}
    asio::awaitable<std::span<const std::byte>> next() override
    {
        const auto ended = co_await timer_.async_wait(as_result);
        static_cast<void>(ended);
        co_return std::span<const std::byte>();
    }
    void end() { timer_.cancel(); }

private:
    asio::steady_timer timer_;
};

TEST_F(PoolsTest, RequestsThatWaitForTheirBodiesRejectOnlyOnesWithBodies)
{
    asio::io_context io;
    std::vector<std::unique_ptr<WaitingBody>> bodies;
    std::vector<std::unique_ptr<Request>> requests;
    std::vector<int> statuses;
    for (int i = 0; i < 20; ++i) { // the limit is 16
        auto& request = *requests.emplace_back(std::make_unique<Request>());
        request.method = Method::patch;
        request.method_name = "PATCH";
        request.target = parse_target(asset).value();
        request.headers.add("Host", "localhost");
        request.content_length = 100;
        auto& body = *bodies.emplace_back(std::make_unique<WaitingBody>(io));
        asio::co_spawn(
            io, [&] { return dispatcher.handle(request, body); },
            [&](const std::exception_ptr&, const Response& response) {
                statuses.push_back(response.status);
            });
    }
    io.poll();
    EXPECT_EQ(statuses, std::vector<int>(4, 429));
    EXPECT_EQ(get(asset).status(), 200);
    for (auto& body : bodies)
        body->end();
    io.restart();
    io.run();
    EXPECT_EQ(statuses.size(), 20u);
    EXPECT_EQ(std::ranges::count(statuses, 429), 4);
}

} // namespace
} // namespace vitrine::server::testing
