// The JSON of assets, jobs, files and versions against the schemas of api/openapi.yaml, in both directions.

#include "api/resources.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include "api/openapi.hpp"
#include "api/scene_json.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::api {
namespace {

namespace json = boost::json;

using Names = std::set<std::string>;

json::object schema(const std::string& pointer)
{
    static const auto contract = json::parse(openapi_json());
    return contract.at_pointer("/components/schemas/" + pointer).as_object();
}

Names names_of(const json::object& object)
{
    Names names;
    for (const auto& member : object)
        names.insert(member.key());
    return names;
}

Names required_by(const json::object& described)
{
    Names names;
    for (const auto& name : described.at("required").as_array())
        names.insert(std::string(name.as_string()));
    return names;
}

// Names of one set that the other lacks.
Names missing_in(const Names& found, const Names& wanted)
{
    Names missing;
    std::ranges::set_difference(wanted, found, std::inserter(missing, missing.end()));
    return missing;
}

Asset imported_asset()
{
    const auto scene = test::skinned_bar();
    Asset asset;
    asset.id = "asset_1";
    asset.format = "glb";
    asset.counts = count_contents(scene);
    asset.summary = json::serialize(summary_json(scene, 0, 0));
    return asset;
}

} // namespace

TEST(Resources, ShowTheMembersOfTheirSchemas)
{
    const std::pair<std::string, json::object> values[]{
        {"Asset", to_json(imported_asset())},
        {"AssetRow", row_json(imported_asset())},
        {"Counts", to_json(Counts{})},
        {"ImportProblem", to_json(ImportProblem{})},
        {"Job", to_json(Job{})},
        {"SpriteManifest", to_json(SpriteManifest{})},
        {"Version", to_json(Version{})},
        {"FileList/properties/items/items", to_json(File{})},
    };
    for (const auto& [name, value] : values) {
        auto shown = names_of(value);
        // Facts of an older version, and what is shown if it is asked for.
        if (name.starts_with("Asset")) shown.insert({"facts", "role"});
        if (name == "AssetRow") shown.insert({"match", "favorite"}); // of searches, and if it is asked for
        const auto described = names_of(schema(name).at("properties").as_object());
        EXPECT_EQ(missing_in(described, shown), Names{})
            << "add to the schema " << name << " of api/openapi.yaml";
        EXPECT_EQ(missing_in(shown, described), Names{})
            << "add to visit_columns() in api/resources.hpp, or remove from the schema " << name;
    }
}

TEST(Resources, ShowTheRequiredMembersBeforeTheImport)
{
    EXPECT_EQ(names_of(to_json(Asset{})), required_by(schema("Asset")));
    EXPECT_EQ(names_of(row_json(Asset{})), required_by(schema("AssetRow")));
}

// The members that a row has are those of the asset.
TEST(Resources, RowsRepeatMembersOfTheAsset)
{
    const auto asset = to_json(imported_asset());
    for (const auto& member : row_json(imported_asset()))
        EXPECT_EQ(member.value(), asset.at(member.key())) << member.key();
    EXPECT_EQ(missing_in(names_of(row_json(imported_asset())), names_of(asset)),
              (Names{"attribution", "clips", "fileSpace", "generator", "links", "vrm"}));
}

// Timestamps and the number of a retry are integers in the catalog; only times are shown as text.
TEST(Resources, ShowValuesByTheirType)
{
    Job job;
    job.id = "job_1";
    job.state = JobState::running;
    job.progress = 0.5;
    job.attempts = 2;
    job.problem = ImportProblem{"truncated", "12", "ends early"};
    job.created = 1'795'110'245'123'456; // date -u -d @1795110245: 2026-11-19 17:44:05
    const json::value expected{
        {"id", "job_1"},
        {"kind", "import"},
        {"asset", ""},
        {"version", 1u},
        {"state", "running"},
        {"stage", "load"},
        {"progress", 0.5},
        {"attempts", 2u},
        {"priority", "interactive"},
        {"nextAttemptAt", nullptr},
        {"problem", {{"code", "truncated"}, {"where", "12"}, {"detail", "ends early"}}},
        {"createdAt", "2026-11-19T17:44:05.123Z"},
        {"startedAt", nullptr},
        {"finishedAt", nullptr}};
    EXPECT_EQ(json::value(to_json(job)), expected);
}

TEST(Resources, RowsOfClipsAreReadFromTheirList)
{
    const std::string list =
        R"({"items":[{"id":"c0","index":0,"name":"a \"]}[{","duration":1.5,"frameRate":30,"facts":{"x":[1,[2]]}},)"
        R"({"id":"c1","name":"\\"}, {}],"next":null,"other":[{"id":"c2"}]})";
    ListItems items(list);
    EXPECT_EQ(items.find(3), "");
    EXPECT_EQ(clip_row(items.find(0)),
              (json::object{
                  {"id", "c0"}, {"index", 0}, {"name", "a \"]}[{"}, {"duration", 1.5}, {"frameRate", 30}}));
    EXPECT_EQ(clip_row(items.find(1)), (json::object{{"id", "c1"}, {"name", "\\"}}));
    EXPECT_EQ(items.find(2), "{}");
    EXPECT_TRUE(clip_row(items.find(2)).empty());
    for (const auto* none :
         {"", "[]", "{}", R"({"items":[]})", R"({"items":[1,"{}"]})", R"({"items":[{"a":)"})
        EXPECT_EQ(ListItems(none).find(0), "") << none;
    EXPECT_TRUE(clip_row("").empty());
    EXPECT_TRUE(clip_row("[1]").empty());
    EXPECT_TRUE(clip_row("{").empty());
}

TEST(Resources, PendingThumbnailNamesTheStatusOfTheAsset)
{
    Asset asset;
    asset.status = AssetStatus::importing;
    EXPECT_EQ(json::parse(thumbnail_pending_text()), (json::value{{"status", to_json(asset).at("status")}}));
}

} // namespace vitrine::api
