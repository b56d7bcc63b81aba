#pragma once
// Files for a loader, from memory or a folder on disk.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::test {

// By blocks: tests are not optimized, and iterators took a tenth of the time of some.
inline std::string read_file(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

class MemorySource final : public Source {
public:
    MemorySource(std::string main_name, std::map<std::string, std::string> files)
        : main_name_(std::move(main_name)), files_(std::move(files))
    {
        for (const auto& [name, text] : files_)
            names_.push_back(name);
    }

    // The file and everything in its folder without subfolders; each file is read when it is opened.
    static MemorySource folder_of(const std::filesystem::path& file)
    {
        MemorySource source(file.filename().string(), {});
        source.folder_ = file.parent_path();
        for (const auto& entry : std::filesystem::directory_iterator(source.folder_)) {
            if (entry.is_regular_file()) source.names_.push_back(entry.path().filename().string());
        }
        std::ranges::sort(source.names_);
        return source;
    }

    void make_whole_upload() { whole_ = true; }
    void leave_pixels_out() { needs_pixels_ = false; }

    bool is_whole_upload() const override { return whole_; }
    bool needs_pixels() const override { return needs_pixels_; }
    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view name) override
    {
        auto found = files_.find(std::string(name));
        if (found == files_.end()) {
            if (folder_.empty() || !std::ranges::binary_search(names_, name)) return std::nullopt;
            found = files_.emplace(name, read_file(folder_ / name)).first;
        }
        return std::as_bytes(std::span(found->second.data(), found->second.size()));
    }

private:
    std::string main_name_;
    std::map<std::string, std::string> files_;
    std::vector<std::string> names_;
    std::filesystem::path folder_; // empty: all files are in memory
    bool whole_ = false;
    bool needs_pixels_ = true;
};

} // namespace vitrine::test
