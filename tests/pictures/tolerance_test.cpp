// The tolerance of each driver.
#include <gtest/gtest.h>

#include "tests/pictures/golden.hpp"

namespace vitrine::test {
namespace {

TEST(CardTolerance, IsThatOfTheDriver)
{
    EXPECT_EQ(card_tolerance("NVIDIA 550.90.07").driver, "NVIDIA");
    EXPECT_EQ(card_tolerance("radv Mesa 24.2.1").driver, "radv");
    EXPECT_EQ(card_tolerance("AMD open-source driver 2024.Q3.1").driver, "AMD");
    EXPECT_EQ(card_tolerance("Intel open-source Mesa driver Mesa 24.2.1").driver, "Intel");
    EXPECT_EQ(card_tolerance("llvmpipe Mesa 22.3.6 (LLVM 15.0.6)").driver, "");
    EXPECT_EQ(card_tolerance("").driver, "");
}

// A defect must be seen with every driver: a row that permits more needs other planted defects.
TEST(CardTolerance, IsNotWiderThanThatOfDefects)
{
    for (const auto& row : card_tolerances) {
        EXPECT_TRUE(within(row.pictures, tolerance_of_samples)) << row.driver;
        EXPECT_TRUE(within(row.formats, tolerance_of_samples)) << row.driver;
    }
}

} // namespace
} // namespace vitrine::test
