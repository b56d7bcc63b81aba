#pragma once
// One server with one imported model, shared by all tests of the suite.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/integration/http_support.hpp"

namespace vitrine::test {

class Http : public ::testing::Test {
protected:
    static void SetUpTestSuite() { start({}); }
    // Starts a server with these flags and one animated asset.
    static void start(std::vector<std::string> flags)
    {
        folder = new TempDir;
        flags.insert(flags.end(), {"--library-root", folder->path().string()});
        server = new ServerProcess(folder->path() / "data", std::move(flags));
        ASSERT_NE(server->port(), 0) << "the server did not start: " << server->line();
        koi = import_asset(server->port(), {koi_glb()});
        ASSERT_FALSE(koi.empty());
    }
    static void TearDownTestSuite()
    {
        delete std::exchange(server, nullptr); // the next suite of the program starts its own
        delete std::exchange(folder, nullptr);
    }

    static int port() { return server->port(); }
    static std::string asset_path(std::string_view rest) { return fmt::format("/v1/assets/{}{}", koi, rest); }

    static inline TempDir* folder = nullptr;
    static inline ServerProcess* server = nullptr;
    static inline std::string koi; // an imported asset with a clip
};

} // namespace vitrine::test
