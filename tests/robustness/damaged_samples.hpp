#pragma once
// Samples with one of their files damaged, loaded as the loader process does: a scene that validate()
// accepts, or one sentence.

#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/worker/child/formats.hpp"
#include "server/samples/samples.hpp"
#include "tests/robustness/expect_valid_or_error.hpp"

namespace vitrine::samples {

// In the names of tests.
inline void PrintTo(const Sample& sample, std::ostream* out)
{
    *out << sample.name;
}

} // namespace vitrine::samples

namespace vitrine::test {

inline bool is_image_name(std::string_view name)
{
    return io::extension_of(name) == ".png";
}

// Gives a sample's pictures away only where they are asked for, since they would be decoded every time.
class DamagedSource final : public Source {
public:
    explicit DamagedSource(const samples::SampleFile& sample, bool with_pictures)
        : main_name_(sample.main_name)
    {
        for (const auto& file : sample.files)
            if (with_pictures || !is_image_name(file.name)) files_[file.name] = file.bytes;
        for (const auto& [name, bytes] : files_)
            names_.push_back(name);
    }

    void replace(const std::string& name, Bytes bytes)
    {
        replaced_ = name;
        bytes_ = bytes;
    }
    Bytes whole(const std::string& name) const { return files_.at(name); }

    const std::string& main_name() const override { return main_name_; }
    const std::vector<std::string>& names() const override { return names_; }
    bool is_whole_upload() const override { return true; }
    std::optional<Bytes> open(std::string_view name) override
    {
        const auto found = files_.find(name);
        if (found == files_.end()) return std::nullopt;
        return name == replaced_ ? bytes_ : found->second;
    }

private:
    std::string main_name_;
    std::map<std::string, Bytes, std::less<>> files_;
    std::vector<std::string> names_;
    std::string replaced_;
    Bytes bytes_;
};

inline LoadResult<scene::Scene> load(Source& source, const Limits& limits)
{
    const auto bytes = source.open(source.main_name());
    const auto format = worker::find_format(worker::formats(), source.main_name(), *bytes);
    if (!format) return std::unexpected(format.error());
    auto scene = (*format)->load(source, limits);
    if (scene) scene::expand_flat_meshes(*scene); // tests their normals too
    return scene;
}

} // namespace vitrine::test
