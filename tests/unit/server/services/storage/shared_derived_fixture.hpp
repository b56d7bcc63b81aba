#pragma once
// Processes that share derived files in a folder.

#include <array>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/support/eventually.hpp"
#include "tests/unit/server/services/support/cache_of_process.hpp"

namespace vitrine::server::testing {

class SharedDerivedTest : public ServicesTest {
protected:
    void SetUp() override { std::filesystem::create_directory(place); }

    std::unique_ptr<CacheOfProcess> open(const std::string& name)
    {
        return std::make_unique<CacheOfProcess>(folder() / name, make_folder_derived_store(place), options);
    }
    std::filesystem::path path_of(const std::string& name) const
    {
        const auto digest = key_named(name).digest();
        return place / digest.substr(0, 2) / digest;
    }
    bool is_shared(const std::string& name) const { return std::filesystem::exists(path_of(name)); }

    std::filesystem::path place = folder() / "shared";
    SharedDerivedOptions options{.missing_time = std::chrono::hours(1),
                                 .first_pause = std::chrono::milliseconds(200)};
};

inline void make_old(const std::filesystem::path& path, std::chrono::hours age)
{
    const auto then = std::chrono::system_clock::now() - age;
    const timespec time{std::chrono::system_clock::to_time_t(then), 0};
    const std::array times{time, time};
    ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
}

} // namespace vitrine::server::testing
