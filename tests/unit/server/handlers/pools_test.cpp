// Which requests wait for which: large answers are made on a pool of their own.

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

TEST_F(PoolsTest, LargeAnswersDoNotWaitForPictures)
{
    const Occupied scenes(scenes_pool);
    for (const char* rest : {"/mesh", "/export.glb", "/clips/c0/tracks", "/clips/c0/pose?t=0/1/0.5",
                             "/clips/c0/pose?t=0,0.5", "/clips/c0/pose?from=0&to=1&step=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

TEST_F(PoolsTest, NothingElseWaitsForLargeAnswers)
{
    const Occupied exports(exports_pool);
    for (const char* rest :
         {"", "/skeleton", "/bounds", "/thumbnail", "/clips/c0/pose", "/clips/c0/pose?t=0.5"})
        EXPECT_EQ(get(asset + rest).status(), 200) << rest;
}

} // namespace
} // namespace vitrine::server::testing
