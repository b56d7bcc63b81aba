#pragma once
// What may come of any bytes: a scene that is valid, or one sentence.

#include "tests/support/load_model.hpp"

namespace vitrine::test {

// `what` was done to them, or the bytes, for who reads the failure.
inline void expect_sane(const LoadResult<scene::Scene>& loaded, std::string_view what = {})
{
    if (loaded) return expect_valid(*loaded, what);
    EXPECT_FALSE(loaded.error().detail.empty()) << what;
    EXPECT_FALSE(loaded.error().detail.contains('\n')) << loaded.error().detail << "\n" << what;
}

} // namespace vitrine::test
