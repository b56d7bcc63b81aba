// Where the driver keeps compiled shaders.

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {
namespace {

namespace fs = std::filesystem;

// Without the cache every start compiles its shaders again; the home folder may not be writable. The servers
// of tests use lavapipe, a driver of Mesa, whose cache is a folder beside the driver-independent `pipelines`.
TEST(ShaderCache, IsInTheDataFolder)
{
    ::unsetenv("MESA_SHADER_CACHE_DIR");     // NOLINT(concurrency-mt-unsafe): the only thread
    ::unsetenv("MESA_SHADER_CACHE_DISABLE"); // NOLINT(concurrency-mt-unsafe)
    TempDir folder;
    ServerProcess server(folder.path() / "data");
    ASSERT_NE(server.port(), 0) << server.line();
    ASSERT_TRUE(eventually([&] { return get(server.port(), "/readyz").status == 200; }));
    server.signal(SIGTERM);
    EXPECT_EQ(server.wait(), 0);
    const auto shaders = folder.path() / "data/shaders";
    ASSERT_TRUE(fs::is_directory(shaders));
    EXPECT_TRUE(std::ranges::any_of(fs::directory_iterator(shaders), [](const fs::directory_entry& entry) {
        return entry.path().filename() != "pipelines";
    }));
}

} // namespace
} // namespace vitrine::test
