#pragma once
// What parent and loader process say to each other, without any socket: messages to bytes and back. The two
// are built together, so the layout is free to change; `hello` carries the version all the same, because a
// stale program beside a new one must fail with a sentence.
//
//   child              parent
//   hello(version) ->
//               <-     job + {descriptor of the job's bytes, descriptor of the memfd for the result}
//   open(index) ->
//               <-     file(size) + {read-only descriptor}, or file(absent)
//   seek(name) ->                                only where Job::package or Job::around say so
//               <-     file, as above
//   beside(name) ->                              only where Job::around says so
//               <-     file, as above, whose payload is the name that it was found by
//   entry(name), data(bytes) ...                 unzip
//   entry() with the file's index as value ...   survey
//   done | error(code, where, detail) | forbidden(system call) ->
//
// The parent believes nothing: unknown types, lengths and values end the conversation.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/base/error.hpp"
#include "loaders/io/input.hpp"

namespace vitrine::worker {

inline constexpr std::uint32_t protocol_version = 5;
inline constexpr std::size_t payload_limit = 64 * 1024;
inline constexpr std::uint64_t absent = ~0ull; // value of `file`: it cannot be read

enum class MessageType : std::uint32_t {
    hello = 1,
    job,
    open,
    seek,
    beside,
    file,
    entry,
    data,
    done,
    error,
    forbidden
};

// What every message begins with.
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

// LoadError on the wire. Reading bounds and cleans the text (see printable) and maps an unknown code to
// `internal`.
Message to_message(const LoadError& error);
LoadError to_error(const Message& message);

enum class Command : std::uint32_t {
    load,
    unzip,
    find_animation_files // which of the files only animate
};
enum class Scope : std::uint32_t { file, whole }; // see Source::is_whole

// Whether the loader process does without a system call filter where the kernel has none.
enum class Filter : std::uint32_t { required, if_possible };

// Whether curves go on outside their keys as the file says, or hold their end values.
enum class ExtrapolationPolicy : std::uint32_t { extrapolated, clamped };

// Whether clips are those of the file, or one that plays all of its curves
// (ExtrapolationOptions::single_clip).
enum class TimelineMode : std::uint32_t { clips, whole };

// Whether the files lie in an unpacked game package, whose pictures may be sought by their names in it.
enum class PackageAccess : std::uint32_t { none, around };

// Whether files around the model's folder may be asked for (surroundings.hpp).
enum class Around : std::uint32_t { closed, readable };

struct Job {
    Command command = Command::load;
    Scope scope = Scope::file;
    Filter filter = Filter::required;
    ExtrapolationPolicy extrapolation_policy = ExtrapolationPolicy::extrapolated;
    TimelineMode timeline_mode = TimelineMode::clips;
    PackageAccess package = PackageAccess::none;
    Around around = Around::closed;
    std::optional<double> moment{}; // ExtrapolationOptions::pose_time
    std::uint32_t main = 0;         // index into names
    std::uint64_t memory_bytes = 0;
    std::uint64_t result_bytes = 0; // what it may write into the memfd
    std::uint64_t cpu_seconds = 0;
    Limits limits;
    std::vector<std::string> names;
};

std::string encode_job(const Job& job);
std::optional<Job> decode_job(std::string_view bytes);

} // namespace vitrine::worker
