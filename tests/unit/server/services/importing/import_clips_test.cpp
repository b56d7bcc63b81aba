// User clips that a request changes during a reimport of the same asset are kept.

#include <boost/json/parse.hpp>

#include "server/services/clip_editor.hpp"
#include "tests/unit/server/services/importing/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class ReimportTest : public ImportTest {
protected:
    ReimportTest() : services_(with_hook(), registry), created_(upload(services_, "bar.obj"))
    {
        services_.start();
        wait_for(services_, created_.job.id);
        cut("first");
    }

    AssetRecord asset() { return services_.catalog.find_asset(created_.asset.id).value(); }
    // As a request does.
    void cut(const std::string& name)
    {
        const auto scene = services_.scenes.load(asset()).value();
        auto clips = api::parse_user_clips(asset().user_clips);
        clips.push_back({.name = name, .clip = 0, .first_frame = 0, .last_frame = 1, .frame_rate = 1.0});
        const auto changed = set_user_clips(services_, asset(), scene, clips, "");
        ASSERT_TRUE(changed) << changed.error().detail;
    }
    JobRecord reimport()
    {
        const auto again = services_.catalog.reimport_asset(created_.asset.id).value();
        return wait_for(services_, again.job.id);
    }
    static std::vector<std::string> names(const scene::Scene& scene)
    {
        std::vector<std::string> names;
        for (const auto& clip : scene.clips)
            names.push_back(clip.name);
        return names;
    }
    std::vector<std::string> names_of_document()
    {
        std::vector<std::string> names;
        const auto text = services_.catalog.find_document(created_.asset.id, 1, AssetDocument::clips);
        for (const auto& clip : boost::json::parse(text.value()).at("items").as_array())
            names.emplace_back(clip.at("name").as_string());
        return names;
    }
    // In the catalog, its documents and the scene, in memory and on disk.
    void expect_clips(const std::vector<std::string>& wanted)
    {
        EXPECT_EQ(names_of_document(), wanted);
        EXPECT_EQ(asset().counts.clips, wanted.size());
        EXPECT_EQ(names(*services_.scenes.load(asset()).value()), wanted);
        SceneStore fresh(services_.catalog, *services_.blobs, services_.derived, {}, 1, services_.metrics);
        EXPECT_EQ(names(*fresh.load(asset()).value()), wanted);
        const auto bounds = services_.catalog.find_document(created_.asset.id, 1, AssetDocument::bounds);
        EXPECT_EQ(boost::json::parse(bounds.value()).at("clips").as_array().size(), wanted.size());
    }

    std::function<void()> during_load_; // in the loader, on the thread of the import

private:
    ServicesConfig with_hook()
    {
        auto made = config();
        made.load_scene = [this](const auto&, const std::string& main_name, const auto&) {
            if (during_load_) during_load_();
            return loader.load(main_name);
        };
        return made;
    }

protected:
    Services services_;
    Created created_;
};

TEST_F(ReimportTest, KeepsClipsThatAreCutDuringTheLoad)
{
    const auto file_clip = names_of_document().front();
    during_load_ = [this] { cut("second"); };
    EXPECT_EQ(reimport().state, JobState::succeeded);
    expect_clips({file_clip, "first", "second"});
}

TEST_F(ReimportTest, KeepsClipsThatAreCutBeforeTheBoundsAreStored)
{
    const auto file_clip = names_of_document().front();
    std::atomic<bool> is_loaded = false;
    const auto subscription = services_.events.subscribe(std::nullopt, [&] {
        if (is_loaded.exchange(false)) cut("second"); // soon after the event "asset.metadata"
    });
    during_load_ = [&] {
        take_all(services_, *subscription.value());
        is_loaded = true;
    };
    EXPECT_EQ(reimport().state, JobState::succeeded);
    EXPECT_TRUE(test::eventually([&] { return names_of_document().size() == 3; }));
    expect_clips({file_clip, "first", "second"});
}

TEST_F(ReimportTest, KeepsClipsWhenItIsCancelled)
{
    const auto file_clip = names_of_document().front();
    during_load_ = [this] {
        cut("second");
        ASSERT_TRUE(services_.catalog.cancel_job(asset().job));
    };
    EXPECT_EQ(reimport().state, JobState::cancelled);
    expect_clips({file_clip, "first", "second"});
}

TEST_F(ReimportTest, KeepsTheRemovalOfClips)
{
    const auto file_clip = names_of_document().front();
    during_load_ = [this] {
        const auto scene = services_.scenes.load(asset()).value();
        ASSERT_TRUE(set_user_clips(services_, asset(), scene, {}, ""));
    };
    EXPECT_EQ(reimport().state, JobState::succeeded);
    expect_clips({file_clip});
}

} // namespace
} // namespace vitrine::server::testing
