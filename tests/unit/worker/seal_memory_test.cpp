// Sealing of memory that another process wrote.

#include <atomic>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loaders/worker/client/seal_memory.hpp"
#include "loaders/worker/files/file_descriptor.hpp"
#include "tests/support/eventually.hpp"

using namespace vitrine::worker;

namespace {

constexpr std::size_t page_bytes = 4096;

FileDescriptor memory_file()
{
    FileDescriptor memory(::memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(memory.get(), page_bytes), 0);
    return memory;
}

void* map_for_writing(const FileDescriptor& memory)
{
    return ::mmap(nullptr, page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
}

// proc(5): the state follows the name in parentheses.
bool sleeps(pid_t thread)
{
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    const std::string line(std::istreambuf_iterator<char>(file), {});
    const auto end = line.rfind(')');
    return end != line.npos && line.substr(end).starts_with(") S");
}

} // namespace

TEST(Seal, PreventsWrites)
{
    const FileDescriptor memory = memory_file();
    ASSERT_TRUE(seal(memory.get()));
    EXPECT_EQ(::write(memory.get(), "x", 1), -1);
    EXPECT_NE(::ftruncate(memory.get(), 1), 0);
    EXPECT_EQ(map_for_writing(memory), MAP_FAILED);
}

TEST(Seal, WaitsForAMappingThatIsClosed)
{
    const FileDescriptor memory = memory_file();
    void* mapped = map_for_writing(memory);
    ASSERT_NE(mapped, MAP_FAILED);
    std::atomic<bool> calls = false;
    std::thread other([&, caller = ::gettid()] {
        EXPECT_TRUE(vitrine::test::eventually([&] { return calls && sleeps(caller); }));
        ::munmap(mapped, page_bytes);
    });
    calls = true;
    EXPECT_TRUE(seal(memory.get()));
    other.join();
}

TEST(Seal, FailsIfAMappingRemains)
{
    const FileDescriptor memory = memory_file();
    void* mapped = map_for_writing(memory);
    ASSERT_NE(mapped, MAP_FAILED);
    EXPECT_FALSE(seal(memory.get()));
    ::munmap(mapped, page_bytes);
    EXPECT_FALSE(seal(-1));
}
