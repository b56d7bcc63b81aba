// Limits of queries and responses, and requests for what is not available yet.

#include <semaphore>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

class ImageQueries : public HandlerTest {};

TEST_F(ImageQueries, RevisionHasALimit)
{
    const auto bar = imported("bar.obj");
    const auto ask_for = [&](int revision) {
        return get(fmt::format("/v1/assets/{}/versions/1/render?w=32&h=32&rev={}", bar, revision));
    };
    EXPECT_NE(ask_for(1'000'000).status(), 400);
    const auto rejected = ask_for(1'000'001);
    EXPECT_EQ(rejected.status(), 400);
    EXPECT_THAT(std::get<std::string>(rejected.response.body), HasSubstr("rev"));
}

class ImagesWithoutADevice : public HandlerTest {
protected:
    ImagesWithoutADevice() : HandlerTest(false) {}
};

TEST_F(ImagesWithoutADevice, AreRejectedWithTheReason)
{
    const auto rejected = get("/v1/assets/" + imported("bar.obj") + "/render?w=32&h=32");
    EXPECT_EQ(rejected.status(), 503);
    EXPECT_THAT(std::get<std::string>(rejected.response.body), HasSubstr("no driver"));
}

// The loader reads until the test is over.
class BoundsInTheMaking : public HandlerTest {
protected:
    BoundsInTheMaking()
        : HandlerTest(true, [this](ServicesConfig& config) {
              config.load_scene = [this](const auto&, const auto&, const auto&) {
                  loading.release();
                  finish.acquire();
                  return LoadResult<scene::Scene>(FakeLoader::rig());
              };
          })
    {
    }

    std::binary_semaphore loading{0}, finish{0};
};

TEST_F(BoundsInTheMaking, ReturnRetryAfterDuringImport)
{
    const auto created = upload(services, "bar.obj");
    const auto& id = created.asset.id;
    loading.acquire();
    const auto early = get("/v1/assets/" + id + "/bounds");
    finish.release();
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
    EXPECT_EQ(early.status(), 409);
    EXPECT_EQ(early.code(), "not_imported");
    EXPECT_EQ(early.header("Retry-After"), "1");
}

// The hips move through `keys` positions.
scene::Scene moving_rig(std::size_t keys)
{
    auto rig = FakeLoader::rig();
    scene::Channel channel{.node = 0, .path = scene::Path::translation};
    for (std::size_t i = 0; i < keys; ++i)
        channel.times.push_back(static_cast<float>(i));
    channel.values.assign(3 * keys, 0.5f);
    scene::Clip clip{.name = "walk", .duration = static_cast<double>(keys - 1)};
    clip.channels.push_back(std::move(channel));
    rig.clips.push_back(std::move(clip));
    return rig;
}

class LongTracks : public HandlerTest {
protected:
    LongTracks()
        : HandlerTest(true, [](ServicesConfig& config) {
              config.load_scene = [](const auto&, const std::string& name, const auto&) {
                  return LoadResult<scene::Scene>(moving_rig(name == "fits.fbx" ? 666'666 : 666'667));
              };
          })
    {
    }
    Answered tracks(const std::string& name)
    {
        return get("/v1/assets/" + imported(name) + "/clips/c0/tracks");
    }
};

// 666,666 positions are 1,999,998 numbers, one more are 2,000,001.
TEST_F(LongTracks, AreRejectedAboveTwoMillionNumbers)
{
    const auto rejected = tracks("long.fbx");
    EXPECT_EQ(rejected.status(), 413);
    EXPECT_EQ(rejected.code(), "too_many_values");
    EXPECT_EQ(tracks("fits.fbx").status(), 200);
}

class ManyPoses : public HandlerTest {
protected:
    // 100 children of one node that stands still for 10,000 seconds.
    ManyPoses()
        : HandlerTest(true, [](ServicesConfig& config) {
              config.load_scene = [](const auto&, const std::string&, const auto&) {
                  auto rig = moving_rig(2);
                  rig.clips.front().duration = 10'000.0;
                  rig.nodes.resize(101);
                  for (std::size_t i = 1; i < rig.nodes.size(); ++i) {
                      rig.nodes[i].name = fmt::format("n{}", i);
                      rig.nodes[i].parent = 0;
                  }
                  return LoadResult<scene::Scene>(std::move(rig));
              };
          })
    {
    }
    std::string rig = imported("rig.fbx");
    Answered poses(int times, const Fields& fields = {})
    {
        return get(fmt::format("/v1/assets/{}/clips/c0/pose?from=0&to={}&step=1", rig, times - 1), fields);
    }
};

TEST_F(ManyPoses, AreRejectedAboveHalfAMillion)
{
    const auto rejected = poses(4951); // 4,951 times 101 nodes: 500,051
    EXPECT_EQ(rejected.status(), 413);
    EXPECT_EQ(rejected.code(), "too_many_poses");
    const Fields packed{{"Accept", "application/octet-stream"}};
    const auto answered = poses(4951, packed);
    EXPECT_EQ(answered.status(), 200);
    EXPECT_EQ(answered.header("Vary"), "Accept, Accept-Encoding");
    EXPECT_EQ(answered.header("X-Vitrine-Times"), "4951");
    EXPECT_EQ(answered.header("X-Vitrine-Nodes"), "101");
}

TEST_F(ManyPoses, AreOfTheTypeThatIsPreferred)
{
    const std::string json = "application/json", packed = "application/octet-stream";
    for (const auto& [accept, type] : {std::pair{std::string("*/*"), json},
                                       {packed + ";q=0", json},
                                       {json + ", " + packed, json},
                                       {json + ";q=0.5, " + packed, packed},
                                       {json + ", " + packed + ";q=0.9", json},
                                       {"*/*;q=0.1, " + packed, packed},
                                       {"text/html", json}})
        EXPECT_EQ(poses(2, {{"Accept", accept}}).header("Content-Type"), type) << accept;
}

} // namespace
} // namespace vitrine::server::testing
