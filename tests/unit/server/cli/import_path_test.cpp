// What `vitrine import` rejects before it connects to the server.

#include <filesystem>

#include <gtest/gtest.h>

#include "server/cli/import.hpp"
#include "server/util/files.hpp"

namespace vitrine::cli {
namespace {

TEST(ImportPath, MissingFileIsAnError)
{
    const server::TemporaryFolder folder(std::filesystem::temp_directory_path());
    const ImportServer server{.url = "http://127.0.0.1:0"};
    ImportClient client(server, [] { return false; });
    ::testing::internal::CaptureStderr();
    const auto path = folder.path() / "missing.obj";
    EXPECT_FALSE(import_path(client, path, {}));
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "vitrine: " + path.string() + ": there is no such file or folder\n");
}

} // namespace
} // namespace vitrine::cli
