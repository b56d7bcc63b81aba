#include "loaders/io/system_files.hpp"

#include <gtest/gtest.h>

namespace vitrine::io {
namespace {

TEST(SystemFiles, AreKnownByTheirNames)
{
    for (const auto* name : {".DS_Store", "a/b/.DS_Store", "Thumbs.db", "a/THUMBS.DB", "desktop.ini",
                             "._fox.glb", "a/._fox.glb", "__MACOSX/a/fox.glb", "a/__MACOSX/fox.glb",
                             ".git/config", "sub/.git/objects/ab/cd", "sub/.git", ".svn/entries"})
        EXPECT_TRUE(is_system_file(name)) << name;
    for (const auto* name : {"", "fox.glb", "a/fox.glb", ".gitignore", ".github/fox.glb", "git/fox.glb",
                             "my.DS_Store", "thumbs/fox.glb", "__MACOSX", ".hidden/fox.glb", "a._b/c"})
        EXPECT_FALSE(is_system_file(name)) << name;
}

} // namespace
} // namespace vitrine::io
