#pragma once
// Reads an archive by libzip.

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <zip.h>

namespace vitrine::server::testing {

class ZipReader {
public:
    // ZIP_CHECKCONS: the directory and the members' own headers agree.
    explicit ZipReader(const std::filesystem::path& path)
    {
        int error = 0;
        zip_ = zip_open(path.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
        EXPECT_NE(zip_, nullptr) << "error " << error << " of libzip";
    }
    ~ZipReader()
    {
        if (zip_ != nullptr) zip_discard(zip_);
    }
    ZipReader(const ZipReader&) = delete;
    ZipReader& operator=(const ZipReader&) = delete;

    std::size_t size() const { return static_cast<std::size_t>(zip_get_num_entries(zip_, 0)); }
    zip_stat_t stat(std::size_t index) const
    {
        zip_stat_t found{};
        EXPECT_EQ(zip_stat_index(zip_, index, ZIP_FL_ENC_STRICT, &found), 0);
        return found;
    }
    std::string name(std::size_t index) const { return stat(index).name; }
    // With its checksum.
    std::string bytes(std::size_t index) const
    {
        std::string text(stat(index).size, '\0');
        auto* file = zip_fopen_index(zip_, index, 0);
        EXPECT_NE(file, nullptr) << zip_strerror(zip_);
        if (file == nullptr) return {};
        EXPECT_EQ(zip_fread(file, text.data(), text.size()), static_cast<zip_int64_t>(text.size()));
        char rest = 0;
        EXPECT_EQ(zip_fread(file, &rest, 1), 0) << "the checksum is wrong";
        zip_fclose(file);
        return text;
    }

private:
    zip_t* zip_ = nullptr;
};

} // namespace vitrine::server::testing
