#pragma once
// One job from start to answer, on the parent's side: starts the loader process, opens for it the files that
// it asks for, keeps the deadline, reaps it. When run_job returns the process is gone.

#include <functional>
#include <vector>

#include "loaders/worker/client/client.hpp"
#include "loaders/worker/protocol/descriptor.hpp"
#include "loaders/worker/protocol/protocol.hpp"

namespace vitrine::worker {

// Takes an `entry` or `data` message; its error ends the job.
using EntrySink = std::function<LoadResult<void>(const Message&)>;

// `files[i]` is what the child gets for index i. `result` is the memfd it writes. `sink` may be empty: then
// such messages break the protocol.
LoadResult<void> run_job(const Job& job, const std::vector<BundleFile>& files, int result,
                         const ClientOptions& options, const EntrySink& sink);

// An anonymous file in memory, close-on-exec, sealable.
Descriptor make_memory_file(const char* name);

} // namespace vitrine::worker
