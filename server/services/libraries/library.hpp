#pragma once
// Libraries: folders of this machine whose models are assets without a copy. Plain values.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/util/clock.hpp"

namespace vitrine::server {

inline constexpr const char* libraries_topic = "libraries"; // of signals: a scan is due
inline constexpr long long max_libraries = 100;
inline constexpr std::size_t max_library_patterns = 100;
inline constexpr std::size_t max_pattern_bytes = 500;

struct NewLibrary {
    std::string name;
    std::string path;                   // absolute, canonical
    std::vector<std::string> include{}; // PathPatterns; of models; empty: all
    std::vector<std::string> ignored{}; // PathPatterns; of files and folders
    std::string created_by{};           // to_text() of a principal
};

enum class LibraryState : std::uint8_t {
    waiting,     // for its first scan
    scanning,    // files are compared and hashed, then assets are made
    ready,       // as the folder was at `scanned`
    unavailable, // the folder cannot be read; nothing has changed
    removing,    // its assets go to the trash
    paused,      // by an admin: no scan begins, and one that runs ends soon
};

std::string_view to_string(LibraryState state);

struct Library : NewLibrary {
    std::string id{}; // "library_..."
    LibraryState state = LibraryState::waiting;
    std::string problem{}; // of the last scan, a sentence; empty: none
    Micros created = 0;
    Micros scanned = 0; // end of the last scan; 0: none has ended
    std::int64_t duration_ms = 0;
    std::int64_t files = 0;   // that are indexed, models and what they may name
    std::int64_t models = 0;  // of these
    std::int64_t skipped = 0; // files and folders that cannot be read, or whose names cannot be stored
    std::int64_t waiting = 0; // files of the running scan that are not indexed yet
};

// What a request changes; nothing: it stays.
struct LibraryChange {
    std::optional<std::string> name{};
    std::optional<std::vector<std::string>> include{}, ignored{};
    std::optional<bool> paused{};
};

// A scan of this process. A later claim of another process ends it.
struct LibraryClaim {
    Library library;
    std::int64_t claim = 0;
};

// How a scan has ended.
struct ScanOutcome {
    LibraryState state = LibraryState::ready;
    std::string problem{};
    std::int64_t duration_ms = 0;
    std::int64_t files = 0, models = 0, skipped = 0;
    std::int64_t pause_s = 0; // until the next scan without a request
};

struct LibraryOptions {
    std::vector<std::filesystem::path> roots{}; // canonical; a library is below one of them
    std::string data{};                         // the server's data folder, canonical; no part of a library
    std::int64_t poll_s = 300;                  // between scans of folders that cannot be watched
    std::int64_t watched_poll_s = 3600;         // and of those that can
};

} // namespace vitrine::server
