#pragma once
// Names of files inside an upload: the one place that decides which names exist and what a name in a model
// means.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "loaders/io/input.hpp"

namespace vitrine::io {

// The only form in which names are kept: relative, parts separated by one '/', no "." and no "..". Turns '\'
// into '/', drops "./" and doubled slashes, folds "a/../b" to "b". Empty optional for what names nothing
// inside an upload: absolute paths, drive letters, schemes ("http:"), a ".." that leaves, control characters,
// an empty name, more than 1024 bytes. Percent sequences are left alone: decode first where they mean
// something.
std::optional<std::string> normalize_name(std::string_view raw);

// "folder/" of "folder/file"; empty where there is none.
std::string_view folder_of(std::string_view name);
// "file" of "folder/file" or "C:\folder\file".
std::string_view base_name(std::string_view name);
// "file" of "folder/file.png".
std::string_view stem_of(std::string_view name);
// "tex.png" of the URI reference "tex.png?v=3#top"; empty where it has neither query nor fragment, or where
// what stands before them has no extension, as in the file name "skin#2.png".
std::string_view without_query(std::string_view uri);
// ".png" of "folder/file.PNG", in lower case; empty where there is none.
std::string extension_of(std::string_view name);

// The form in which resolve() compares names: lower case, accents as one character with their letter
// (Unicode's NFC after full case folding). What is no UTF-8 stays as it is, but for ASCII letters.
std::string case_folded_name(std::string_view name);

enum class Match : std::uint8_t {
    exact,     // beside the main file, as the name says, or from the upload's root
    elsewhere, // only by base name, ignoring case or accents' form: the loader warns
};

struct Resolved {
    std::string name; // out of Source::names()
    Match match = Match::exact;
};

// A name that leads above the root of the upload, in the form "../../a/b": what Source::reaches() takes.
// Empty optional for all others.
std::optional<std::string> name_above(std::string_view folder, std::string_view raw);

// Finds the file that a model names: relative to the main file's folder (above the root only where
// Source::reaches() says so), from the root of the upload, then
// anywhere ignoring case and how accents are put together (macOS takes "é" apart in the names of a zip),
// where the candidate that shares most trailing parts of the path with `wanted` wins. `wanted` may be
// anything a model says, absolute and foreign paths too. Where nothing has that name, the query and the
// fragment of a URI ("tex.png?v=3#top") do not count.
std::optional<Resolved> resolve(Source& source, std::string_view wanted);
// The same for a name that stands in another file than the main one: first beside that, in `folder`.
std::optional<Resolved> resolve_from(Source& source, std::string_view folder, std::string_view wanted);

} // namespace vitrine::io
