// Responses of assets whose stored facts an older version of the code has made.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/fixture.hpp"
#include "tests/unit/server/services/support/database.hpp"

namespace vitrine::server::testing {
namespace {

void refresh_nothing(ServicesConfig& config)
{
    config.importer.queued_refreshes = 0;
    config.scene_bytes = 0; // one scene is kept
}

class StaleFactsTest : public HandlerTest {
protected:
    StaleFactsTest() : HandlerTest(true, refresh_nothing) {}

    void execute(const std::string& statement) { execute_sql(folder() / "data/catalog.sqlite", statement); }
    // As an older version has left the asset: with other joints than its file has now.
    void age()
    {
        age_facts(folder() / "data/catalog.sqlite");
        execute(R"(UPDATE documents SET json = '{"joints":[{"name":"old"}]}' WHERE kind = 'skeleton')");
        execute(R"(UPDATE documents SET json = '{"items":[]}' WHERE kind = 'clips')");
        forget_responses();
    }
    // Kept responses are not those of a database that something else has changed.
    void forget_responses()
    {
        EXPECT_TRUE(services.catalog.change_asset(bar, {.name = "bar", .if_match = ""}));
    }
    std::string path(std::string_view rest) const { return "/v1/assets/" + bar + std::string(rest); }
    boost::json::value read(std::string_view rest)
    {
        const auto answered = get(path(rest));
        EXPECT_EQ(answered.status(), 200) << rest;
        return answered.json();
    }
    static void expect_stale(const boost::json::value& value)
    {
        ASSERT_TRUE(value.as_object().contains("facts")) << value;
        EXPECT_EQ(value.at("facts").at("current"), false);
        EXPECT_EQ(value.at("facts").at("version"), 0);
    }

    std::string bar = imported("bar.obj");
};

TEST_F(StaleFactsTest, CurrentFactsAreNotMarked)
{
    for (const char* rest : {"", "/skeleton", "/clips", "/bounds", "/warnings", "/materials"})
        EXPECT_FALSE(read(rest).as_object().contains("facts")) << rest;
}

TEST_F(StaleFactsTest, SkeletonAndClipsAreThoseOfThePoses)
{
    const auto skeleton = read("/skeleton"), clips = read("/clips"), materials = read("/materials");
    age();
    EXPECT_EQ(read("/skeleton"), skeleton);
    EXPECT_EQ(read("/clips"), clips);
    EXPECT_EQ(read("/materials"), materials);
    const auto tag = get(path("/skeleton")).header("ETag");
    EXPECT_EQ(get(path("/skeleton"), {{"If-None-Match", tag}}).status(), 304);
    EXPECT_NE(tag.find("." + std::to_string(api::facts_version) + "-"), std::string::npos)
        << "other code, other entity tag: " << tag;
}

TEST_F(StaleFactsTest, OtherFactsSayThatTheyAreOld)
{
    age();
    expect_stale(read(""));
    expect_stale(read("/bounds"));
    expect_stale(read("/warnings"));
    EXPECT_TRUE(read("/warnings").at("items").is_array());
    expect_stale(get("/v1/assets").json().at("items").at(0));
    const std::string metrics(body_bytes(get("/metrics").response.body).value());
    EXPECT_NE(metrics.find("vitrine_stale_assets 1\n"), std::string::npos);
    EXPECT_NE(metrics.find("vitrine_refreshes_waiting 1\n"), std::string::npos);
}

// Poses cannot be had either.
TEST_F(StaleFactsTest, FileThatFailsAnswersWithTheOldSkeleton)
{
    age();
    execute("UPDATE versions SET main_file = 'bad.obj' WHERE asset = '" + bar + "'");
    forget_responses();
    imported("cube.obj"); // displaces the scene
    std::filesystem::remove_all(folder() / "data/derived");
    EXPECT_EQ(get(path("/clips/0/pose?t=0")).status(), 422);
    const auto skeleton = read("/skeleton");
    expect_stale(skeleton);
    EXPECT_EQ(skeleton.at("joints").at(0).at("name"), "old");
    expect_stale(read("/clips"));
    EXPECT_EQ(read("").at("status"), "ready");
}

TEST_F(StaleFactsTest, NewClipsReplaceAllFacts)
{
    age();
    execute(
        R"(UPDATE documents SET json = '{"static":{"min":[9,9,9],"max":[9,9,9]},"clips":[]}' WHERE kind = 'bounds')");
    const auto changed = ask(Method::patch, path("/clips"), {{"Content-Type", "application/json"}},
                             {R"({"name":"cut","clip":"c0","firstFrame":0,"lastFrame":5})"});
    ASSERT_EQ(changed.status(), 200) << body_bytes(changed.response.body).value();
    EXPECT_FALSE(read("").as_object().contains("facts"));
    EXPECT_EQ(read("/bounds").at("clips").as_array().size(), read("/clips").at("items").as_array().size());
}

TEST_F(StaleFactsTest, JobsAreListed)
{
    EXPECT_EQ(get("/v1/jobs").json().at("items").as_array().size(), 1u);
    const auto imports = get("/v1/jobs?kind=import&state=succeeded&limit=500").json();
    EXPECT_EQ(imports.at("items").at(0).at("asset").as_string(), bar);
    EXPECT_EQ(get("/v1/jobs?kind=refresh").json().at("items").as_array().size(), 0u);
    for (const char* wrong : {"kind=other", "state=done", "limit=0", "limit=501", "limit=-1", "order=x"})
        EXPECT_EQ(get("/v1/jobs?" + std::string(wrong)).status(), 400) << wrong;
}

} // namespace
} // namespace vitrine::server::testing
