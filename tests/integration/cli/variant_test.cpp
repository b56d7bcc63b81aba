// `--variant NAME` of the commands that render or write a model.

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

#include "tests/integration/cli/program.hpp"
#include "tests/support/variant_triangle.hpp"

namespace json = boost::json;

namespace {

class CliVariant : public vitrine::test::CliTest {
protected:
    // Returns the name of the material at the center of the image.
    std::string material_shown(std::vector<std::string> options)
    {
        std::vector<std::string> arguments{"render", file_,    "--gpu", "software", "--view",
                                           "front",  "--pick", "32,40", "--size",   "64x64"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        const auto outcome = run(arguments);
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return std::string(json::parse(outcome.out).at_pointer("/hit/material/name").as_string());
    }
    json::value inspect(const std::string& file) { return json::parse(run({"inspect", file}).out); }

    const std::string file_ = write("v.gltf", vitrine::test::variant_triangle);
};

TEST_F(CliVariant, NamesAreListed)
{
    const auto found = inspect(file_);
    EXPECT_EQ(found.at("variants"), json::parse(R"(["Red","Green","Plain"])"));
    EXPECT_EQ(found.at("warnings").as_array().size(), 0u);
    EXPECT_EQ(inspect(write("p.obj", vitrine::test::pyramid)).at("variants").as_array().size(), 0u);
}

TEST_F(CliVariant, SelectsTheMaterialsOfAnImage)
{
    EXPECT_EQ(material_shown({}), "red");
    EXPECT_EQ(material_shown({"--variant", "Green"}), "green");
    EXPECT_EQ(material_shown({"--variant", "Red"}), "red");
    EXPECT_EQ(material_shown({"--variant", "Plain"}), "red");
    EXPECT_EQ(material_shown({"--variant", "1"}), "green");
}

TEST_F(CliVariant, ConvertKeepsAllVariantsOrTheSelectedOne)
{
    const auto all = (folder_ / "all.glb").string(), green = (folder_ / "green.glb").string();
    ASSERT_EQ(run({"convert", file_, all}).exit_code, 0);
    EXPECT_EQ(inspect(all).at("variants"), inspect(file_).at("variants"));
    ASSERT_EQ(run({"convert", file_, green, "--variant", "Green"}).exit_code, 0);
    EXPECT_EQ(inspect(green).at("variants").as_array().size(), 0u);
    const auto shown =
        run({"render", green, "--gpu", "software", "--view", "front", "--pick", "32,40", "--size", "64x64"});
    EXPECT_EQ(json::parse(shown.out).at_pointer("/hit/material/name"), "green");
}

TEST_F(CliVariant, RejectsAnUnknownVariant)
{
    const auto out = (folder_ / "out").string();
    const std::vector<std::vector<std::string>> commands{{"render", file_, "-o", out + ".png"},
                                                         {"bake", file_, "-o", out + ".obj"},
                                                         {"pose", file_},
                                                         {"convert", file_, out + ".glb"}};
    for (auto command : commands) {
        auto known = command;
        known.insert(known.end(), {"--variant", "Green"});
        if (command[0] != "render") EXPECT_EQ(run(known).exit_code, 0) << command[0];
        command.insert(command.end(), {"--variant", "Blue"});
        const auto rejected = run(command);
        EXPECT_EQ(rejected.exit_code, 1) << command[0];
        EXPECT_EQ(rejected.err,
                  "vitrine: " + file_ +
                      ": there is no material variant 'Blue' among 3: 'Red', 'Green', 'Plain'\n");
        EXPECT_EQ(rejected.out, "");
    }
}

} // namespace
