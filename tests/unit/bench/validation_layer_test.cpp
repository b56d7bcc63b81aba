#include "tests/bench/gpu/validation_layer.hpp"

#include <array>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.hpp"

namespace vitrine::bench {
namespace {

TEST(SubmissionSetting, IsOneOfThreeNamesByVersion)
{
    EXPECT_EQ(
        submission_setting(R"({"key": "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT"})"),
        "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT");
    EXPECT_EQ(submission_setting(R"({"key": "syncval_queue_submit"})"), "syncval_queue_submit");
    EXPECT_EQ(submission_setting(R"({"key": "syncval_submit_time_validation"})"),
              "syncval_submit_time_validation");
    EXPECT_EQ(submission_setting(R"({"key": "validate_sync"})"), "");
}

TEST(SubmissionSetting, IsEnabledByAVariable)
{
    EXPECT_EQ(submission_variable(""), "");
    EXPECT_EQ(submission_variable("VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT"),
              "VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT");
    EXPECT_EQ(submission_variable("syncval_queue_submit"), "VK_KHRONOS_VALIDATION_SYNCVAL_QUEUE_SUBMIT=1");
}

TEST(SubmissionSetting, IsReadFromTheLayersManifest)
{
    const test::TempDir root;
    const std::array folders{root.path() / "missing", root.path() / "layers"};
    EXPECT_EQ(submission_setting(folders), "");
    std::filesystem::create_directory(folders[1]);
    std::ofstream(folders[1] / "other.json")
        << R"({"name": "VK_LAYER_other", "key": "syncval_queue_submit"})";
    EXPECT_EQ(submission_setting(folders), "");
    std::ofstream(folders[1] / "validation.json")
        << R"({"name": "VK_LAYER_KHRONOS_validation", "key": "syncval_submit_time_validation"})";
    EXPECT_EQ(submission_setting(folders), "syncval_submit_time_validation");
}

} // namespace
} // namespace vitrine::bench
