// Which requests wait for which: large responses are made on a pool of their own.

#include <latch>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class PoolsTest : public HandlerTest {
protected:
    // Occupies the only thread of a pool while it lives.
    class Occupied {
    public:
        explicit Occupied(WorkPool& pool)
        {
            EXPECT_TRUE(pool.post([this] {
                end_.wait();
                ended_.count_down();
            }));
        }
        ~Occupied()
        {
            end_.count_down();
            ended_.wait();
        }
        Occupied(const Occupied&) = delete;
        Occupied& operator=(const Occupied&) = delete;

    private:
        std::latch end_{1}, ended_{1};
    };

    std::string asset = "/v1/assets/" + imported("bar.obj");
};

TEST_F(PoolsTest, LargeResponsesDoNotWaitForPictures)
{
    const Occupied scenes(scenes_pool);
    for (const char* rest : {"/mesh", "/export.glb", "/clips/c0/tracks", "/clips/c0/pose?t=0/1/0.5",
                             "/clips/c0/pose?t=0,0.5", "/clips/c0/pose?from=0&to=1&step=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, LargeResponsesDelayNothingElse)
{
    const Occupied exports(exports_pool);
    for (const char* rest :
         {"", "/skeleton", "/bounds", "/thumbnail", "/clips/c0/pose", "/clips/c0/pose?t=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
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

} // namespace
} // namespace vitrine::server::testing
