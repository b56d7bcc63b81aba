#include "server/services/ingest.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "server/services/wire.hpp"
#include "server/util/files.hpp"

namespace vitrine::server {
namespace {

std::string_view stem_of(std::string_view name) // with its folder: "a/robot" of "a/robot.gltf"
{
    return name.substr(0, name.size() - io::extension_of(name).size());
}

bool is_picture(std::string_view name)
{
    static constexpr std::array extensions{".png", ".jpg", ".jpeg", ".tga", ".bmp",  ".gif", ".webp", ".pcx",
                                           ".dds", ".psd", ".hdr",  ".ktx", ".ktx2", ".tif", ".tiff"};
    return std::ranges::find(extensions, io::extension_of(name)) != extensions.end();
}

struct Models {
    const std::vector<std::string>& names;

    bool has(std::string_view name) const { return std::ranges::find(names, name) != names.end(); }
    bool has_stem(std::string_view stem) const
    {
        return std::ranges::any_of(names, [&](const auto& model) { return stem_of(model) == stem; });
    }
    bool has_folder(std::string_view folder) const
    {
        return std::ranges::any_of(names, [&](const auto& model) { return io::folder_of(model) == folder; });
    }
};

// Whether `file` is plainly another model's and not `main`'s: a model itself, the buffer or material library
// with another model's name, or no picture and in a folder where others live and `main` does not.
bool is_of_another(const std::string& file, const std::string& main, const Models& models)
{
    if (file == main) return false;
    if (models.has(file)) return true;
    const auto extension = io::extension_of(file);
    if ((extension == ".bin" || extension == ".mtl") && stem_of(file) != stem_of(main) &&
        models.has_stem(stem_of(file)))
        return true;
    const auto folder = io::folder_of(file);
    return !is_picture(file) && models.has_folder(folder) && !main.starts_with(folder);
}

// Whether a model may name such a file: what came with several models and is none of these (a read-me, a
// licence) stays with each of them, but does not make another model of one that is known.
bool is_referable(std::string_view name)
{
    static constexpr std::array extensions{".mtl", ".bin", ".md5anim", ".skin", ".cfg",
                                           ".xml", ".mc",  ".mcx",     ".pc2"};
    return is_picture(name) || std::ranges::find(extensions, io::extension_of(name)) != extensions.end();
}

std::string cut_to_limit(std::string name)
{
    auto end = std::min<std::size_t>(name.size(), 255);
    while (end > 0 && end < name.size() && (name[end] & 0xc0) == 0x80) // not inside a character
        --end;
    name.resize(end);
    return name;
}

// The file's stem; with its folder where the upload has another file of that name, for a library of games has
// one "mesh.md5mesh" in each folder.
std::string asset_name(const std::string& main, bool repeated)
{
    const auto base = io::base_name(main);
    auto name = std::string(base.substr(0, base.size() - io::extension_of(base).size()));
    if (name.empty()) name = base;
    const auto folder = io::folder_of(main);
    if (repeated && !folder.empty())
        name = fmt::format("{} {}", io::base_name(folder.substr(0, folder.size() - 1)), name);
    return cut_to_limit(std::move(name));
}

std::vector<NewAsset> assets_of(const std::vector<FileRecord>& files, const std::vector<std::string>& mains)
{
    const Models models{mains};
    std::map<std::string_view, std::size_t> base_names;
    for (const auto& main : mains)
        ++base_names[io::base_name(main)];
    std::vector<NewAsset> assets;
    for (const auto& main : mains) {
        NewAsset asset{asset_name(main, base_names[io::base_name(main)] > 1), main, {}};
        for (const auto& file : files) {
            if (mains.size() > 1 && is_of_another(file.name, main, models)) continue;
            const bool counts = mains.size() == 1 || file.name == main || is_referable(file.name);
            (counts ? asset.files : asset.attached).push_back(file);
        }
        assets.push_back(std::move(asset));
    }
    return assets;
}

std::unexpected<ServiceError> too_many(std::string_view what, std::size_t limit)
{
    return refuse(Errc::too_large, "limit_exceeded", fmt::format("an upload has at most {} {}", limit, what));
}

// Sorted, each name once. The same name with other bytes is refused: nobody could say which is meant.
Result<std::vector<FileRecord>> tidy(std::vector<FileRecord> parts)
{
    std::map<std::string, FileRecord> by_name;
    for (auto& part : parts) {
        auto name = normalise_name(part.name);
        if (name.empty())
            return std::unexpected(ServiceError{Errc::unprocessable, "bad_name", part.name,
                                                "the name is no relative path inside the upload"});
        part.name = name;
        const auto [at, added] = by_name.emplace(std::move(name), part);
        if (!added && at->second.blob != part.blob)
            return std::unexpected(ServiceError{Errc::unprocessable, "duplicate_name", part.name,
                                                "two files of the upload have this name"});
    }
    std::vector<FileRecord> files;
    for (auto& [name, file] : by_name)
        files.push_back(std::move(file));
    return files;
}

} // namespace

std::string normalise_name(std::string_view name)
{
    return io::normalise_name(name).value_or(std::string());
}

Ingest::Ingest(Catalog& catalog, BlobStore& blobs, EventBus& events, Unpack unpack,
               std::filesystem::path scratch, const IngestLimits& limits, std::function<void()> wake)
    : catalog_(catalog), blobs_(blobs), events_(events), unpack_(std::move(unpack)),
      scratch_(std::move(scratch)), limits_(limits), wake_(std::move(wake))
{
}

// A disk that is full is told as such.
LoadResult<std::vector<worker::BundleFile>> Ingest::write_out(const std::filesystem::path& zip,
                                                              const std::filesystem::path& folder)
{
    try {
        return unpack_(zip, folder);
    } catch (const std::system_error& error) {
        throw_storage_error(error.code().value(), "unpack", error.what());
    }
}

Result<std::vector<FileRecord>> Ingest::unpack_zip(const FileRecord& zip, const std::string& prefix)
{
    auto path = blobs_.local_path(zip.blob);
    if (!path) return std::unexpected(path.error());
    const ScratchFolder folder(scratch_);
    auto unpacked = write_out(*path, folder.path());
    if (!unpacked) {
        auto error = to_service_error(unpacked.error());
        if (error.where.empty()) error.where = zip.name;
        return std::unexpected(std::move(error));
    }
    if (unpacked->size() > limits_.files) return too_many("files", limits_.files);
    std::vector<FileRecord> files;
    for (const auto& file : *unpacked) {
        auto blob = blobs_.put_file(file.path);
        files.push_back({prefix + file.name, blob.hash, blob.size_bytes, std::move(blob.hold)});
    }
    return files;
}

Result<std::vector<FileRecord>> Ingest::unpack_zips(std::vector<FileRecord> parts)
{
    const auto is_zip = [](const FileRecord& part) { return io::extension_of(part.name) == ".zip"; };
    const bool several = parts.size() > 1; // then each zip is a folder of its own name
    std::vector<FileRecord> files;
    for (auto& part : parts) {
        if (!is_zip(part)) {
            files.push_back(std::move(part));
            continue;
        }
        auto unpacked = unpack_zip(part, several ? std::string(stem_of(part.name)) + "/" : std::string());
        if (!unpacked) return unpacked;
        std::ranges::move(*unpacked, std::back_inserter(files));
    }
    return files;
}

Result<std::vector<Created>> Ingest::ingest(std::vector<FileRecord> parts)
{
    if (parts.size() > limits_.files) return too_many("files", limits_.files);
    if (catalog_.queued_jobs() >= limits_.queued)
        return refuse(Errc::busy, "import_queue_full", "too many imports wait already", 30);
    auto files = unpack_zips(std::move(parts));
    if (files) files = tidy(std::move(*files));
    if (!files) return std::unexpected(files.error());
    if (files->size() > limits_.files) return too_many("files", limits_.files);
    std::vector<std::string> names;
    for (const auto& file : *files)
        names.push_back(file.name);
    const auto mains = worker::model_names(names);
    if (mains.empty())
        return refuse(Errc::unprocessable, "no_model",
                      files->size() == 1 ? "the file is no model that can be loaded"
                                         : fmt::format("none of the {} files is a model", files->size()));
    if (mains.size() > limits_.models) return too_many("models", limits_.models);
    auto created = catalog_.create_assets(assets_of(*files, mains));
    tell(created);
    return created;
}

void Ingest::tell(const std::vector<Created>& created)
{
    for (const auto& item : created) {
        if (item.existing && item.job.state != JobState::queued) continue;
        announce(events_, item.existing ? "asset.updated" : "asset.created", item.asset);
        announce(events_, item.job);
    }
    wake_();
}

} // namespace vitrine::server
