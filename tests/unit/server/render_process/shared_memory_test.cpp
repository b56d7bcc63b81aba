// Memory files that the server and a render process share.
#include <cerrno>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "loaders/scene/scene.hpp"
#include "server/render_process/shared_memory.hpp"
#include "tests/support/compare.hpp"
#include "tests/support/scenes.hpp"

namespace vitrine::render_process {
namespace {

TEST(SharedMemory, IsTheSameForBothSides)
{
    const auto server = SharedMemory::create(100'000);
    const auto process = SharedMemory::map(FileDescriptor(::dup(server.descriptor())), 100'000);
    ASSERT_TRUE(process);
    ASSERT_EQ(process->bytes().size(), 100'000u);
    process->bytes()[99'999] = std::byte{42};
    EXPECT_EQ(server.bytes()[99'999], std::byte{42});
}

// A process that made it shorter would end the server by SIGBUS.
TEST(SharedMemory, HasAPermanentSize)
{
    const auto server = SharedMemory::create(100'000);
    EXPECT_EQ(::ftruncate(server.descriptor(), 10), -1);
    EXPECT_EQ(errno, EPERM);
    EXPECT_EQ(::ftruncate(server.descriptor(), 1'000'000), -1);
    EXPECT_EQ(::fcntl(server.descriptor(), F_ADD_SEALS, F_SEAL_WRITE), -1) << "no further seals";
    EXPECT_FALSE(SharedMemory::map(FileDescriptor(::dup(server.descriptor())), 200'000)) << "it is shorter";
    EXPECT_FALSE(SharedMemory::map(FileDescriptor(), 100)) << "no file came with the message";
}

TEST(SharedMemory, CarriesScenes)
{
    const auto everything = test::everything();
    const auto [file, size] = write_scene(everything);
    const auto scene = map_scene(file, size);
    ASSERT_TRUE(scene);
    EXPECT_TRUE(test::same(*scene, everything));
    EXPECT_TRUE(scene->meshes.at(0).positions.is_view()) << "not a copy";
    char byte = 0;
    EXPECT_EQ(::pwrite(file.get(), &byte, 1, 0), -1) << "the process cannot change it";
    EXPECT_FALSE(map_scene(file, size - 1));
    EXPECT_FALSE(map_scene(file, size + 1));
    EXPECT_FALSE(map_scene(FileDescriptor(), size));
}

TEST(SharedMemory, CarriesLevelsOfDetail)
{
    const render::LodIndices lod{{0, 1, 2}, {{{{0, 3}, {}}}}};
    const auto [file, size] = write_lod(lod);
    const auto read = map_lod(file, size);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->indices, lod.indices);
    EXPECT_EQ(read->primitives.at(0).at(0).single.count, 3u);
    const auto [scene_file, scene_size] = write_scene(test::skinned_bar());
    EXPECT_FALSE(map_lod(scene_file, scene_size)) << "another kind of object";
    EXPECT_FALSE(map_scene(file, size));
}

} // namespace
} // namespace vitrine::render_process
