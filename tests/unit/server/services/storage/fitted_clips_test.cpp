// Clips of one asset as they are bound to another one, kept with the scenes.

#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {
namespace {

class FittedClips : public WholeServicesTest {
protected:
    AssetRecord imported(Services& services, const std::string& name)
    {
        const auto created = upload(services, name);
        EXPECT_EQ(wait_for(services, created.job.id).state, JobState::succeeded);
        return services.catalog.find_asset(created.asset.id).value();
    }
};

TEST_F(FittedClips, AreBoundOnce)
{
    Services services(config(), registry);
    services.start();
    const auto character = imported(services, "bar.obj"), animation = imported(services, "bar2.obj");
    const auto scene = services.scenes.load(character).value(),
               other = services.scenes.load(animation).value();
    const auto fit = [&](const AssetRecord& asset) {
        return services.scenes.fit_clip(asset, *scene, {animation, *other, 0});
    };
    const auto clip = fit(character);
    ASSERT_TRUE(clip);
    EXPECT_EQ(clip->duration, other->clips.front().duration);
    EXPECT_EQ(fit(character), clip) << "the same object";
    auto changed = character;
    changed.content_hash = animation.content_hash;
    EXPECT_NE(fit(changed), clip) << "of another version";
    auto posted = character;
    posted.posted = std::make_shared<const PostedModel>(PostedModel{.scene = scene, .others = {}});
    posted.content_hash = "posted";
    EXPECT_NE(fit(posted), fit(posted)) << "nothing is kept of what a request holds";
    const auto bytes = services.metrics.scene_bytes.Value();
    EXPECT_GT(bytes, static_cast<double>(memory_bytes(*scene) + memory_bytes(*other)))
        << "they count as scenes do";
}

TEST_F(FittedClips, ThatDoNotFitAreRememberedToo)
{
    Services services(config(), registry);
    services.start();
    const auto character = imported(services, "cube.obj"), animation = imported(services, "bar.obj");
    const auto scene = services.scenes.load(character).value(),
               other = services.scenes.load(animation).value();
    EXPECT_FALSE(services.scenes.fit_clip(character, *scene, {animation, *other, 0}));
    EXPECT_FALSE(services.scenes.fit_clip(character, *scene, {animation, *other, 0}));
}

TEST_F(FittedClips, GiveWayToScenes)
{
    auto small = config();
    small.scene_bytes = 1;
    Services services(small, registry);
    services.start();
    const auto character = imported(services, "bar.obj"), animation = imported(services, "bar2.obj");
    const auto scene = services.scenes.load(character).value(),
               other = services.scenes.load(animation).value();
    const auto clip = services.scenes.fit_clip(character, *scene, {animation, *other, 0});
    services.scenes.load(character).value();
    EXPECT_NE(services.scenes.fit_clip(character, *scene, {animation, *other, 0}), clip) << "evicted";
}

} // namespace
} // namespace vitrine::server::testing
