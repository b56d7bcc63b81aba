#pragma once
// Names of files inside an upload: normalization and look-up of the names that models contain.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// Returns the normalized form, in which all names are stored: relative, parts separated by one '/', no "."
// and no "..". Replaces '\' by '/', removes "./" and repeated slashes, folds "a/../b" to "b". Empty optional
// for a name outside the upload or an invalid name: absolute path, drive letter, scheme ("http:"), a ".."
// above the root, control characters, empty name, more than 1024 bytes. Percent sequences are not decoded;
// decode them first where they apply.
std::optional<std::string> normalize_name(std::string_view raw);

// "folder/" of "folder/file"; empty if there is none.
std::string_view folder_of(std::string_view name);
// "file" of "folder/file" or "C:\folder\file".
std::string_view base_name(std::string_view name);
// "file" of "folder/file.png".
std::string_view stem_of(std::string_view name);
// Returns "tex.png" for the URI reference "tex.png?v=3#top". Empty if there is neither a query nor a
// fragment, or if the part before them has no extension, as in the file name "skin#2.png".
std::string_view without_query(std::string_view uri);
// ".png" of "folder/file.PNG", in lower case; empty if there is none.
std::string extension_of(std::string_view name);
// "folder/file" of "folder/file.png".
std::string_view path_without_extension(std::string_view name);

enum class Match : std::uint8_t {
    exact,     // relative to the main file's folder or the upload's root
    elsewhere, // by base name, ignoring case or Unicode normalization; the loader adds a warning
};

struct ResolvedName {
    std::string name; // one of Source::names()
    Match match = Match::exact;
};

// Returns `raw`, relative to `folder`, in the form "../../a/b" that Source::can_open_outside() expects if it
// leads above the root of the upload; empty optional otherwise.
std::optional<std::string> name_above(std::string_view folder, std::string_view raw);

// Finds the file that a model names: relative to the main file's folder (above the root only if
// Source::can_open_outside() allows it), then relative to the root of the upload, then anywhere, ignoring
// case and Unicode normalization (macOS decomposes accents in zip names); the candidate with the most
// trailing path parts in common with `requested_name` is selected. `requested_name` may be any text,
// including absolute and foreign paths. If no file has that name, the query and fragment of a URI
// ("tex.png?v=3#top") are ignored.
std::optional<ResolvedName> resolve(Source& source, std::string_view requested_name);
// As above for a name found in a file other than the main one: searches that file's `folder` first.
std::optional<ResolvedName> resolve_from(Source& source, std::string_view folder,
                                         std::string_view requested_name);

} // namespace vitrine::io
