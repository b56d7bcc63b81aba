#include "loaders/io/archive/unzip.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <zip.h>

#include "loaders/base/printable.hpp"
#include "loaders/io/archive/zip_library.hpp"
#include "loaders/io/limits.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/system_files.hpp"
#include "loaders/io/text/encoding.hpp"

namespace vitrine::io {
namespace {

bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
bool is_high(char c)
{
    return static_cast<unsigned char>(c) >= 0x80;
}

// The accented letters of code page 437, and its sharp s.
bool is_dos_letter(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 && (byte <= 0x9A || (byte >= 0xA0 && byte <= 0xA5) || byte == 0xE1);
}

// Whether each accented letter is isolated in a word of plain letters, all of one case after the first. The
// second bytes of Japanese characters are letters of both cases.
bool is_dos_name(std::string_view name)
{
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (!is_high(name[i])) continue;
        const char previous = i > 0 ? name[i - 1] : ' ', next = i + 1 < name.size() ? name[i + 1] : ' ';
        const bool clashes = (is_lower(previous) && is_upper(next)) || is_high(previous) || is_high(next);
        const bool has_word = is_lower(previous) || is_upper(previous) || is_lower(next) || is_upper(next);
        if (!is_dos_letter(name[i]) || clashes || !has_word) return false;
    }
    return true;
}

bool is_detected_as_utf8(std::string_view name)
{
    return detect_encoding({&name, 1}) == TextEncoding::utf8;
}

// Encoding of the names that are not UTF-8.
TextEncoding encoding_of(const std::vector<std::string_view>& raw)
{
    std::vector<std::string_view> other_names;
    for (const std::string_view name : raw)
        if (!is_detected_as_utf8(name)) other_names.push_back(name);
    return std::ranges::all_of(other_names, is_dos_name) ? TextEncoding::windows_1252
                                                         : detect_encoding(other_names);
}

std::string sanitized(std::string_view name)
{
    std::string out(name);
    std::ranges::replace_if(
        out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F || c == ':'; }, '_');
    return out;
}

// Returns the entry names as UTF-8. `raw` holds their bytes; `as_dos` holds the names decoded as the format
// specifies for entries not marked as UTF-8 (code page 437), which is rarely correct: Windows writes its own
// code page. Valid UTF-8 is kept; otherwise the names are decoded as Shift-JIS or GBK if all names together
// are plausible in that encoding. Control characters and colons, which names must not contain, become '_'.
std::vector<std::string> zip_names(const std::vector<std::string_view>& raw,
                                   const std::vector<std::string_view>& as_dos)
{
    const TextEncoding encoding = encoding_of(raw);
    const bool is_east_asian = encoding == TextEncoding::shift_jis || encoding == TextEncoding::gbk;
    std::vector<std::string> names;
    names.reserve(raw.size());
    for (std::size_t i = 0; i < raw.size(); ++i) {
        // Trail bytes of Shift-JIS and GBK are never characters that sanitized() replaces.
        const bool as_declared = is_east_asian || is_detected_as_utf8(raw[i]);
        names.push_back(as_declared ? to_utf8(sanitized(raw[i]), encoding) : sanitized(as_dos[i]));
    }
    return names;
}

using Archive = std::unique_ptr<zip_t, decltype([](zip_t* zip) { zip_discard(zip); })>;
using Member = std::unique_ptr<zip_file_t, decltype([](zip_file_t* file) { zip_fclose(file); })>;

LoadErrc code_of(int zip_error)
{
    switch (zip_error) {
    case ZIP_ER_EOF:
    case ZIP_ER_READ: return LoadErrc::truncated;
    case ZIP_ER_MEMORY: return LoadErrc::out_of_memory;
    case ZIP_ER_COMPNOTSUPP:
    case ZIP_ER_ENCRNOTSUPP:
    case ZIP_ER_NOPASSWD: return LoadErrc::unsupported;
    default: return LoadErrc::malformed;
    }
}

std::unexpected<LoadError> zip_failure(zip_error_t* error, std::string where)
{
    return fail(code_of(zip_error_code_zip(error)), std::move(where),
                std::string("the zip cannot be read: ") + zip_error_strerror(error));
}

LoadResult<Archive> open_archive(Bytes zip)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t* source = zip_source_buffer_create(zip.data(), zip.size(), 0, &error);
    zip_t* archive = source != nullptr ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
    if (archive != nullptr) return Archive(archive);
    auto failure = zip_failure(&error, {});
    if (source != nullptr) zip_source_free(source);
    zip_error_fini(&error);
    return failure;
}

class Unzipper {
public:
    Unzipper(zip_t* archive, std::uint64_t zip_bytes, const Limits& limits, const MemberSink& sink)
        : archive_(archive), zip_bytes_(zip_bytes), limits_(limits), sink_(sink)
    {
    }

    LoadResult<void> run();

private:
    std::vector<std::string_view> raw_names(std::uint64_t entries, zip_flags_t flags) const;
    LoadResult<void> member(zip_uint64_t index, const std::string& raw_name);
    LoadResult<void> inflate(zip_uint64_t index, const std::string& name);
    LoadResult<void> check_size(std::uint64_t size, const std::string& name) const;
    LoadResult<void> check_total(std::uint64_t total, const std::string& name) const;
    LoadResult<void> check_declared(std::uint64_t entries) const;
    bool is_link(zip_uint64_t index) const;

    zip_t* archive_;
    std::uint64_t zip_bytes_;
    const Limits& limits_;
    const MemberSink& sink_;
    std::set<std::string> names_;
    std::uint64_t total_ = 0;
};

LoadResult<void> Unzipper::run()
{
    const auto entries =
        static_cast<std::uint64_t>(std::max<zip_int64_t>(zip_get_num_entries(archive_, 0), 0));
    if (entries > limits_.zip_entries)
        return limit_exceeded_error({}, "the zip has " + std::to_string(entries) + " entries", "zip_entries",
                                    limits_.zip_entries);
    if (auto declared = check_declared(entries); !declared) return declared;
    const auto names = zip_names(raw_names(entries, ZIP_FL_ENC_RAW), raw_names(entries, ZIP_FL_ENC_GUESS));
    for (std::uint64_t i = 0; i < entries; ++i)
        if (auto done = member(i, names[i]); !done) return done;
    if (names_.empty()) return fail(LoadErrc::empty, {}, "the zip contains no files");
    return {};
}

// The views stay valid while the archive is open.
std::vector<std::string_view> Unzipper::raw_names(std::uint64_t entries, zip_flags_t flags) const
{
    std::vector<std::string_view> names;
    for (std::uint64_t i = 0; i < entries; ++i) {
        const char* name = zip_get_name(archive_, i, flags);
        names.emplace_back(name != nullptr ? name : "");
    }
    return names;
}

LoadResult<void> Unzipper::member(zip_uint64_t index, const std::string& raw_name)
{
    if (raw_name.ends_with('/') || raw_name.ends_with('\\')) return {};
    const auto name = normalize_name(raw_name);
    if (is_link(index)) {
        if (name) sink_.skip(*name);
        return {};
    }
    const std::string where = printable(raw_name, 100);
    if (!name)
        return fail(LoadErrc::malformed, where,
                    "the name of a zip entry is empty or leads outside the archive");
    if (is_system_file(*name)) {
        sink_.skip(*name);
        return {};
    }
    if (!names_.insert(*name).second)
        return fail(LoadErrc::malformed, where, "the zip contains the name twice");
    return inflate(index, *name);
}

LoadResult<void> Unzipper::inflate(zip_uint64_t index, const std::string& name)
{
    zip_stat_t entry_stat;
    if (zip_stat_index(archive_, index, 0, &entry_stat) != 0)
        return zip_failure(zip_get_error(archive_), name);
    if ((entry_stat.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && entry_stat.encryption_method != ZIP_EM_NONE)
        return fail(LoadErrc::unsupported, name, "the zip entry is encrypted");
    const Member file(zip_fopen_index(archive_, index, 0));
    if (!file) return zip_failure(zip_get_error(archive_), name);
    sink_.begin(name);
    std::array<char, zip_piece_bytes> buffer;
    std::uint64_t size = 0;
    for (;;) {
        const auto got = zip_fread(file.get(), buffer.data(), buffer.size());
        if (got < 0) return zip_failure(zip_file_get_error(file.get()), name);
        if (got == 0) return {};
        size += static_cast<std::uint64_t>(got);
        total_ += static_cast<std::uint64_t>(got);
        if ((entry_stat.valid & ZIP_STAT_SIZE) != 0 && size > entry_stat.size)
            return fail(LoadErrc::malformed, name, "the zip entry has more bytes than it declares");
        if (auto checked = check_size(size, name); !checked) return checked;
        if (auto checked = check_total(total_, name); !checked) return checked;
        sink_.append({buffer.data(), static_cast<std::size_t>(got)});
    }
}

LoadResult<void> Unzipper::check_size(std::uint64_t size, const std::string& name) const
{
    if (size <= limits_.file_bytes) return {};
    return limit_exceeded_error(name, "the unpacked bytes of the zip entry", "file_bytes",
                                limits_.file_bytes);
}

LoadResult<void> Unzipper::check_total(std::uint64_t total, const std::string& name) const
{
    if (total > limits_.zip_bytes)
        return limit_exceeded_error(name, "the unpacked bytes of the zip", "zip_bytes", limits_.zip_bytes);
    if (total / limits_.zip_ratio > zip_bytes_)
        return limit_exceeded_error(name, "the ratio of the unpacked to the packed bytes of the zip",
                                    "zip_ratio", limits_.zip_ratio);
    return {};
}

// Before anything is inflated: a zip that declares too much is rejected, one that declares less than it has
// is found while inflating.
LoadResult<void> Unzipper::check_declared(std::uint64_t entries) const
{
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < entries; ++i) {
        zip_stat_t entry;
        if (zip_stat_index(archive_, i, 0, &entry) != 0 || (entry.valid & ZIP_STAT_SIZE) == 0) continue;
        const auto name = printable(entry.name != nullptr ? entry.name : "", 100);
        if (auto checked = check_size(entry.size, name); !checked) return checked;
        total += entry.size; // at most file_bytes each, and zip_entries of them
        if (auto checked = check_total(total, name); !checked) return checked;
    }
    return {};
}

bool Unzipper::is_link(zip_uint64_t index) const
{
    zip_uint8_t system = 0;
    zip_uint32_t attributes = 0;
    if (zip_file_get_external_attributes(archive_, index, 0, &system, &attributes) != 0) return false;
    return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

} // namespace

LoadResult<void> unzip(Bytes zip, const Limits& limits, const MemberSink& sink)
{
    if (!load_zip_library()) return fail(LoadErrc::internal, {}, "libzip is not installed");
    auto archive = open_archive(zip);
    if (!archive) return std::unexpected(archive.error());
    return Unzipper(archive->get(), zip.size(), limits, sink).run();
}

} // namespace vitrine::io
