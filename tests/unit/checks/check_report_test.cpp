// Findings as JSON, SARIF, JUnit and text.

#include "api/check_report.hpp"

#include <set>
#include <string>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace vitrine::api {
namespace {

namespace json = boost::json;
using scene::Finding;
using scene::Rule;
using scene::Severity;
using testing::HasSubstr;
using testing::Not;

std::vector<CheckedModel> some_models()
{
    return {
        {.name = "models/a <b>.glb",
         .findings =
             {{Rule::clip_frozen, Severity::warning, "/clips/3", 31.0, {}, "the clip 'a & b' is frozen"},
              {Rule::clip_frozen, Severity::warning, "/clips/4", 31.0, {}, "another"},
              {Rule::model_triangles, Severity::error, "/counts/triangles", 9.0, 5.0, "too many"},
              {Rule::clip_redundant_keys, Severity::note, "/clips/3", 2.0, 0.0, "two keys"},
              {Rule::name_clip, Severity::error, "/clips/0", std::string("x"), std::string("y"), "name"}}},
        {.name = "clean.fbx"},
        {.name = "/tmp/bad.obj", .failure_code = "malformed", .failure = "line 3: no number"}};
}

TEST(CheckReport, Json)
{
    const auto report = check_json("default", some_models());
    EXPECT_EQ(report.at("profile"), "default");
    const auto& files = report.at("files").as_array();
    ASSERT_EQ(files.size(), 3u);
    EXPECT_EQ(files[0].at("counts"), (json::object{{"error", 2}, {"warning", 2}, {"note", 1}}));
    EXPECT_EQ(files[0].at("items").at(0), (json::object{{"rule", "clip.frozen"},
                                                        {"severity", "warning"},
                                                        {"path", "/clips/3"},
                                                        {"value", 31.0},
                                                        {"limit", nullptr},
                                                        {"message", "the clip 'a & b' is frozen"}}));
    EXPECT_EQ(files[0].at("items").at(4).at("limit"), "y");
    EXPECT_TRUE(files[1].at("items").as_array().empty());
    EXPECT_EQ(files[2].at("problem").at("code"), "malformed");
}

// What sections 3.13 to 3.49 of the standard require of these members.
void expect_sarif_result(const json::object& result, const json::array& rules)
{
    static const std::set<std::string> levels{"none", "note", "warning", "error"};
    EXPECT_TRUE(levels.contains(std::string(result.at("level").as_string())));
    EXPECT_TRUE(result.at("message").at("text").is_string());
    const auto index = result.at("ruleIndex").to_number<std::size_t>();
    ASSERT_LT(index, rules.size());
    EXPECT_EQ(rules[index].at("id"), result.at("ruleId"));
    for (const auto& location : result.at("locations").as_array())
        EXPECT_TRUE(location.at("physicalLocation").at("artifactLocation").at("uri").is_string());
}

TEST(CheckReport, SarifHasWhatTheStandardRequires)
{
    const auto log = sarif_json("1.2.3", some_models());
    EXPECT_EQ(log.at("version"), "2.1.0");
    EXPECT_THAT(std::string(log.at("$schema").as_string()), HasSubstr("sarif-2.1.0"));
    ASSERT_EQ(log.at("runs").as_array().size(), 1u);
    const auto& run = log.at("runs").at(0).as_object();
    const auto& driver = run.at("tool").at("driver").as_object();
    EXPECT_EQ(driver.at("name"), "vitrine");
    const auto& rules = driver.at("rules").as_array();
    std::set<std::string> ids;
    for (const auto& rule : rules) {
        EXPECT_TRUE(ids.insert(std::string(rule.at("id").as_string())).second) << "ids are unique";
        EXPECT_FALSE(rule.at("shortDescription").at("text").as_string().empty());
    }
    const auto& results = run.at("results").as_array();
    ASSERT_EQ(results.size(), 5u);
    for (const auto& result : results)
        expect_sarif_result(result.as_object(), rules);
    const auto& place = results[0].at("locations").at(0);
    EXPECT_EQ(place.at("physicalLocation").at("artifactLocation").at("uri"), "models/a%20%3Cb%3E.glb");
    EXPECT_EQ(place.at("logicalLocations").at(0).at("fullyQualifiedName"), "/clips/3");
    const auto& invocation = run.at("invocations").at(0).as_object();
    EXPECT_EQ(invocation.at("executionSuccessful"), false);
    const auto& notification = invocation.at("toolExecutionNotifications").at(0);
    EXPECT_EQ(notification.at("message").at("text"), "line 3: no number");
    EXPECT_EQ(notification.at("locations").at(0).at("physicalLocation").at("artifactLocation").at("uri"),
              "file:///tmp/bad.obj");
}

TEST(CheckReport, JUnit)
{
    const auto text = junit_text(some_models(), scene::Severity::warning);
    EXPECT_TRUE(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites"));
    EXPECT_THAT(
        text,
        HasSubstr("<testsuite name=\"models/a &lt;b&gt;.glb\" tests=\"3\" failures=\"3\" errors=\"0\">"));
    EXPECT_THAT(text, HasSubstr("<failure message=\"the clip 'a &amp; b' is frozen\" type=\"clip.frozen\">"
                                "/clips/3: the clip 'a &amp; b' is frozen\n/clips/4: another\n</failure>"));
    EXPECT_THAT(text, HasSubstr("<testcase classname=\"clean.fbx\" name=\"check\"/>"));
    EXPECT_THAT(text, HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\""));
    EXPECT_THAT(text, HasSubstr("<error message=\"line 3: no number\" type=\"load\">malformed</error>"));
    EXPECT_THAT(text, Not(HasSubstr("redundant"))) << "a note is no failure";
}

TEST(CheckReport, TextHasNotesOnlyOnDemand)
{
    const auto text = check_text(some_models(), scene::Severity::warning);
    EXPECT_THAT(text, HasSubstr("models/a <b>.glb: error model.triangles: too many\n"));
    EXPECT_THAT(text, Not(HasSubstr("note")));
    EXPECT_THAT(text, Not(HasSubstr("clean.fbx")));
    EXPECT_THAT(check_text(some_models(), scene::Severity::note),
                HasSubstr("note clip.redundant-keys: two keys\n"));
}

} // namespace
} // namespace vitrine::api
