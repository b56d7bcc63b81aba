#include "server/handlers/downloads/export_members.hpp"

#include <span>
#include <variant>
#include <vector>

#include "server/routing/request_watch.hpp"
#include "server/services/scene_queries/scene_queries.hpp"

namespace vitrine::server {
namespace {

Result<AssetRecord> find_imported(const DownloadMember& member, const Catalog& catalog)
{
    auto asset = catalog.find_version(member.asset, member.version);
    if (!asset || !asset->format.empty()) return asset;
    if (asset->status == AssetStatus::importing)
        return make_error(Errc::conflict, "not_imported", "it is being imported");
    return make_error(Errc::conflict, "import_failed",
                      asset->problem ? asset->problem->detail : "its import has failed");
}

MemberContent content_of(const DerivedFile& made)
{
    return {.size_bytes = made.size_bytes,
            .read = [file = made.file](std::uint64_t offset, std::size_t count) {
                return file->read(offset, count, "export.glb");
            }};
}

// The memory is counted until the member was read.
Result<MemberContent> content_of(const SharedBytes& made, ResponseBudget& budget)
{
    try {
        return MemberContent{
            .size_bytes = made->size(),
            .read = [made, hold = budget.reserve(made->size())](std::uint64_t offset, std::size_t count) {
                const auto part = std::span(*made).subspan(offset, count);
                return std::vector(part.begin(), part.end());
            }};
    } catch (const ResponsesFull& full) {
        return make_error(Errc::busy, "responses_full", full.what(), 5);
    }
}

Result<MemberContent> make_export(const DownloadMember& member, Context& context)
{
    auto& services = context.services;
    const auto asset = find_imported(member, services.catalog);
    if (!asset) return std::unexpected(asset.error());
    const auto made = export_glb(services.scenes, services.derived, *asset, scene::none);
    if (!made) return std::unexpected(made.error());
    if (const auto* file = std::get_if<DerivedFile>(&*made)) return content_of(*file);
    return content_of(std::get<SharedBytes>(*made), context.responses);
}

} // namespace

ZipSource::MakeExport make_exports(const Request& request, Context& context)
{
    return [&context, peer = request.socket](const DownloadMember& member) -> Result<MemberContent> {
        RequestWatch::Work work(context.request_watch, peer);
        Result<MemberContent> made;
        const auto answered = work.answer([&]() -> HandlerResult {
            made = make_export(member, context);
            return Response{};
        });
        if (answered) return made;
        const auto& late = answered.error();
        return make_error(Errc::unavailable, late.code, late.detail);
    };
}

} // namespace vitrine::server
