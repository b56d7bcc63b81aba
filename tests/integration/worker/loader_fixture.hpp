#pragma once
// Fixture for tests of the loader process: a folder, options, and a check after every test that no descriptor
// and no child process is left.

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

#include <sys/wait.h>

#include <gtest/gtest.h>

#include "loaders/worker/client/client.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temp_dir.hpp"

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
        options_.program = program("vitrine-loader-faulty");
        options_.deadline = std::chrono::seconds(20);
        descriptors_ = count_descriptors();
    }

    void TearDown() override
    {
        EXPECT_EQ(count_descriptors(), descriptors_) << "descriptors leaked";
        EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    }

    worker::BundleFile write(const std::string& name, std::string_view bytes) const
    {
        return {name, scratch_.write(name, bytes)};
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

    const TempDir scratch_;
    const std::filesystem::path folder_ = scratch_.path();
    worker::ClientOptions options_;

private:
    std::size_t descriptors_ = 0;
};

} // namespace vitrine::test
