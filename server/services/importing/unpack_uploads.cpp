// The zips of an upload.
#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <system_error>

#include "loaders/base/stop.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/system_files.hpp"
#include "server/services/importing/upload_ingest.hpp"
#include "server/util/files.hpp"
#include "server/util/zip_name.hpp"

namespace vitrine::server {
namespace {

// Of a member of a zip that is not unpacked.
std::string reason_to_skip(std::string_view name)
{
    return io::is_system_file(name) ? "system_file" : "link";
}

} // namespace

// Reports a full disk as StorageError.
LoadResult<std::vector<worker::BundleFile>> Ingest::write_out(const std::filesystem::path& zip,
                                                              const std::filesystem::path& folder)
{
    try {
        return loader_.unpack(zip, folder);
    } catch (const std::system_error& error) {
        throw_storage_error(error.code().value(), "unpack", error.what());
    }
}

Result<std::vector<FileRecord>> Ingest::unpack_zip(const FileRecord& zip, const std::string& prefix,
                                                   std::vector<IgnoredFile>* ignored)
{
    const auto local = blobs_.find_local(zip.blob);
    if (!local) return std::unexpected(local.error());
    const TemporaryFolder folder(scratch_);
    auto unpacked = write_out(local->path, folder.path());
    if (!unpacked) {
        auto error = to_service_error(unpacked.error());
        if (error.where.empty()) error.where = zip.name;
        return std::unexpected(std::move(error));
    }
    if (unpacked->size() > limits_.max_files) return too_many_in_upload("files", limits_.max_files);
    std::vector<FileRecord> files;
    for (const auto& file : *unpacked) {
        check_stop();
        if (file.path.empty()) {
            if (ignored != nullptr) ignored->push_back({prefix + file.name, reason_to_skip(file.name)});
            continue;
        }
        auto blob = blobs_.put_file(file.path);
        files.push_back({prefix + file.name, blob.hash, blob.size_bytes, std::move(blob.pin)});
    }
    return files;
}

Result<std::vector<FileRecord>> Ingest::unpack_in_memory(const FileRecord& zip, const std::string& prefix,
                                                         BlobFactory& memory)
{
    std::vector<FileRecord> files;
    std::unique_ptr<BlobWriter> writer;
    const auto end_file = [&] {
        if (!writer) return;
        auto blob = writer->commit();
        auto& file = files.back();
        file.blob = std::move(blob.hash);
        file.size_bytes = blob.size_bytes;
        file.pin = std::move(blob.pin);
        file.descriptor = blob.descriptor;
        writer.reset();
    };
    const worker::UnpackSink sink{
        .begin =
            [&](const std::string& name) {
                end_file();
                check_stop();
                files.push_back({.name = prefix + name, .blob = {}});
                writer = memory.create();
            },
        .append = [&](std::string_view bytes) { writer->write(std::as_bytes(std::span(bytes))); }};
    const auto unpacked = loader_.unpack_to_sink({zip.name, {}, zip.descriptor}, sink);
    if (!unpacked) {
        auto error = to_service_error(unpacked.error());
        if (error.where.empty()) error.where = zip.name;
        return std::unexpected(std::move(error));
    }
    end_file();
    if (files.size() > limits_.max_files) return too_many_in_upload("files", limits_.max_files);
    return files;
}

Result<std::vector<FileRecord>> Ingest::unpack_zips(std::vector<FileRecord> parts,
                                                    std::vector<IgnoredFile>* ignored, BlobFactory* memory)
{
    const auto is_zip = [](const FileRecord& part) { return is_zip_name(part.name); };
    const bool several = parts.size() > 1; // then each zip becomes a folder with its name
    std::vector<FileRecord> files;
    for (auto& part : parts) {
        check_stop();
        if (files.size() > limits_.max_files) return too_many_in_upload("files", limits_.max_files);
        if (io::is_system_file(sanitize_upload_name(part.name))) {
            if (ignored != nullptr) ignored->push_back({part.name, "system_file"});
            continue;
        }
        if (!is_zip(part)) {
            files.push_back(std::move(part));
            continue;
        }
        const auto prefix =
            several ? std::string(io::path_without_extension(part.name)) + "/" : std::string();
        auto unpacked =
            memory != nullptr ? unpack_in_memory(part, prefix, *memory) : unpack_zip(part, prefix, ignored);
        if (!unpacked) return unpacked;
        std::ranges::move(*unpacked, std::back_inserter(files));
    }
    return files;
}

} // namespace vitrine::server
