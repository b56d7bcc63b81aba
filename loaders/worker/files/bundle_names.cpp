#include "loaders/worker/files/bundle_names.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "loaders/base/model_formats.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/shared_parts.hpp"
#include "loaders/io/system_files.hpp"
#include "loaders/worker/files/bundle.hpp"

namespace vitrine::worker {
namespace {

constexpr std::size_t name_bytes = 1024;
constexpr std::size_t part_bytes = 255;
constexpr int bundle_depth = 4;
constexpr std::size_t bundle_files = 10'000;

namespace fs = std::filesystem;

bool is_plain_part(std::string_view part)
{
    const auto bad = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || c == 0x7f || c == '\\' || c == ':';
    };
    return !part.empty() && part != "." && part != ".." && part.size() <= part_bytes &&
           std::ranges::none_of(part, bad);
}

// The target of a link; empty if it is not a file or is outside `folder`.
fs::path file_within(const fs::path& folder, const fs::path& link)
{
    std::error_code error;
    if (!fs::is_regular_file(link, error)) return {};
    const auto real = fs::canonical(link, error);
    if (error) return {};
    const auto within = std::ranges::mismatch(folder, real).in1 == folder.end();
    return within ? real : fs::path();
}

// Breadth-first, so that the limit removes the deepest entries. The directory contains the types of its
// entries; only links need a system call each.
void collect(const fs::path& folder, std::vector<BundleFile>& files)
{
    std::error_code error;
    const auto real_folder = fs::canonical(folder, error);
    std::vector<fs::path> level{real_folder};
    for (int depth = 0; depth < bundle_depth && !level.empty() && !error; ++depth) {
        std::vector<fs::path> deeper;
        for (const auto& at : level) {
            std::error_code unreadable;
            const auto relative = at.lexically_relative(real_folder);
            const auto add = [&](const fs::path& entry, fs::path real) {
                const auto name = depth == 0 ? entry.filename() : relative / entry.filename();
                files.push_back({name.generic_string(), std::move(real)});
            };
            for (const auto& entry : fs::directory_iterator(at, unreadable)) {
                if (files.size() >= bundle_files) return;
                if (entry.is_symlink(unreadable)) {
                    auto real = file_within(real_folder, entry.path());
                    if (!real.empty()) add(entry.path(), std::move(real));
                } else if (entry.is_directory(unreadable)) {
                    deeper.push_back(entry.path());
                } else if (entry.is_regular_file(unreadable)) {
                    add(entry.path(), entry.path());
                }
            }
        }
        std::ranges::sort(deeper);
        level = std::move(deeper);
    }
}

} // namespace

bool is_normalized_name(std::string_view name)
{
    if (name.empty() || name.size() > name_bytes) return false;
    for (;;) {
        const auto slash = name.find('/');
        if (!is_plain_part(name.substr(0, slash))) return false;
        if (slash == std::string_view::npos) return true;
        name.remove_prefix(slash + 1);
    }
}

std::vector<std::string> model_names(const std::vector<std::string>& names)
{
    // Formats of which there is a model that files with nothing but animations can belong to.
    std::set<const ModelFormat*> formats;
    for (const auto& name : names) {
        const auto extension = io::extension_of(name);
        const auto* format = find_model_format(extension);
        if (format != nullptr && !format->is_animation_extension(extension)) formats.insert(format);
    }
    const auto parts = io::find_shared_parts(names);
    std::vector<std::string> models;
    for (const auto& name : names) {
        const auto extension = io::extension_of(name);
        const auto* format = find_model_format(extension);
        if (format == nullptr || io::is_system_file(name)) continue;
        if (format->is_animation_extension(extension) && formats.contains(format)) continue;
        if (parts.contains(name)) continue;
        models.push_back(name);
    }
    return models;
}

bool is_always_model(std::string_view name)
{
    const auto extension = io::extension_of(name);
    const auto* format = find_model_format(extension);
    return format != nullptr && !format->may_be_animation_only &&
           !format->is_animation_extension(extension) && !io::may_be_shared_part(name) &&
           !io::is_system_file(name);
}

std::vector<BundleFile> list_folder_files(const std::filesystem::path& folder)
{
    std::vector<BundleFile> files;
    collect(folder, files);
    std::erase_if(files, [](const BundleFile& file) { return !is_normalized_name(file.name); });
    std::ranges::sort(files, {}, &BundleFile::name);
    return files;
}

std::vector<BundleFile> list_sibling_files(const std::filesystem::path& file)
{
    std::error_code error;
    const auto real = fs::canonical(file, error);
    std::vector<BundleFile> files{{file.filename().string(), error ? file : real}};
    collect(file.has_parent_path() ? file.parent_path() : fs::path("."), files);
    const auto others = files.begin() + 1;
    std::ranges::sort(others, files.end(), {}, &BundleFile::name);
    const auto unwanted = std::remove_if(others, files.end(), [&](const BundleFile& other) {
        return other.name == files[0].name || !is_normalized_name(other.name);
    });
    files.erase(unwanted, files.end());
    return files;
}

} // namespace vitrine::worker
