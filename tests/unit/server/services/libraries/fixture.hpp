#pragma once
// Services with a library: a folder of small files whose times are old, so that scans index them at once.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

#include "server/util/sha256.hpp"
#include "tests/unit/server/services/support/fakes.hpp"

namespace vitrine::server::testing {

class LibraryTest : public WholeServicesTest {
protected:
    LibraryTest()
    {
        std::filesystem::create_directories(root);
        options.roots = {std::filesystem::canonical(folder())};
        start_again();
    }

    void start_again()
    {
        services.reset();
        auto made = config();
        made.libraries = options;
        services = std::make_unique<Services>(made, registry);
    }

    void write(const std::string& path, std::string_view text) const
    {
        const auto file = root / path;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream(file, std::ios::binary) << text;
        // Later than the time of what was written before.
        std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() -
                                                   std::chrono::hours(1000 - ++writes));
    }
    void move(const std::string& from, const std::string& to) const
    {
        std::filesystem::create_directories((root / to).parent_path());
        std::filesystem::rename(root / from, root / to);
    }
    void remove(const std::string& path) const { std::filesystem::remove_all(root / path); }

    Library add(std::vector<std::string> include = {}, std::vector<std::string> ignored = {})
    {
        auto made = services->libraries.table().create({.name = "test",
                                                        .path = std::filesystem::canonical(root),
                                                        .include = std::move(include),
                                                        .ignored = std::move(ignored)});
        library = made.value().id;
        return scan();
    }
    Library scan()
    {
        static_cast<void>(services->libraries.table().request_scan(library));
        while (services->libraries.scan_next())
            ;
        return services->libraries.table().find(library).value_or(Library{});
    }

    // Of the assets outside the trash, sorted.
    std::vector<std::string> names()
    {
        std::vector<std::string> found;
        const auto page = services->catalog.list_assets({.limit = 200});
        for (const auto& asset : page.value().items)
            found.push_back(asset.name);
        std::ranges::sort(found);
        return found;
    }
    std::string id_of(const std::string& name)
    {
        const auto page = services->catalog.list_assets({.limit = 200});
        for (const auto& asset : page.value().items)
            if (asset.name == name) return asset.id;
        return {};
    }
    void tag(const std::string& asset, const std::string& word)
    {
        AssetChange change;
        change.tags = {word};
        ASSERT_TRUE(services->catalog.change_asset(asset, change));
    }
    std::string tags_of(const std::string& asset) { return services->catalog.find_asset(asset)->tags; }
    std::size_t versions_of(const std::string& asset) { return services->catalog.versions(asset).size(); }
    std::vector<std::string> files_of(const std::string& asset)
    {
        std::vector<std::string> found;
        const auto newest = services->catalog.versions(asset).front().number;
        for (const auto& file : services->catalog.files(asset, newest))
            found.push_back(file.name);
        return found;
    }

    mutable int writes = 0;
    const std::filesystem::path root = folder() / "library";
    LibraryOptions options;
    std::string library;
    std::unique_ptr<Services> services;
};

} // namespace vitrine::server::testing
