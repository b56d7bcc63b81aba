#pragma once
// ZAE: a zip archive whose manifest.xml names the document. Its files form a Source.

#include <map>
#include <string>
#include <vector>

#include "loaders/io/input.hpp"
#include "loaders/scene/scene.hpp"

namespace vitrine::dae {

bool is_zip(Bytes bytes);

class ArchiveSource final : public Source {
public:
    // Unpacks all files, within the limits for zips. The document is the one named by <dae_root>, else the
    // first .dae nearest to the root, with a warning if there is a manifest. Errors: those of unzip,
    // missing_file, unsupported (a nested zip).
    static LoadResult<ArchiveSource> open(Bytes zip, const Limits& limits);

    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return names_; }
    std::optional<Bytes> open(std::string_view name) override;
    const std::vector<scene::Warning>& warnings() const { return warnings_; }

private:
    std::string find_document(const Limits& limits);
    std::string find_nearest() const;

    std::map<std::string, std::string, std::less<>> files_;
    std::vector<std::string> names_;
    std::string main_name_;
    std::vector<scene::Warning> warnings_;
};

} // namespace vitrine::dae
