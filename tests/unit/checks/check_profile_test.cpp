// Profiles of checks as JSON: what they mean, and one sentence for each mistake.

#include "api/check_profile.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/json_reader.hpp"

namespace vitrine::api {
namespace {

using scene::NamedKind;
using scene::Rule;
using scene::Severity;
using testing::HasSubstr;

std::string error_of(std::string_view text)
{
    const auto profile = parse_check_profile(text);
    return profile ? "accepted" : profile.error();
}

TEST(CheckProfileText, SetsWhatItNames)
{
    const auto profile = parse_check_profile(R"({
        "name": "ours", "description": "for us", "extends": "mobile",
        "rules": {"clip.scale-keys": "off", "clip.foot-slide": {"severity": "error", "limit": 0.1}},
        "budgets": {"triangles": 1200, "textureSide": 512},
        "names": {"clips": "(walk|run)_.*", "materials": "M_[a-z]+"},
        "space": {"upAxis": "Z", "unitMetres": 0.01, "minSize": 1, "maxSize": 3},
        "required": {"joints": ["hips"], "clips": ["idle"]},
        "clips": [{"name": "walk.*", "loops": true, "inPlace": false, "minSpeed": 1, "maxSpeed": 2,
                   "minSeconds": 0.5, "maxSeconds": 4, "frameRate": 30, "joints": ["hips"],
                   "durationSpread": 0.05, "phaseSpread": 0.1}]})");
    ASSERT_TRUE(profile) << profile.error();
    EXPECT_EQ(profile->name, "ours");
    EXPECT_EQ(profile->description, "for us");
    EXPECT_EQ(profile->setting(Rule::clip_scale_keys).severity, Severity::off);
    EXPECT_EQ(profile->setting(Rule::clip_foot_slide).severity, Severity::error);
    EXPECT_EQ(profile->setting(Rule::clip_foot_slide).limit, 0.1);
    EXPECT_EQ(profile->setting(Rule::model_triangles).limit, 1200);
    EXPECT_EQ(profile->setting(Rule::texture_side).limit, 512);
    EXPECT_EQ(profile->setting(Rule::model_joints).limit, 64) << "of the profile that it extends";
    const auto& clips = profile->names[static_cast<std::size_t>(NamedKind::clip)];
    EXPECT_TRUE(clips->matches("walk_slow"));
    EXPECT_FALSE(clips->matches("a walk_slow")) << "the whole name";
    EXPECT_EQ(profile->up_axis, "Z");
    EXPECT_EQ(profile->unit_meters, 0.01);
    EXPECT_EQ(profile->size.max, 3.0);
    EXPECT_EQ(profile->joints.at(0), "hips");
    EXPECT_EQ(profile->clips.at(0), "idle");
    const auto& demand = profile->clip_demands.at(0);
    EXPECT_TRUE(demand.clips.matches("walking"));
    EXPECT_EQ(demand.loops, true);
    EXPECT_EQ(demand.in_place, false);
    EXPECT_EQ(demand.speed.max, 2.0);
    EXPECT_EQ(demand.seconds.min, 0.5);
    EXPECT_EQ(demand.frame_rate, 30.0);
    EXPECT_EQ(demand.joints.at(0), "hips");
    EXPECT_TRUE(demand.duration_spread == 0.05 && demand.phase_spread == 0.1);
    EXPECT_NE(profile->revision, parse_check_profile("{}")->revision);
}

TEST(CheckProfileText, MistakesAreOneSentenceWithAPlace)
{
    const std::pair<std::string_view, std::string_view> rows[] = {
        {"", "line 1, column 1: is not valid JSON"},
        {"{\n  \"name\": }", "line 2, column 11: is not valid JSON"},
        {"{} x", "line 1, column 4: is not valid JSON"},
        {"[]", "the profile: must be an object"},
        {R"({"nmae": "x"})", "/nmae: is no member of a profile here"},
        {R"({"name": 3})", "/name: must be a string"},
        {R"({"extends": "handheld"})",
         "/extends: there is no profile 'handheld'; the profiles are default, game-"},
        {R"({"rules": {"clip.x": "off"}})", "/rules/clip.x: there is no such rule"},
        {R"({"rules": {"a/b~c": "off"}})", "/rules/a~1b~0c: there is no such rule"},
        {R"({"rules": {"clip.frozen": "bad"}})",
         "/rules/clip.frozen: must be one of off, note, warning, error"},
        {R"({"rules": {"clip.frozen": 3}})", "/rules/clip.frozen: must be a severity or an object"},
        {R"({"rules": {"clip.frozen": {"limit": 3}}})", "/rules/clip.frozen/limit: this rule has no limit"},
        {R"({"rules": {"clip.frozen": {"level": 3}}})", "/rules/clip.frozen/level: is no member"},
        {R"({"budgets": {"triangles": -1}})", "/budgets/triangles: must be a number of at least 0"},
        {R"({"budgets": {"triangles": 1e999}})", "/budgets/triangles: must be a number"},
        {R"({"budgets": {"bones": 1}})", "/budgets/bones: is no member of a profile here"},
        {R"({"budgets": 7})", "/budgets: must be an object"},
        {R"({"names": {"clips": "(a"}})", "/names/clips: is no regular expression: missing )"},
        {R"({"names": {"clips": "a{1000}{1000}"}})", "/names/clips: is"},
        {R"({"names": {"clips": "(a)\\1"}})", "/names/clips: is no regular expression: "},
        {R"({"space": {"upAxis": "up"}})", "/space/upAxis: must be one of X, -X, Y, -Y, Z, -Z"},
        {R"({"required": {"joints": "hips"}})", "/required/joints: must be an array"},
        {R"({"required": {"joints": ["hips", 4]}})", "/required/joints/1: must be a string"},
        {R"({"clips": [{"loops": true}]})", "/clips/0: has no name"},
        {R"({"clips": [{"name": "a", "loops": 1}]})", "/clips/0/loops: must be true or false"},
    };
    for (const auto& [text, words] : rows) {
        const auto error = error_of(text);
        EXPECT_THAT(error, HasSubstr(words)) << text;
        EXPECT_EQ(error.find('\n'), std::string::npos) << text;
        EXPECT_LT(error.size(), 400u) << text;
    }
}

TEST(JsonReader, KeepsTheFirstMistake)
{
    const auto document = parse_json(R"({"a/b": [1, "x", -2]})").value();
    const JsonPlace root{document, ""};
    JsonReader reader;
    const auto list = root.member("a/b", document.at("a/b"));
    EXPECT_EQ(reader.number(list.element(0, document.at("a/b").at(0))), 1.0);
    EXPECT_FALSE(reader.has_failed());
    reader.number(list.element(2, document.at("a/b").at(2)));
    reader.flag(root);
    EXPECT_EQ(reader.error(), "/a~1b/2: must be a number of at least 0");
}

TEST(CheckProfileText, SizesAreLimited)
{
    EXPECT_THAT(error_of(std::string(max_profile_bytes + 1, ' ')),
                HasSubstr("must have at most 65536 bytes"));
    EXPECT_THAT(error_of(std::string(60'000, '[')), HasSubstr("is not valid JSON"));
    const std::string long_pattern(1001, 'a');
    EXPECT_THAT(error_of(R"({"names": {"clips": ")" + long_pattern + "\"}}"), HasSubstr("/names/clips: "));
    std::string demands = R"({"name": "a"})";
    for (int i = 0; i < 100; ++i)
        demands += R"(,{"name": "a"})";
    EXPECT_THAT(error_of("{\"clips\": [" + demands + "]}"),
                HasSubstr("/clips: must have at most 100 elements"));
}

TEST(CheckProfileText, HostilePatternsMatchInLinearTime)
{
    const auto profile = parse_check_profile(
        R"({"names": {"nodes": "(a*)*b", "joints": "(a|aa)+$x", "meshes": "(.*){10}(a|b)*c", "clips": "(x+x+)+y"}})");
    ASSERT_TRUE(profile) << profile.error();
    const std::string name(1'000'000, 'a'); // with quadratic time the test would reach its time limit
    for (const auto& pattern : profile->names)
        if (pattern) EXPECT_FALSE(pattern->matches(name)) << pattern->text;
}

} // namespace
} // namespace vitrine::api
