// The token of a data directory.

#include <fstream>
#include <set>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "server/util/token_file.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::server {

TEST(TokenFile, IsMadeOnceAndReadableByItsOwnerAlone)
{
    const test::TempDir folder;
    const auto root = folder.path() / "new" / "data";
    EXPECT_FALSE(find_token(root));
    const auto token = load_or_create_token(root);
    EXPECT_EQ(token.size(), 32u) << "192 bits in base64";
    EXPECT_EQ(token.find_first_of("+/= "), token.npos) << "it becomes part of a link";
    EXPECT_EQ(load_or_create_token(root), token);
    EXPECT_EQ(find_token(root), token);
    struct stat status{};
    ASSERT_EQ(::stat((root / "token").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u);
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(root))
        files += entry.path().filename().empty() ? 0 : 1;
    EXPECT_EQ(files, 1u) << "no temporary file is left";

    std::filesystem::remove(root / "token");
    EXPECT_NE(load_or_create_token(root), token);
}

TEST(TokenFile, StartsAtTheSameTimeAgree)
{
    const test::TempDir folder;
    std::vector<std::string> tokens(8);
    {
        std::vector<std::jthread> threads;
        for (auto& token : tokens)
            threads.emplace_back([&] { token = load_or_create_token(folder.path()); });
    }
    EXPECT_EQ(std::set<std::string>(tokens.begin(), tokens.end()).size(), 1u);
}

TEST(TokenFile, FileWithoutATokenIsNotReplaced)
{
    const test::TempDir folder;
    for (const std::string& content : {std::string(), std::string("short\n"),
                                       std::string("with blanks in its text\n"), std::string(5000, 'x')}) {
        std::ofstream(folder.path() / "token", std::ios::trunc) << content;
        EXPECT_FALSE(find_token(folder.path())) << content.substr(0, 20);
        EXPECT_THROW(load_or_create_token(folder.path()), std::runtime_error);
    }
    std::ofstream(folder.path() / "token", std::ios::trunc) << "chosen-by-the-operator";
    EXPECT_EQ(load_or_create_token(folder.path()), "chosen-by-the-operator") << "without a line end";
}

} // namespace vitrine::server
