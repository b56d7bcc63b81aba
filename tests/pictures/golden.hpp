#pragma once
// The pictures that are kept in tests/pictures/golden, by name.
//
// VITRINE_MAKE_GOLDENS=1 (script/pictures --goldens) writes them instead of comparing.

#include <optional>
#include <string>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// What another driver or rounding may change; measured, see README.md.
inline constexpr Difference tolerance{.mean = 0.003, .percentile_99 = 0.04};
// The same where a device is driven as a graphics card, with 4 samples a pixel: of lines one sample wide, and
// of all else.
inline constexpr Difference tolerance_of_samples{.mean = 0.003, .percentile_99 = 0.05};
inline constexpr Difference tolerance_of_thin_lines{.mean = 0.01, .percentile_99 = 0.13};

// Fails when there is no such picture or it differs by more; golden, picture and difference then lie side by
// side in $VITRINE_TEST_PICTURES, by default failed_pictures of the working folder, and the failure says
// where.
void expect_golden(const render::Frame& frame, const std::string& name,
                   std::optional<Difference> stated = {});

} // namespace vitrine::test
