// What validate() checks of the facts of a VRM file.

#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "loaders/scene/validation/name_limits.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::scene {
namespace {

struct BrokenFacts {
    const char* where;
    LoadErrc code;
    std::function<void(VrmFacts&)> harm;
};

std::vector<ExpressionWeight>& weights(VrmFacts& vrm)
{
    return vrm.expressions[0].weights;
}

} // namespace

TEST(ValidateVrm, RejectsBrokenFacts)
{
    using enum LoadErrc;
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [where, code, harm] : std::initializer_list<BrokenFacts>{
             {"/vrm", malformed, [](VrmFacts& vrm) { vrm.title = "\xFF"; }},
             {"/vrm", malformed, [](VrmFacts& vrm) { vrm.authors[1] = "\xFF"; }},
             {"/vrm", malformed, [](VrmFacts& vrm) { vrm.terms[0].value = "\xFF"; }},
             {"/vrm", malformed, [](VrmFacts& vrm) { vrm.expressions[0].name = "\xFF"; }},
             {"/vrm", limit_exceeded, [](VrmFacts& vrm) { vrm.authors.resize(max_vrm_entries + 1); }},
             {"/vrm", limit_exceeded, [](VrmFacts& vrm) { weights(vrm).resize(max_expression_weights + 1); }},
             {"/vrm/first_person/0", out_of_range, [](VrmFacts& vrm) { vrm.first_person[0].node = 4; }},
             {"/vrm/first_person/0", malformed,
              [](VrmFacts& vrm) { vrm.first_person[0].flag = static_cast<FirstPersonFlag>(4); }},
             {"/vrm/expressions/0", out_of_range, [](VrmFacts& vrm) { weights(vrm)[0].node = 4; }},
             {"/vrm/expressions/0", out_of_range, [](VrmFacts& vrm) { weights(vrm)[0].node = 0; }},
             {"/vrm/expressions/0", out_of_range, [](VrmFacts& vrm) { weights(vrm)[0].target = 1; }},
             {"/vrm/expressions/0", malformed, [=](VrmFacts& vrm) { weights(vrm)[0].weight = nan; }},
         }) {
        Scene scene = test::everything();
        harm(*scene.vrm);
        const auto result = validate(scene);
        ASSERT_FALSE(result) << where;
        EXPECT_EQ(result.error().where, where);
        EXPECT_EQ(result.error().code, code) << where << ": " << result.error().detail;
    }
}

TEST(ValidateVrm, TruncatesLongTexts)
{
    Scene scene = test::everything();
    scene.vrm->title = scene.vrm->terms[0].value = scene.vrm->expressions[0].name = std::string(5000, 'x');
    EXPECT_FALSE(check_names(scene));
    truncate_names(scene);
    EXPECT_TRUE(check_names(scene));
    EXPECT_EQ(scene.vrm->title.size(), max_name_bytes);
    EXPECT_EQ(scene.vrm->terms[0].value.size(), max_name_bytes);
}

} // namespace vitrine::scene
