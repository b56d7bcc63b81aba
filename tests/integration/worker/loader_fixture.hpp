#pragma once
// Fixture for tests of the loader process: a folder, options, and a check after every test that no descriptor
// and no child process is left.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <sys/wait.h>

#include <gtest/gtest.h>

#include "loaders/worker/client/client.hpp"
#include "tests/support/paths.hpp"

namespace vitrine::test {

inline std::size_t count_descriptors()
{
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

class LoaderTest : public testing::Test {
protected:
    LoaderTest()
    {
        std::string pattern = testing::TempDir() + "vitrine-worker-XXXXXX";
        folder_ = ::mkdtemp(pattern.data());
        options_.program = program("vitrine-loader-faulty");
        options_.deadline = std::chrono::seconds(20);
        descriptors_ = count_descriptors();
    }
    ~LoaderTest() override { std::filesystem::remove_all(folder_); }

    void TearDown() override
    {
        EXPECT_EQ(count_descriptors(), descriptors_) << "descriptors leaked";
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    }

    worker::BundleFile write(const std::string& name, std::string_view bytes) const
    {
        const auto path = folder_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return {name, path};
    }

    LoadResult<scene::Scene> load(const std::string& name, std::string_view bytes = "x") const
    {
        return worker::load_scene({write(name, bytes)}, name, options_);
    }

    LoadError error_of(const std::string& name) const
    {
        const auto scene = load(name);
        EXPECT_FALSE(scene.has_value()) << name;
        return scene ? LoadError{} : scene.error();
    }

    std::filesystem::path folder_;
    worker::ClientOptions options_;

private:
    std::size_t descriptors_ = 0;
};

} // namespace vitrine::test
