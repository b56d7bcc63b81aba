#pragma once
// The real program moves real libraries.

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/integration/cli/program.hpp"
#include "tests/integration/http_support.hpp"
#include "tests/unit/server/services/moves/small_library.hpp"

namespace vitrine::test {

class Moves : public CliTest {
protected:
    // A server whose catalog and files are in its data folder, also where other tests have stores.
    static std::vector<std::string> on_sqlite() { return {"--database", "", "--blobs", "files"}; }

    static void stop(ServerProcess& server)
    {
        server.signal(SIGTERM);
        EXPECT_EQ(server.wait(), 0);
    }

    // A data folder with `count` assets and their blobs, made without a server.
    std::filesystem::path make_library(const std::string& name, std::size_t count) const
    {
        const auto data = folder_ / name;
        std::filesystem::create_directories(data);
        server::Catalog catalog(data / "catalog.sqlite");
        server::testing::fill_small_library(catalog, count);
        for (std::size_t i = 0; i < count; ++i) {
            const auto content = server::testing::blob_content(i);
            std::filesystem::create_directories(blob_path(data, i).parent_path());
            std::ofstream(blob_path(data, i)) << content;
        }
        return data;
    }

    static std::filesystem::path blob_path(const std::filesystem::path& data, std::size_t i)
    {
        const auto hash = server::sha256_hex(server::testing::blob_content(i));
        return data / "blobs" / hash.substr(0, 2) / hash.substr(2, 2) / hash;
    }

    // Of a database of PostgreSQL if the tests have one; otherwise a folder.
    std::string other_catalog(const std::string& name) const
    {
        return std::getenv("VITRINE_TEST_DATABASE") != nullptr ? catalog_location(folder_ / name)
                                                               : "sqlite:" + (folder_ / name).string();
    }

    // The lines of `vitrine migrate` that say what each table has.
    static std::string tables_of(const Outcome& outcome)
    {
        std::istringstream in(outcome.out);
        std::string line, tables;
        while (std::getline(in, line))
            if (line.contains("identical: ")) tables += line + "\n";
        return tables;
    }
};

} // namespace vitrine::test
