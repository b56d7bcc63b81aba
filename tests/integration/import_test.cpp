// `vitrine import` of single files and folders against a real server.

#include <algorithm>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/integration/cli/program.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/support/zip_builder.hpp"

namespace vitrine::test {
namespace {

using testing::ElementsAre;

class ImportCommand : public CliTest {
protected:
    explicit ImportCommand(std::vector<std::string> flags = {}) : server_(folder_ / "data", std::move(flags))
    {
        std::filesystem::create_directories(folder_ / "models" / "robot");
    }

    // Returns the id of the only asset.
    std::string import(const std::string& path)
    {
        const auto outcome = run({"import", "--server", url(), path});
        EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
        return outcome.out.substr(0, outcome.out.find(' '));
    }
    std::string url() const { return fmt::format("http://127.0.0.1:{}", server_.port()); }
    std::size_t library_size(const Fields& fields = {})
    {
        return get(server_.port(), "/v1/assets", fields).json().at("items").as_array().size();
    }
    boost::json::value asset(const std::string& id) { return get(server_.port(), "/v1/assets/" + id).json(); }
    // Of the import of the asset.
    std::string priority_of(const std::string& id)
    {
        return text_at(get(server_.port(), "/v1/jobs?asset=" + id).json(), "/items/0/priority");
    }
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
    ServerProcess server_;
};

class ImportWithToken : public ImportCommand {
protected:
    ImportWithToken() : ImportCommand({"--token", "open-sesame"}) {}

    Outcome import_triangle(const std::vector<std::string>& options)
    {
        std::vector<std::string> words{"import", "--server", url()};
        words.insert(words.end(), options.begin(), options.end());
        words.push_back(write("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
        return run(words);
    }
};

} // namespace

TEST_F(ImportCommand, UploadsAModelWithOnlyItsReferences)
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
    EXPECT_EQ(priority_of(id), "interactive");
}

TEST_F(ImportCommand, FolderKeepsItsName)
{
    for (const auto& file : robot_md5())
        write("models/robot/" + file.name, file.bytes);
    const auto id = import((folder_ / "models" / "robot" / "").string());
    EXPECT_THAT(files_of(id), testing::Each(testing::StartsWith("robot/")));
    EXPECT_GT(asset(id).at_pointer("/counts/clips").to_number<int>(), 0);
    EXPECT_EQ(priority_of(id), "bulk");
}

// Uploads the zip unmodified; the server unpacks it.
TEST_F(ImportCommand, ZipIsUnpackedByTheServer)
{
    ZipBuilder zip;
    for (const auto& file : robot_md5())
        zip.add("robot/" + file.name, file.bytes);
    const auto id = import(write("my robots & more.zip", zip.bytes()));
    EXPECT_THAT(files_of(id), testing::Each(testing::StartsWith("robot/")));
    EXPECT_EQ(text_at(asset(id), "/format"), "md5");
    EXPECT_EQ(library_size(), 1u);
}

TEST_F(ImportCommand, RejectsAnInvalidZipByName)
{
    const auto path = write("no.zip", "this is no zip");
    const auto outcome = run({"import", "--server", url(), path});
    EXPECT_EQ(outcome.exit_code, 1);
    EXPECT_TRUE(outcome.err.starts_with("vitrine: " + path + ": ")) << outcome.err;
    EXPECT_EQ(library_size(), 0u);
}

TEST_F(ImportWithToken, TokenGivesAccess)
{
    const auto without = import_triangle({});
    EXPECT_EQ(without.exit_code, 1);
    EXPECT_NE(without.err.find("set --token or VITRINE_TOKEN"), std::string::npos) << without.err;
    EXPECT_EQ(import_triangle({"--token", "open-sesam"}).exit_code, 1);
    const Fields shown{{"Authorization", "Bearer open-sesame"}};
    EXPECT_EQ(library_size(shown), 0u);
    const auto with = import_triangle({"--token", "open-sesame"});
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_NE(with.out.find("  triangle  succeeded"), std::string::npos) << with.out;
    EXPECT_EQ(library_size(shown), 1u);
}

} // namespace vitrine::test
