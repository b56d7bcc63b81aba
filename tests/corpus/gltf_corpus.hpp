#pragma once
// The glTF files of the corpus, each as an upload of its folder.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"

namespace vitrine::test {

// A file and what lies in and below its folder; bytes are read when asked for.
class FolderSource final : public Source {
public:
    explicit FolderSource(const std::filesystem::path& file);
    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view name) override;

private:
    std::filesystem::path folder_;
    std::string main_name_;
    std::vector<std::string> names_;
    std::map<std::string, std::string, std::less<>> read_;
};

// Every .gltf and .glb below `folder`, sorted.
std::vector<std::filesystem::path> gltf_files(const std::filesystem::path& folder);

} // namespace vitrine::test
