// `vitrine import` of single files and folders against a real server.

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/cli/program.hpp"
#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

using testing::ElementsAre;

class ImportCommand : public CliTest {
protected:
    ImportCommand() { std::filesystem::create_directories(folder_ / "models" / "robot"); }

    // Of the one asset that it makes.
    std::string import(const std::string& path)
    {
        const auto outcome =
            run({"import", "--server", fmt::format("http://127.0.0.1:{}", server_.port()), path});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out.substr(0, outcome.out.find(' '));
    }
    boost::json::value asset(const std::string& id) { return get(server_.port(), "/v1/assets/" + id).json(); }
    std::vector<std::string> files_of(const std::string& id)
    {
        std::vector<std::string> names;
        for (const auto& file :
             get(server_.port(), "/v1/assets/" + id + "/files").json().at("items").as_array())
            names.emplace_back(file.at("name").as_string());
        std::ranges::sort(names);
        return names;
    }

private:
    ServerProcess server_{folder_ / "data"};
};

} // namespace

TEST_F(ImportCommand, AModelTakesAlongWhatItRefersToAndNothingElse)
{
    write("models/table.obj",
          "mtllib wood.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nusemtl oak\nf 1/1 2/1 3/1\n");
    write("models/wood.mtl", "newmtl oak\nmap_Kd oak.tga\n");
    const std::string tga("\0\0\2\0\0\0\0\0\0\0\0\0\1\0\1\0\x18\0\x10\x60\xa0", 21);
    write("models/oak.tga", tga);
    write("models/holiday.tga", tga);
    write("models/diary.txt", "nobody's business");
    const auto id = import((folder_ / "models" / "table.obj").string());
    EXPECT_THAT(files_of(id), ElementsAre("oak.tga", "table.obj", "wood.mtl"));
    EXPECT_EQ(asset(id).at_pointer("/counts/images").to_number<int>(), 1);
}

TEST_F(ImportCommand, AFolderKeepsItsName)
{
    for (const auto& file : robot_md5())
        write("models/robot/" + file.name, file.bytes);
    const auto id = import((folder_ / "models" / "robot" / "").string());
    EXPECT_THAT(files_of(id), testing::Each(testing::StartsWith("robot/")));
    EXPECT_GT(asset(id).at_pointer("/counts/clips").to_number<int>(), 0);
}

} // namespace vitrine::test
