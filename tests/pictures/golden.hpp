#pragma once
// The pictures that are kept in tests/pictures/golden, by name.
//
// VITRINE_MAKE_GOLDENS=1 (script/pictures --goldens) writes them instead of comparing.

#include <string>

#include "tests/pictures/perceptual.hpp"

namespace vitrine::test {

// What another driver, antialiasing or rounding may change; measured, see README.md.
inline constexpr Difference tolerance{.mean = 0.003, .percentile_99 = 0.04};

// Fails when there is no such picture or it differs by more; golden, picture and difference then lie side by
// side in $VITRINE_TEST_PICTURES, by default failed_pictures of the working folder, and the failure says
// where.
void expect_golden(const render::Frame& frame, const std::string& name,
                   const Difference& allowed = tolerance);

} // namespace vitrine::test
