#pragma once
// Runs one job from start to result, in the parent: starts the loader process, opens the files that it
// requests, enforces the deadline.

#include <functional>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/files/file_descriptor.hpp"
#include "loaders/worker/protocol/process.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

// A loader process that was started before its job is known.
struct StartedLoader {
    ChildProcess process;
    FileDescriptor socket; // the parent's end
};

// Starts the loader process and calls ClientOptions::started.
LoadResult<StartedLoader> start_loader(const ClientOptions& options);

// Receives `entry` and `data` messages; an error ends the job.
using EntrySink = std::function<LoadResult<void>(const Message&)>;

// `files[i]` is the file passed to the child for index i. `result` is the memfd it writes. If `sink` is
// empty, such messages violate the protocol. An error of the start is returned. Returns the process, which
// replied that it is done and was killed; its destructor waits until the system has freed its memory. Until
// then it may be writing to `result`, which is therefore sealed before it is read.
LoadResult<ChildProcess> run_job(LoadResult<StartedLoader> loader, const LoaderJob& job,
                                 const std::vector<BundleFile>& files, int result,
                                 const ClientOptions& options, const EntrySink& sink);

// An anonymous, sealable memory file, close-on-exec.
FileDescriptor make_memory_file(const char* name);

} // namespace vitrine::worker
