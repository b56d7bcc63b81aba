#include <algorithm>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "loaders/io/resource_name.hpp"
#include "loaders/io/string_hash.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/obj/materials.hpp"
#include "loaders/obj/scan.hpp"

namespace vitrine::obj {
namespace {

// Each distinct name costs a search over all names of the upload.
constexpr std::size_t max_names = 1000;

// Most programs define Tr as 1 - d; Meshlab writes opacity there, `Tr 1` for every opaque material and never
// d. A library without any d, in which a material is opaque by Meshlab's definition and none by the other, is
// read by Meshlab's. By the other definition it would contain an invisible material, which programs do not
// export.
void settle_transparency(std::vector<MtlMaterial>& library)
{
    const auto has_transparency = [&](float value) {
        return std::ranges::any_of(library, [&](const auto& m) { return m.transparency == value; });
    };
    const bool has_dissolve =
        std::ranges::any_of(library, [](const auto& m) { return m.dissolve.has_value(); });
    if (has_dissolve || !has_transparency(1.0f) || has_transparency(0.0f)) return;
    for (MtlMaterial& material : library)
        material.dissolve = material.transparency;
}

class LibraryReader {
public:
    LibraryReader(Source& source, const Limits& limits, io::WarningLog& warnings)
        : source_(source), limits_(limits), warnings_(warnings)
    {
    }

    // Reads the library or libraries of one mtllib line.
    void read(const NamedReference& library)
    {
        place_ = fmt::format("line {}", library.line);
        read_line(library.name);
    }

    bool has_read() const { return !files_.empty(); }

    // Reads the library with the file's own name; no warning when it is missing. `reason`: why it is needed.
    void read_companion(const NamedReference& first_material, std::string_view reason)
    {
        place_ = fmt::format("line {}", first_material.line);
        const std::string& main = source_.main_name();
        const std::string name = main.substr(0, main.size() - io::extension_of(main).size()) + ".mtl";
        const std::string base(io::base_name(name));
        if (!read_file(base)) return;
        warnings_.add("mtl_companion",
                      fmt::format("{}; {} next to the file is used", reason, io::shown(base)), place_);
    }

    std::vector<MtlMaterial> take() { return std::move(materials_); }

private:
    // One name that may contain blanks or be quoted, several names with an extension, or single words.
    void read_line(const std::string& line)
    {
        if (!asked_.insert(line).second || asked_.size() > max_names) return;
        if (read_file(line)) return;
        if (line.size() > 2 && line.starts_with('"') && line.ends_with('"'))
            return read_line(line.substr(1, line.size() - 2));
        if (const auto name = without_comment(line); name != line) return read_line(std::string(name));
        for (const std::string& name : split(line)) {
            if (name != line && asked_.insert(name).second && asked_.size() <= max_names && read_file(name))
                continue;
            if (!opened(name)) report_missing(name);
        }
    }

    // "a.mtl my b.mtl" is "a.mtl" and "my b.mtl"; without that extension, single words.
    static std::vector<std::string> split(const std::string& line)
    {
        std::vector<std::string> names;
        std::string name;
        for (std::size_t at = 0; at <= line.size(); ++at) {
            const bool blank = at == line.size() || line[at] == ' ' || line[at] == '\t';
            if (!blank) name += line[at];
            if (!blank || name.empty()) continue;
            if (at == line.size() || io::extension_of(name) == ".mtl")
                names.push_back(std::exchange(name, {}));
            else
                name += ' ';
        }
        return names;
    }

    bool opened(const std::string& name) const { return opened_.contains(name); }

    void report_missing(const std::string& name)
    {
        warnings_.add("missing_library", fmt::format("the material library {} is missing", io::shown(name)),
                      place_);
    }

    bool read_file(const std::string& name)
    {
        const auto found = io::resolve(source_, name);
        if (!found) return false;
        opened_.insert(name);
        if (found->match == io::Match::elsewhere) {
            warnings_.add("found_elsewhere",
                          fmt::format("the material library {} is missing; the file {} is used",
                                      io::shown(name), io::shown(found->name)),
                          place_);
        }
        if (files_.insert(found->name).second) parse(found->name);
        return true;
    }

    void parse(const std::string& file)
    {
        const auto bytes = source_.open(file);
        bytes_ += bytes ? bytes->size() : 0;
        if (!bytes || bytes->size() > limits_.file_bytes || bytes_ > limits_.total_bytes) {
            warnings_.add("missing_library",
                          fmt::format("the material library {} cannot be read", io::shown(file)), place_);
            return;
        }
        std::string storage;
        const std::size_t room =
            limits_.materials - std::min<std::size_t>(materials_.size(), limits_.materials);
        auto parsed = parse_mtl(io::as_text(*bytes, storage), file, room, warnings_);
        settle_transparency(parsed);
        std::ranges::move(parsed, std::back_inserter(materials_));
    }

    Source& source_;
    const Limits& limits_;
    io::WarningLog& warnings_;
    std::vector<MtlMaterial> materials_;
    std::unordered_set<std::string, io::StringHash> asked_, opened_;
    std::set<std::string> files_;
    std::string place_; // of the current line
    std::uint64_t bytes_ = 0;
};

} // namespace

std::vector<MtlMaterial> read_libraries(Source& source, const Limits& limits,
                                        const std::vector<NamedReference>& libraries,
                                        const std::vector<NamedReference>& used, io::WarningLog& warnings)
{
    LibraryReader reader(source, limits, warnings);
    for (const NamedReference& library : libraries)
        reader.read(library);
    if (!reader.has_read() && !used.empty())
        reader.read_companion(used.front(), libraries.empty() ? "the file names no library"
                                                              : "all libraries of the file are missing");
    return reader.take();
}

} // namespace vitrine::obj
