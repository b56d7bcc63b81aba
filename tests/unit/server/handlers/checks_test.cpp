// GET .../checks and the facets of clips.

#include <gtest/gtest.h>

#include "tests/unit/server/handlers/fixture.hpp"

namespace vitrine::server::testing {
namespace {

class ChecksTest : public HandlerTest {};

TEST_F(ChecksTest, FindingsOfAProfileHaveAnEntityTag)
{
    const auto id = imported("bar.obj");
    const auto found = get("/v1/assets/" + id + "/checks");
    ASSERT_EQ(found.status(), 200);
    EXPECT_EQ(found.json().at("profile"), "default");
    EXPECT_TRUE(found.json().at("items").is_array());
    const auto tag = found.header("ETag");
    EXPECT_EQ(get("/v1/assets/" + id + "/checks", {{"If-None-Match", tag}}).status(), 304);
    const auto mobile = get("/v1/assets/" + id + "/checks?profile=mobile", {{"If-None-Match", tag}});
    EXPECT_EQ(mobile.status(), 200) << "another profile is another resource";
    EXPECT_EQ(mobile.json().at("profile"), "mobile");
    EXPECT_EQ(get("/v1/assets/" + id + "/checks").json(), found.json()) << "from the cache";
}

TEST_F(ChecksTest, UnknownProfilesAreRejected)
{
    const auto id = imported("bar.obj");
    const auto rejected = get("/v1/assets/" + id + "/checks?profile=phone");
    EXPECT_EQ(rejected.status(), 400);
    EXPECT_EQ(rejected.code(), "bad_query");
    EXPECT_EQ(get("/v1/assets/as_none/checks").status(), 404);
}

TEST_F(ChecksTest, FacetsOfClipsFilterTheList)
{
    imported("bar.obj");
    const auto count = [&](const std::string& query) {
        const auto page = get("/v1/assets?" + query);
        EXPECT_EQ(page.status(), 200) << query;
        return page.json().at("items").as_array().size();
    };
    const auto in_place = count("inPlace=true"), moving = count("inPlace=false");
    EXPECT_EQ(in_place + moving, 1u) << "the only clip is one of both";
    EXPECT_EQ(count("loops=true") + count("loops=false"), 1u);
    EXPECT_EQ(count("speed.min=1000"), 0u);
    EXPECT_EQ(count("speed.max=1000"), 1u);
    EXPECT_EQ(get("/v1/assets?speed.min=-1").status(), 400);
    EXPECT_EQ(get("/v1/assets?loops=maybe").status(), 400);
}

std::shared_ptr<const scene::CheckProfile> no_joints()
{
    auto profile = scene::default_profile();
    profile.name = "no-joints";
    profile.setting(scene::Rule::model_joints).limit = 0.0;
    return std::make_shared<const scene::CheckProfile>(std::move(profile));
}

class MarkingGate : public HandlerTest {
protected:
    MarkingGate() : HandlerTest(true, [](ServicesConfig& config) { config.importer.gate = {no_joints()}; }) {}
};

TEST_F(MarkingGate, FindingsAreWarningsOfTheAsset)
{
    const auto id = imported("bar.obj");
    const auto warnings = get("/v1/assets/" + id + "/warnings").json().at("items").as_array();
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_EQ(warnings[0].at("code"), "model.joints");
    EXPECT_EQ(warnings[0].at("where"), "/counts/joints");
    EXPECT_EQ(get("/v1/assets/" + id + "/checks").json().at("profile"), "no-joints") << "the default now";
    EXPECT_EQ(get("/v1/assets/" + id + "/checks?profile=default").json().at("profile"), "default");
}

class RejectingGate : public HandlerTest {
protected:
    RejectingGate()
        : HandlerTest(
              true, [](ServicesConfig& config) { config.importer.gate = {no_joints(), GateAction::reject}; })
    {
    }
};

TEST_F(RejectingGate, ImportsFail)
{
    const auto created = upload(services, "bar.obj");
    EXPECT_EQ(wait_for(services, created.job.id).state, JobState::failed);
    const auto asset = get("/v1/assets/" + created.asset.id).json();
    EXPECT_EQ(asset.at("status"), "failed");
    EXPECT_EQ(asset.at("problem").at("code"), "check_failed");
    EXPECT_EQ(asset.at("problem").at("where"), "/counts/joints");
}

std::shared_ptr<const scene::CheckProfile> one_clip()
{
    auto profile = scene::default_profile();
    profile.name = "one-clip";
    auto& clips = profile.setting(scene::Rule::model_clips);
    clips.severity = scene::Severity::error;
    clips.limit = 1.0;
    return std::make_shared<const scene::CheckProfile>(std::move(profile));
}

class RejectingClips : public HandlerTest {
protected:
    RejectingClips()
        : HandlerTest(true,
                      [](ServicesConfig& config) { config.importer.gate = {one_clip(), GateAction::reject}; })
    {
    }
};

TEST_F(RejectingClips, ClipsOfTheUserAreNotJudged)
{
    const auto id = imported("bar.obj");
    const std::string cut =
        R"({"name": "cut", "clip": "c0", "firstFrame": 0, "lastFrame": 2, "frameRate": 30})";
    ASSERT_EQ(ask(Method::patch, "/v1/assets/" + id + "/clips", {}, {cut}, cut.size()).status(), 200);
    const auto again = ask(Method::post, "/v1/assets/" + id + "/reimport");
    ASSERT_EQ(again.status(), 202);
    const std::string job(again.json().at("id").as_string());
    EXPECT_EQ(wait_for(services, job).state, JobState::succeeded);
    EXPECT_EQ(get("/v1/assets/" + id).json().at("counts").at("clips"), 2);
}

} // namespace
} // namespace vitrine::server::testing
