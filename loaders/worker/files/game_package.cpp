#include "loaders/worker/files/game_package.hpp"

#include <algorithm>
#include <span>

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "loaders/base/ascii.hpp"
#include "loaders/base/model_formats.hpp"
#include "loaders/io/image_names.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/worker/files/bundle_names.hpp"

namespace vitrine::worker {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_scripts = 1'000;

// The parent of the nearest folder with this name; empty for the root of the file system, which is not a
// package.
fs::path above(const fs::path& model, std::string_view name)
{
    for (auto folder = model.parent_path(); folder.has_relative_path(); folder = folder.parent_path()) {
        const auto parent = folder.parent_path();
        if (ascii::lower(folder.filename().string()) == name)
            return parent.has_relative_path() ? parent : fs::path();
    }
    return {};
}

} // namespace

fs::path find_package_root(const fs::path& model)
{
    const auto extension = io::extension_of(model.filename().string());
    const auto* format = find_model_format(extension);
    if (format == nullptr || !format->in_game_packages || format->is_animation_extension(extension))
        return {};
    std::error_code error;
    const auto real = fs::canonical(model, error);
    if (error) return {};
    auto root = above(real, "models");
    return root.empty() ? above(real, "players") : root;
}

namespace {

// Adds the scripts of one folder of the package.
void add_scripts_of(std::string_view folder, std::string_view extension, std::vector<BundleFile>& files,
                    const fs::path& package)
{
    std::error_code error;
    std::vector<BundleFile> scripts;
    for (const auto& entry : fs::directory_iterator(package / folder, error)) {
        const auto name = std::string(folder).append("/").append(entry.path().filename().string());
        if (scripts.size() == max_scripts) break;
        if (io::extension_of(name) != extension || !is_normalized_name(name)) continue;
        if (entry.is_symlink(error) || !entry.is_regular_file(error)) continue;
        if (std::ranges::find(files, name, &BundleFile::name) == files.end())
            scripts.push_back({name, entry.path()});
    }
    std::ranges::sort(scripts, {}, &BundleFile::name);
    files.insert(files.end(), scripts.begin(), scripts.end());
}

} // namespace

void add_scripts(std::vector<BundleFile>& files, const fs::path& package)
{
    add_scripts_of("scripts", ".shader", files, package);
    add_scripts_of("materials", ".mtr", files, package);
}

bool may_request_from_package(std::string_view name)
{
    const bool is_hidden = name.starts_with('.') || name.contains("/.");
    return is_normalized_name(name) && name.contains('/') && !is_hidden && io::is_image_name(name);
}

FileDescriptor open_beneath(const fs::path& package, const std::string& name)
{
    return open_beneath(open_folder(package), name);
}

FileDescriptor open_folder(const fs::path& folder)
{
    return FileDescriptor(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

FileDescriptor open_beneath(const FileDescriptor& folder, const std::string& name)
{
    open_how options{};
    options.flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    options.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    return FileDescriptor(
        static_cast<int>(::syscall(SYS_openat2, folder.get(), name.c_str(), &options, sizeof options)));
}

} // namespace vitrine::worker
