#include "loaders/dae/document/archive.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "loaders/io/archive/unzip.hpp"
#include "loaders/io/percent_encoding.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/io/xml/xml.hpp"

namespace vitrine::dae {
namespace {

constexpr std::string_view manifest_name = "manifest.xml";

} // namespace

bool is_zip(Bytes bytes)
{
    return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'} &&
           (bytes[2] == std::byte{3} || bytes[2] == std::byte{5});
}

LoadResult<ArchiveSource> ArchiveSource::open(Bytes zip, const Limits& limits)
{
    ArchiveSource source;
    std::string* current = nullptr;
    auto unpacked =
        io::unzip(zip, limits,
                  {.begin = [&](std::string_view name) { current = &source.files_[std::string(name)]; },
                   .append = [&](std::string_view bytes) { current->append(bytes); }});
    if (!unpacked) return std::unexpected(unpacked.error());
    for (const auto& [name, bytes] : source.files_)
        source.names_.push_back(name);
    source.main_name_ = source.find_document(limits);
    if (source.main_name_.empty())
        return fail(LoadErrc::missing_file, {}, "the zip contains no COLLADA document");
    if (is_zip(*source.open(source.main_name_)))
        return fail(LoadErrc::unsupported, std::string(manifest_name),
                    fmt::format("{} is a zip instead of a COLLADA document", io::shown(source.main_name_)));
    return source;
}

std::optional<Bytes> ArchiveSource::open(std::string_view name)
{
    const auto found = files_.find(name);
    if (found == files_.end()) return std::nullopt;
    return std::as_bytes(std::span(found->second));
}

std::string ArchiveSource::find_document(const Limits& limits)
{
    const auto manifest = open(manifest_name);
    if (!manifest) return find_nearest();
    const auto document = io::XmlDocument::parse(*manifest, limits);
    const io::XmlNode root = document ? document->root() : io::XmlNode();
    const std::string_view url = root.is("dae_root") ? root.text() : root.child("dae_root").text();
    const auto name = io::normalize_name(io::percent_decode(url.substr(0, url.find('#'))));
    if (name && files_.contains(*name)) return *name;
    std::string nearest = find_nearest();
    if (!nearest.empty())
        warnings_.push_back(
            {.code = "invalid_manifest",
             .message = url.empty() ? fmt::format("it names no document; {} is used", io::shown(nearest))
                                    : fmt::format("{} is not in the zip; {} is used", io::shown(url),
                                                  io::shown(nearest)),
             .where = std::string(manifest_name)});
    return nearest;
}

std::string ArchiveSource::find_nearest() const
{
    const auto depth = [](const std::string& name) { return std::ranges::count(name, '/'); };
    std::string best;
    for (const std::string& name : names_)
        if (io::extension_of(name) == ".dae" && (best.empty() || depth(name) < depth(best))) best = name;
    return best;
}

} // namespace vitrine::dae
