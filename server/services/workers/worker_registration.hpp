#pragma once
// The row of this process in the WorkerDirectory: written at the start and every two seconds with what the
// process can do and does, removed at the stop. While the database is away, others see the worker as gone.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "server/services/workers/worker_directory.hpp"

namespace vitrine::server {

class WorkerRegistration {
public:
    // Returns the worker without id, name and times. Called on the thread of the registration.
    using Describe = std::function<api::Worker()>;

    // Writes nothing yet. `directory` outlives the registration.
    WorkerRegistration(const WorkerDirectory& directory, Describe describe,
                       std::chrono::milliseconds interval = std::chrono::milliseconds(2'000));
    ~WorkerRegistration() { stop(); }
    WorkerRegistration(const WorkerRegistration&) = delete;
    WorkerRegistration& operator=(const WorkerRegistration&) = delete;

    void start(); // writes the row, if the database is there, and starts the thread
    void stop();  // ends the thread and removes the row; any number of calls

    const std::string& id() const { return id_; }
    api::Worker current() const; // the row, as it would be written now

private:
    void beat();

    const WorkerDirectory& directory_;
    const Describe describe_;
    const std::chrono::milliseconds interval_;
    const std::string id_;
    const std::string name_;
    const std::int64_t created_;
    bool failed_ = false; // the last heartbeat; reported once
    std::mutex mutex_;    // of stopped_
    std::condition_variable_any stopped_;
    std::jthread thread_; // last, because it uses the members above
};

} // namespace vitrine::server
