#include "vk_renderer/gpu/relocation_prefault.hpp"

#include <thread>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace vitrine::render {
namespace {

// Loads the library and returns how many of its addresses are wrong; -1: it cannot be loaded.
int load_and_count_faults()
{
    auto* const library = ::dlopen(RELOCATED_TABLE, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return -1;
    const auto count_faults = reinterpret_cast<int (*)()>(::dlsym(library, "count_faults"));
    const int faults = count_faults == nullptr ? -1 : count_faults();
    ::dlclose(library);
    return faults;
}

// Pages are mapped before, while and after the dynamic linker writes them, and after the library is gone.
TEST(RelocationPrefault, LeavesAddressesAsTheyAre)
{
    const RelocationPrefault prefault;
    for (int i = 0; i < 20; ++i)
        ASSERT_EQ(load_and_count_faults(), 0) << i;
}

TEST(RelocationPrefault, WorksOnSeveralThreads)
{
    int faults = 0;
    {
        const RelocationPrefault prefault;
        std::jthread other([&] {
            const RelocationPrefault second;
            for (int i = 0; i < 10; ++i)
                faults += load_and_count_faults();
        });
        for (int i = 0; i < 20; ++i)
            EXPECT_EQ(load_and_count_faults(), 0) << i;
    }
    EXPECT_EQ(faults, 0);
}

} // namespace
} // namespace vitrine::render
