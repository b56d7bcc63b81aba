// Clips of one asset as they are bound to another one, kept with the scenes.

#include "server/services/storage/scene_changes.hpp"
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

// The changed Scenes of requests, which may be held without the cache.
TEST_F(FittedClips, AndCopiesOfScenesHaveALimitTogether)
{
    auto limited = config();
    const auto bytes = memory_bytes(test::skinned_bar());
    limited.scene_bytes = bytes; // twice as much for what requests make
    Services services(limited, registry);
    services.start();
    auto& scenes = services.scenes;
    const auto changed = [&](const char* name) {
        return with_changes({.base = imported(services, name), .skinning = scene::SkinningMethod::linear});
    };
    const auto third_asset = changed("bar3.obj");
    auto first = scenes.load(changed("bar.obj")), second = scenes.load(changed("bar2.obj"));
    ASSERT_TRUE(first && second);
    EXPECT_NE(*first, *second);
    const auto used = [&] { return services.metrics.scene_copy_bytes.Value(); };
    EXPECT_GT(used(), 1.9 * static_cast<double>(bytes));
    const auto full = scenes.load(third_asset);
    ASSERT_FALSE(full);
    EXPECT_EQ(full.error().code, "no_memory");
    EXPECT_EQ(full.error().kind, Errc::busy);
    EXPECT_FALSE(scenes.hold(std::make_shared<const scene::Scene>(test::skinned_bar())));
    first->reset();
    EXPECT_TRUE(scenes.load(third_asset)) << "cached Scenes that nobody uses make room";
    second->reset();
    EXPECT_TRUE(scenes.hold(std::make_shared<const scene::Scene>(test::skinned_bar())));
    EXPECT_LE(used(), 2.1 * static_cast<double>(bytes));
}

// The scenes of assets stay, however many copies requests make of them.
TEST_F(FittedClips, AndCopiesOfScenesHaveHalfOfTheMemory)
{
    auto limited = config();
    Services probe(limited, registry);
    probe.start();
    const auto bytes = memory_bytes(*probe.scenes.load(imported(probe, "bar.obj")).value());
    probe.stop(std::chrono::milliseconds(0));
    prometheus::Registry other;
    limited.data = folder() / "limited";
    limited.scene_bytes = 5 * bytes;
    Services services(limited, other);
    services.start();
    const auto character = imported(services, "bar.obj"), bystander = imported(services, "bar2.obj");
    const auto scene = services.scenes.load(bystander).value();
    std::vector<SharedScene> copies;
    for (int i = 0; i < 6; ++i) {
        auto layers = std::make_shared<scene::AnimationLayers>();
        layers->layers.push_back({.clip = 0, .repeats = false});
        layers->key = std::to_string(i);
        copies.push_back(services.scenes.load(with_changes({.base = character, .baked = layers})).value());
    }
    EXPECT_EQ(services.scenes.load(bystander).value(), scene) << "it was not displaced";
    EXPECT_LE(services.metrics.scene_bytes.Value(), static_cast<double>(5 * bytes));
}

// Each model of a lineup may be a copy with changes of its own.
TEST_F(FittedClips, AndLineupsEndAtTheFirstModelThatIsTooMuch)
{
    auto small = config();
    small.scene_bytes = 1;
    Services services(small, registry);
    services.start();
    const auto model = imported(services, "bar.obj");
    auto missing = model;
    missing.format.clear(); // loading it fails with another error
    const auto all = with_changes({.base = model, .lineup = {.assets = {{model}, {missing}}}});
    const auto made = services.scenes.load(all);
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, "limit_exceeded") << "the second model was not loaded";
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
