// Two processes with one catalog, each with a device: what one quarantines, the other does not draw, until it
// is lifted.

#include "server/services/shared_quarantine.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "server/services/database/database_connections.hpp"
#include "server/services/storage/scene_changes.hpp"
#include "tests/unit/server/services/catalog/fixture.hpp"
#include "tests/unit/server/services/support/fakes.hpp"
#include "tests/unit/server/services/support/log_watch.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::ElementsAre;

class DrawingProcess {
public:
    explicit DrawingProcess(const std::string& location) : catalog_(location) {}

    // Draws an image of it, and loses the device twice.
    void fail_with(const std::string& model)
    {
        ASSERT_TRUE(test::eventually([&] { return renders.health().devices.front().is_available; }));
        gpu_.lose = 2;
        auto image = renders.submit({RenderPriority::image, model}, [](RenderDevice& device) {
            device.render(nullptr, {}, {});
            return 0;
        });
        ASSERT_TRUE(image) << image.error().code;
        EXPECT_THROW(image->get(), ModelQuarantined);
    }
    bool draws(const std::string& model) const { return !renders.quarantined(model); }

private:
    Catalog catalog_;
    FakeGpu gpu_;
    prometheus::Registry registry_;
    Metrics metrics_{registry_};
    RenderQueue queue_{catalog_.connections()};

public:
    RenderPool renders{{make_fake_device(gpu_)},
                       {.max_losses = 16, .retry_interval = std::chrono::milliseconds(1)},
                       metrics_};
    SharedQuarantine quarantine{queue_, renders};
};

class CatalogQuarantine : public CatalogTest {
protected:
    static std::string group_of(const std::string& model) { return std::string(quarantine_group(model)); }

    const std::string fish = std::string(64, 'a'), vase = std::string(64, 'b');
    DrawingProcess one{location()}, other{location()};
};

TEST_F(CatalogQuarantine, HoldsForAllUntilItIsLifted)
{
    one.fail_with(fish);
    EXPECT_FALSE(one.draws(fish));
    EXPECT_TRUE(other.draws(fish)) << "does not know it yet";
    one.quarantine.exchange();
    other.quarantine.exchange();
    EXPECT_FALSE(other.draws(fish));
    EXPECT_TRUE(other.draws(vase));
    other.quarantine.lift(group_of(fish));
    EXPECT_TRUE(other.draws(fish));
    one.quarantine.exchange();
    EXPECT_TRUE(one.draws(fish));
}

TEST_F(CatalogQuarantine, AModelThatFailsAfterTheLiftIsQuarantinedAgain)
{
    one.fail_with(fish);
    one.quarantine.exchange();
    other.quarantine.exchange();
    one.quarantine.lift(group_of(fish));
    one.fail_with(fish); // before the next exchange
    one.quarantine.exchange();
    other.quarantine.exchange();
    EXPECT_FALSE(one.draws(fish)) << "the row that is gone was an older one";
    EXPECT_FALSE(other.draws(fish));
    other.quarantine.lift(group_of(fish));
    one.quarantine.exchange();
    EXPECT_TRUE(one.draws(fish));
}

TEST_F(CatalogQuarantine, CanBeLiftedByAnotherProcessAtOnce)
{
    one.quarantine.share_at_once();
    one.fail_with(fish);
    other.quarantine.lift(group_of(fish)); // before any exchange
    one.quarantine.exchange();
    other.quarantine.exchange();
    EXPECT_TRUE(one.draws(fish));
    EXPECT_TRUE(other.draws(fish));
    one.fail_with(fish);
    other.quarantine.exchange();
    EXPECT_FALSE(other.draws(fish)) << "one that fails after the lift is quarantined again";
}

TEST_F(CatalogQuarantine, IsSharedLaterIfTheCatalogFails)
{
    const auto rename = [&](const char* from, const char* to) {
        catalog.connections().write(
            [&](DatabaseConnection& sql) { sql << fmt::format("ALTER TABLE {} RENAME TO {}", from, to); });
    };
    one.quarantine.share_at_once();
    rename("quarantined_models", "moved_away");
    one.fail_with(fish);
    EXPECT_FALSE(one.draws(fish));
    rename("moved_away", "quarantined_models");
    other.quarantine.exchange();
    EXPECT_TRUE(other.draws(fish));
    one.quarantine.exchange();
    other.quarantine.exchange();
    EXPECT_FALSE(other.draws(fish));
}

TEST_F(CatalogQuarantine, OfBothProcessesIsLiftedOnce)
{
    for (auto* process : {&one, &other})
        process->fail_with(fish);
    for (auto* process : {&one, &other})
        process->quarantine.exchange();
    one.quarantine.lift(group_of(fish));
    one.fail_with(fish);
    other.quarantine.exchange();
    EXPECT_TRUE(other.draws(fish));
    one.quarantine.exchange();
    other.quarantine.exchange();
    EXPECT_FALSE(one.draws(fish));
    EXPECT_FALSE(other.draws(fish));
}

TEST_F(CatalogQuarantine, OfSeveralModelsIsLiftedWithEachOfThem)
{
    AssetRecord base, attached;
    base.content_hash = fish;
    attached.content_hash = vase;
    const auto both = with_changes({.base = base, .attached = {{attached, {}}}}).content_hash;
    for (const auto& model : {fish, vase}) {
        one.fail_with(both);
        one.quarantine.exchange();
        other.quarantine.exchange();
        EXPECT_FALSE(other.draws(both));
        EXPECT_TRUE(other.draws(fish));
        other.quarantine.lift(group_of(std::string(64, 'c')));
        EXPECT_FALSE(other.draws(both)) << "it is no part of the image";
        other.quarantine.lift(group_of(model));
        one.quarantine.exchange();
        EXPECT_TRUE(other.draws(both));
        EXPECT_TRUE(one.draws(both));
    }
}

TEST_F(CatalogQuarantine, AFurtherOneEndsTheOldest)
{
    RenderQueue queue(catalog.connections(), {.max_quarantined = 3});
    for (const auto* model : {"model of a", "model of b", "model of c", "model of c"})
        queue.quarantine(model);
    EXPECT_THAT(queue.quarantined(), ElementsAre("model of c", "model of b", "model of a"));
    const LogWatch log("model of a");
    queue.quarantine("model of d");
    EXPECT_THAT(queue.quarantined(), ElementsAre("model of d", "model of c", "model of b"));
    EXPECT_EQ(log.lines(), 1) << "nothing ends silently";
    EXPECT_TRUE(queue.ask({.id = "a", .model = "model of a", .request = "draw a"}));
    EXPECT_FALSE(queue.ask({.id = "d", .model = "model of d", .request = "draw d"}));
}

} // namespace
} // namespace vitrine::server::testing
