#include "loaders/dae/archive.hpp"

#include <algorithm>
#include <span>

#include "loaders/io/base64.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/xml.hpp"
#include "loaders/worker/unzip.hpp"

namespace vitrine::dae {

bool is_zip(Bytes bytes)
{
    return bytes.size() >= 4 && bytes[0] == std::byte{'P'} && bytes[1] == std::byte{'K'} &&
           (bytes[2] == std::byte{3} || bytes[2] == std::byte{5});
}

LoadResult<ArchiveSource> ArchiveSource::open(Bytes zip, const Limits& limits)
{
    ArchiveSource source;
    std::string* current = nullptr;
    auto unpacked = worker::unzip(zip, limits, [&](worker::MessageType type, std::string_view payload) {
        if (type == worker::MessageType::entry)
            current = &source.files_[std::string(payload)];
        else if (current != nullptr)
            current->append(payload);
    });
    if (!unpacked) return std::unexpected(unpacked.error());
    for (const auto& [name, bytes] : source.files_)
        source.names_.push_back(name);
    source.main_name_ = source.find_document(limits);
    if (source.main_name_.empty())
        return fail(LoadErrc::missing_file, {}, "the zip holds no COLLADA document");
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
    if (const auto manifest = open("manifest.xml")) {
        const auto document = io::XmlDocument::parse(*manifest, limits);
        const io::XmlNode root = document ? document->root() : io::XmlNode();
        const std::string_view url = root.is("dae_root") ? root.text() : root.child("dae_root").text();
        const auto name = io::normalise_name(io::percent_decode(url.substr(0, url.find('#'))));
        if (name && files_.contains(*name)) return *name;
    }
    const auto depth = [](const std::string& name) { return std::ranges::count(name, '/'); };
    std::string best;
    for (const std::string& name : names_)
        if (io::extension_of(name) == ".dae" && (best.empty() || depth(name) < depth(best))) best = name;
    return best;
}

} // namespace vitrine::dae
