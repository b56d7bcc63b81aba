#pragma once
// Fixture: a folder of files that contain their own names.

#include <array>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "loaders/worker/files/file_descriptor.hpp"
#include "tests/support/temp_dir.hpp"

namespace vitrine::test {

class FolderTest : public testing::Test {
protected:
    std::filesystem::path touch(const std::string& name) const { return scratch_.write(name, name); }

    // The beginning of the file; "-" if it could not be opened.
    static std::string content(const worker::FileDescriptor& file)
    {
        std::array<char, 100> text{};
        const auto size = file.valid() ? ::read(file.get(), text.data(), text.size()) : -1;
        return size < 0 ? "-" : std::string(text.data(), static_cast<std::size_t>(size));
    }

private:
    TempDir scratch_;

protected:
    const std::filesystem::path folder_ = scratch_.path();
};

} // namespace vitrine::test
