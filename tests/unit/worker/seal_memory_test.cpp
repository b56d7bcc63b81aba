// Sealing of memory that another process wrote.

#include <cerrno>
#include <thread>

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "loaders/worker/client/seal_memory.hpp"
#include "loaders/worker/protocol/descriptor.hpp"

using namespace vitrine::worker;

namespace {

constexpr std::size_t size = 4096;

FileDescriptor memory_file()
{
    FileDescriptor memory(::memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(memory.get(), size), 0);
    return memory;
}

void* map_for_writing(const FileDescriptor& memory)
{
    return ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
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
    std::thread other([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        ::munmap(mapped, size);
    });
    EXPECT_TRUE(seal(memory.get()));
    other.join();
}

TEST(Seal, FailsIfAMappingRemains)
{
    const FileDescriptor memory = memory_file();
    void* mapped = map_for_writing(memory);
    ASSERT_NE(mapped, MAP_FAILED);
    EXPECT_FALSE(seal(memory.get()));
    ::munmap(mapped, size);
    EXPECT_FALSE(seal(-1));
}
