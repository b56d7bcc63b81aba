// Synchronization validation sees what it is there for: otherwise its silence in the other tests says
// nothing. And the passes of the skinning benchmark, whose barriers are their own, under it.

#include <chrono>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/bench/gpu/validation_layer.hpp"
#include "tests/bench/renderer/skinning_passes.hpp"
#include "tests/gpu/device.hpp"
#include "tests/gpu/scenes.hpp"
#include "vk_renderer/gpu/buffer.hpp"
#include "vk_renderer/gpu/commands.hpp"
#include "vk_renderer/gpu/physical_device.hpp"
#include "vk_renderer/gpu/timeline.hpp"

namespace vitrine::test {
namespace {

// Sets a variable that the layer reads when an instance is created. No other thread of the test is running.
class Variable {
public:
    Variable(std::string name, const std::string& value) : name_(std::move(name))
    {
        if (const char* const before = std::getenv(name_.c_str())) before_ = before;
        ::setenv(name_.c_str(), value.c_str(), 1); // NOLINT(concurrency-mt-unsafe)
    }
    ~Variable()
    {
        if (before_)
            ::setenv(name_.c_str(), before_->c_str(), 1); // NOLINT(concurrency-mt-unsafe)
        else
            ::unsetenv(name_.c_str()); // NOLINT(concurrency-mt-unsafe)
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    std::string name_;
    std::optional<std::string> before_;
};

class SynchronizationValidation : public testing::Test {
protected:
    void SetUp() override
    {
        if (!tested({.validation = true}).validation) GTEST_SKIP() << "the validation layer is missing";
    }

    // Enables validation across submissions until it is destroyed; empty: the layer does not have it.
    static std::optional<Variable> across_submissions()
    {
        const auto variable = bench::submission_variable(bench::submission_setting(bench::layer_folders()));
        const auto name = variable.substr(0, variable.find('='));
        if (name.empty()) return std::nullopt;
        return std::optional<Variable>(std::in_place, name, variable.substr(name.size() + 1));
    }

    // Fills a buffer twice without a barrier, in one submission or in two; returns the hazards reported.
    std::vector<std::string> fill_twice(int submissions)
    {
        std::vector<std::string> hazards;
        {
            render::VulkanInstance instance(true, [&](const std::string& line) {
                if (line.contains("SYNC-HAZARD-WRITE-AFTER-WRITE")) hazards.push_back(line);
            });
            render::Device device(instance, choose_device(instance, tested_device()), tested());
            render::Timeline timeline(device, std::chrono::minutes(2));
            const render::Buffer buffer(
                device, 1024, {render::MemoryDomain::device, VK_BUFFER_USAGE_TRANSFER_DST_BIT}, "filled");
            std::vector<render::Commands> commands;
            for (int i = 0; i < submissions; ++i) {
                auto* const filling = commands.emplace_back(device).begin();
                for (int fills = 0; fills < 3 - submissions; ++fills)
                    device.vk.vkCmdFillBuffer(filling, buffer.get(), 0, VK_WHOLE_SIZE, 1);
                timeline.submit(commands.back().end());
            }
            timeline.drain();
        }
        return hazards;
    }
};

TEST_F(SynchronizationValidation, SeesAHazardInASubmission)
{
    EXPECT_FALSE(fill_twice(1).empty());
}

TEST_F(SynchronizationValidation, SeesAHazardAcrossSubmissions)
{
    const auto enabled = across_submissions();
    if (!enabled) GTEST_SKIP() << "the validation layer does not look across submissions";
    EXPECT_FALSE(fill_twice(2).empty());
}

// Every batch clears the boxes that the one before it wrote, and writes its vertices again. tested() turns a
// message of the layer into a failure.
TEST_F(SynchronizationValidation, IsSilentOnBatchesOfTheSkinningBenchmark)
{
    const auto options = tested({.validation = true});
    bench::SkinningPasses passes(options, tube(20, 12, 6, 4), 4);
    passes.run_together(3, true);
    passes.run_together(3, false);
}

TEST_F(SynchronizationValidation, IsSilentOnSubmissionsOfTheSkinningBenchmark)
{
    const auto enabled = across_submissions();
    if (!enabled) GTEST_SKIP() << "the validation layer does not look across submissions";
    const auto options = tested({.validation = true});
    bench::SkinningPasses passes(options, tube(20, 12, 6, 4), 4);
    passes.run(5, true);
    passes.run(5, false);
}

} // namespace
} // namespace vitrine::test
