#include "loaders/worker/client/client.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>

#include "loaders/scene/blob.hpp"
#include "loaders/scene/flat_meshes.hpp"
#include "loaders/scene/validation/name_limits.hpp"
#include "loaders/scene/validation/validate.hpp"
#include "loaders/worker/client/folder_writer.hpp"
#include "loaders/worker/client/job_session.hpp"
#include "loaders/worker/client/seal_memory.hpp"
#include "loaders/worker/files/game_package.hpp"
#include "loaders/worker/files/memory_mapping.hpp"

namespace vitrine::worker {
namespace {

LoaderJob make_job(LoaderCommand command, const ClientOptions& options)
{
    LoaderJob job;
    job.command = command;
    job.memory_bytes = options.memory_bytes;
    job.filter = options.filter;
    job.extrapolation_policy = options.extrapolation_policy;
    job.pose_time = options.pose_time;
    job.timeline_mode = options.timeline_mode;
    job.package = options.package.empty() ? PackageAccess::none : PackageAccess::readable;
    job.surroundings = options.folder.empty() ? SurroundingsAccess::none : SurroundingsAccess::readable;
    job.pixels = options.pixels;
    job.limits = options.limits;
    // Wall time is the limit; CPU time also stops a child whose parent is stopped. Doubled for two threads.
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(options.deadline).count();
    job.cpu_seconds = 2 * static_cast<std::uint64_t>(std::max<std::int64_t>(seconds, 0)) + 1;
    return job;
}

std::unexpected<LoadError> invalid_result(std::string where, const std::string& detail)
{
    return fail(LoadErrc::internal, std::move(where),
                "the loader process returned an invalid result: " + detail);
}

// The memory is read only after it was sealed against changes.
LoadResult<MemoryMapping> seal_and_map(const FileDescriptor& memory, std::uint64_t limit)
{
    struct stat memory_stat{};
    if (!seal(memory.get()) || ::fstat(memory.get(), &memory_stat) != 0)
        return invalid_result({}, "its memory cannot be sealed");
    const auto size = static_cast<std::uint64_t>(memory_stat.st_size);
    if (size == 0) return invalid_result({}, "it is empty");
    if (size > limit) return invalid_result({}, "it exceeds its size limit");
    auto mapping = MemoryMapping::map(memory.get(), size, PROT_READ | PROT_WRITE);
    if (!mapping) return fail(LoadErrc::out_of_memory, {}, "not enough memory for the loaded scene");
    return std::move(*mapping);
}

// The vertices of a flat mesh count as expanded: exports have that many.
bool exceeds_vertices(const scene::Scene& scene, const Limits& limits)
{
    std::uint64_t vertices = 0;
    for (const scene::Mesh& mesh : scene.meshes)
        vertices += scene::shaded_vertices(mesh);
    return vertices > limits.vertices;
}

LoadResult<scene::Scene> read_scene(const FileDescriptor& memory, std::uint64_t limit,
                                    const ClientOptions& options)
{
    auto mapped = seal_and_map(memory, limit);
    if (!mapped) return std::unexpected(mapped.error());
    const auto mapping = std::make_shared<MemoryMapping>(std::move(*mapped));
    auto scene = scene::decode_blob_in_place(mapping->writable_bytes(), mapping);
    if (!scene) return invalid_result(scene.error().where, scene.error().detail);
    if (const auto valid = scene::validate(*scene, scene::FlatMeshes::allowed); !valid)
        return invalid_result(valid.error().where, valid.error().detail);
    if (const auto bounded = scene::check_names(*scene); !bounded)
        return invalid_result(bounded.error().where, bounded.error().detail);
    if (exceeds_vertices(*scene, options.limits)) return invalid_result({}, "it has too many vertices");
    return scene;
}

// A killed process ends while its memory is freed, which takes as long as reading the scene of a small model.
// The caller goes on meanwhile: the process of the last call is reaped by the next one, or when this program
// ends.
void end_later(ChildProcess process)
{
    static std::mutex mutex;
    static std::optional<ChildProcess> last;
    const std::scoped_lock lock(mutex);
    last.emplace(std::move(process));
}

enum class End : std::uint8_t { awaited, later };

LoadResult<scene::Scene> load(LoadResult<StartedLoader> loader, const std::vector<BundleFile>& files,
                              const std::string& main_name, const ClientOptions& options, Scope scope,
                              End end = End::awaited)
{
    const auto main = std::ranges::find(files, main_name, &BundleFile::name);
    if (main == files.end()) return fail(LoadErrc::missing_file, main_name, "the file does not exist");
    LoaderJob job = make_job(LoaderCommand::load, options);
    job.scope = scope;
    job.main = static_cast<std::uint32_t>(main - files.begin());
    job.result_bytes = options.memory_bytes;
    for (const auto& file : files)
        job.names.push_back(file.name);
    const auto memory = make_memory_file("vitrine scene");
    // Ends while its result is read.
    auto process = run_job(std::move(loader), job, files, memory.get(), options, {});
    if (!process) return std::unexpected(process.error());
    auto scene = read_scene(memory, job.result_bytes, options);
    if (end == End::later) end_later(std::move(*process));
    return scene;
}

LoadResult<void> unpack(const BundleFile& zip, EntryReceiver& receiver, const ClientOptions& options)
{
    LoaderJob job = make_job(LoaderCommand::unzip, options);
    job.names.push_back(zip.name);
    const auto memory = make_memory_file("vitrine zip"); // stays empty
    const auto sink = [&](const Message& message) { return receiver.take(message); };
    if (auto result = run_job(start_loader(options), job, {zip}, memory.get(), options, sink); !result)
        return std::unexpected(result.error());
    return {};
}

} // namespace

LoadResult<scene::Scene> load_scene(const std::vector<BundleFile>& files, const std::string& main_name,
                                    const ClientOptions& options)
{
    return load(start_loader(options), files, main_name, options, Scope::file);
}

LoadResult<scene::Scene> load_bundle(const std::vector<BundleFile>& files, const std::string& main_name,
                                     const ClientOptions& options)
{
    return load(start_loader(options), files, main_name, options, Scope::upload);
}

LoadResult<scene::Scene> load_with_siblings(const std::filesystem::path& file, ClientOptions options)
{
    auto loader = start_loader(options); // links its libraries while this process lists the files
    auto files = list_sibling_files(file);
    options.package = find_package_root(file);
    std::error_code ignored;
    options.folder = std::filesystem::canonical(file.has_parent_path() ? file.parent_path() : ".", ignored);
    if (!options.package.empty()) add_scripts(files, options.package);
    return load(std::move(loader), files, files.front().name, options, Scope::file, End::later);
}

std::vector<std::uint32_t> find_animations(const std::vector<BundleFile>& models,
                                           const ClientOptions& options)
{
    if (models.empty()) return {};
    LoaderJob job = make_job(LoaderCommand::find_animation_files, options);
    for (const auto& model : models)
        job.names.push_back(model.name);
    const auto memory = make_memory_file("vitrine animation search"); // stays empty
    std::vector<std::uint32_t> found;
    const auto sink = [&](const Message& message) -> LoadResult<void> {
        const bool ascends = found.empty() || message.value > found.back();
        if (message.type != MessageType::entry || message.value >= models.size() || !ascends)
            return invalid_result({}, "the loader process reported files that were not requested");
        found.push_back(static_cast<std::uint32_t>(message.value));
        return {};
    };
    const auto result = run_job(start_loader(options), job, models, memory.get(), options, sink);
    return result ? found : std::vector<std::uint32_t>();
}

std::vector<ModelGroup> find_models(const std::vector<BundleFile>& files, const ClientOptions& options)
{
    std::vector<std::string> names;
    for (const auto& file : files)
        names.push_back(file.name);
    const auto models = model_names(names);
    std::vector<BundleFile> candidates;
    std::vector<std::uint32_t> index;
    for (std::uint32_t i = 0; i < models.size() && models.size() > 1; ++i) {
        if (!may_be_animation_only(models[i])) continue;
        candidates.push_back(*std::ranges::find(files, models[i], &BundleFile::name));
        index.push_back(i);
    }
    auto found = find_animations(candidates, options);
    for (auto& at : found)
        at = index[at];
    auto groups = group_models(models, found);
    add_shared_parts(groups, names);
    return groups;
}

LoadResult<std::vector<BundleFile>> unpack_zip(const std::filesystem::path& zip,
                                               const std::filesystem::path& folder,
                                               const ClientOptions& options)
{
    FolderWriter writer(folder, options.limits);
    if (auto result = unpack({zip.filename().string(), zip}, writer, options); !result)
        return std::unexpected(result.error());
    return std::move(writer).files();
}

LoadResult<void> unpack_zip(const BundleFile& zip, const UnpackSink& sink, const ClientOptions& options)
{
    EntryForwarder forwarder(sink, options.limits);
    return unpack(zip, forwarder, options);
}

} // namespace vitrine::worker
