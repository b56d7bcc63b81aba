// POST /mcp: resources and prompts.

#include <gmock/gmock.h>

#include "tests/unit/server/handlers/mcp_fixture.hpp"

namespace vitrine::server::testing {
namespace {

using ::testing::HasSubstr;

TEST_F(Mcp, ResourcesAreTheAssets)
{
    const auto list = call("resources/list").at("result");
    ASSERT_EQ(list.at("resources").as_array().size(), 1u);
    const auto uri = std::string(list.at_pointer("/resources/0/uri").as_string());
    EXPECT_EQ(uri, "vitrine://assets/" + bar);
    const auto content = call("resources/read", {{"uri", uri}}).at("result");
    EXPECT_EQ(content.at_pointer("/contents/0/text").as_string(), read("/v1/assets/" + bar));
    const auto image = call("resources/read", {{"uri", uri + "/thumbnail"}}).at("result");
    EXPECT_EQ(image.at_pointer("/contents/0/mimeType").as_string(), "image/webp");
    EXPECT_FALSE(image.at_pointer("/contents/0/blob").as_string().empty());
    for (const std::string wrong : {"", "file:///etc/passwd", "vitrine://assets/", "vitrine://assets/none",
                                    "vitrine://assets/%zz", "vitrine://assets/a/b/c"}) {
        const auto error = call("resources/read", {{"uri", wrong}}).at("error");
        EXPECT_EQ(error.at("code"), -32602) << wrong;
        EXPECT_EQ(error.at_pointer("/data/uri").as_string(), wrong);
    }
    for (const auto& entry :
         call("resources/templates/list").at_pointer("/result/resourceTemplates").as_array())
        EXPECT_THAT(std::string(entry.at("uriTemplate").as_string()), HasSubstr("{asset}"));
}

TEST_F(Mcp, PromptsTakeArguments)
{
    const auto prompts = call("prompts/list").at_pointer("/result/prompts").as_array();
    ASSERT_FALSE(prompts.empty());
    for (const auto& prompt : prompts) {
        const auto got =
            call("prompts/get", {{"name", prompt.at("name")}, {"arguments", json::object{{"asset", bar}}}});
        EXPECT_THAT(std::string(got.at_pointer("/result/messages/0/content/text").as_string()),
                    HasSubstr(bar));
    }
    EXPECT_EQ(call("prompts/get", {{"name", prompts[0].at("name")}}).at_pointer("/error/code"), -32602);
    EXPECT_EQ(call("prompts/get", {{"name", "none"}}).at_pointer("/error/code"), -32602);
    const json::object ref{{"type", "ref/prompt"}, {"name", prompts[0].at("name")}};
    const auto complete = [&](std::string_view name, std::string_view value) {
        return call("completion/complete",
                    {{"ref", ref}, {"argument", json::object{{"name", name}, {"value", value}}}})
            .at_pointer("/result/completion/values")
            .as_array();
    };
    EXPECT_EQ(complete("asset", "ba"), json::array({bar}));
    EXPECT_TRUE(complete("asset", "zebra").empty());
    EXPECT_TRUE(complete("profile", "").empty());
}

} // namespace
} // namespace vitrine::server::testing
