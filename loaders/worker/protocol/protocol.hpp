#pragma once
// Messages between parent and loader process and their serialization, without sockets. Both programs are
// built together, so the layout may change; `hello` still carries a version, so that mismatched programs fail
// with an error message.
//
//   child              parent
//   hello(version) ->
//               <-     job + {descriptor of the job's bytes, descriptor of the memfd for the result}
//   open(index) ->
//               <-     file(size) + {read-only descriptor}, or file(absent)
//   open_outside(name) ->                        only if `package` or `surroundings` of the job allows it
//               <-     file, as above
//   find_sibling_image(name) ->                  only if `surroundings` of the job allows it
//               <-     file, as above; its payload is the name of the file found
//   entry(name), data(bytes) ...                 unzip; entry(name) with the value `skipped` has no data
//   entry() with the file's index as value ... find_animation_files
//   done | error(code, where, detail) | forbidden(system call) ->
//
// The parent trusts nothing: unknown types, lengths and values end the session.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/base/extrapolation_policy.hpp"
#include "loaders/io/input.hpp"

namespace vitrine::worker {

inline constexpr std::uint32_t protocol_version = 7;
inline constexpr std::size_t payload_limit = 64 * 1024;
inline constexpr std::uint64_t skipped = 1;    // value of `entry`
inline constexpr std::uint64_t absent = ~0ull; // value of `file` if the file cannot be read

enum class MessageType : std::uint32_t {
    hello = 1,
    job,
    open,
    open_outside,
    find_sibling_image,
    file,
    entry,
    data,
    done,
    error,
    forbidden
};

// The header of every message.
struct MessageHead {
    std::uint64_t type = 0;
    std::uint64_t value = 0;
};

struct Message {
    MessageType type = MessageType::done;
    std::uint64_t value = 0;
    std::string payload; // at most payload_limit bytes
};

std::string encode_message(const Message& message);
std::optional<Message> decode_message(std::string_view bytes);

// Serialization of LoadError. Reading limits and sanitizes the text (see printable) and maps an unknown code
// to `internal`.
Message to_message(const LoadError& error);
LoadError to_error(const Message& message);

enum class LoaderCommand : std::uint32_t {
    load,
    unzip,
    find_animation_files // which of the files are animation-only
};
enum class Scope : std::uint32_t { file, upload }; // see Source::is_whole_upload

// Whether the loader process may run without a system call filter if the kernel has none.
enum class FilterRequirement : std::uint32_t { required, if_possible };

// Whether the clips are those of the file, or one clip with all curves (ExtrapolationOptions::single_clip).
enum class TimelineMode : std::uint32_t { clips, single_clip };

// Whether the files are in an unpacked game package, from which images may be requested by name.
enum class PackageAccess : std::uint32_t { none, readable };

// Whether files around the model's folder may be requested (loaders/worker/files/surroundings.hpp).
enum class SurroundingsAccess : std::uint32_t { none, readable };

// Whether the result has the pixels of images; they are checked in both cases.
enum class PixelResult : std::uint32_t { returned, left_out };

struct LoaderJob {
    LoaderCommand command = LoaderCommand::load;
    Scope scope = Scope::file;
    FilterRequirement filter = FilterRequirement::required;
    ExtrapolationPolicy extrapolation_policy = ExtrapolationPolicy::extrapolated;
    TimelineMode timeline_mode = TimelineMode::clips;
    PackageAccess package = PackageAccess::none;
    SurroundingsAccess surroundings = SurroundingsAccess::none;
    PixelResult pixels = PixelResult::returned;
    std::optional<double> pose_time{}; // ExtrapolationOptions::pose_time
    std::uint32_t main = 0;            // index into names
    std::uint64_t memory_bytes = 0;
    std::uint64_t result_bytes = 0; // maximum size written to the memfd
    std::uint64_t cpu_seconds = 0;
    Limits limits;
    std::vector<std::string> names;
};

std::string encode_job(const LoaderJob& job);
std::optional<LoaderJob> decode_job(std::string_view bytes);

} // namespace vitrine::worker
