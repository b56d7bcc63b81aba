#include "server/cli/import.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "server/cli/change_debouncer.hpp"
#include "server/cli/folder_watch.hpp"
#include "server/util/zip_name.hpp"

namespace vitrine::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds min_unchanged_time{
    1000}; // a file and its companions are complete after this time without a change

// Blocks SIGINT and SIGTERM during its lifetime; they can be polled instead.
class BlockedSignals {
public:
    BlockedSignals()
    {
        ::sigemptyset(&signals_);
        ::sigaddset(&signals_, SIGINT);
        ::sigaddset(&signals_, SIGTERM);
        ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
        descriptor_ = ::signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC);
        if (descriptor_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
    }
    ~BlockedSignals() { ::close(descriptor_); }
    BlockedSignals(const BlockedSignals&) = delete;
    BlockedSignals& operator=(const BlockedSignals&) = delete;

    int descriptor() const { return descriptor_; }
    bool raised()
    {
        signalfd_siginfo signal;
        raised_ = raised_ || ::read(descriptor_, &signal, sizeof(signal)) == sizeof(signal);
        return raised_;
    }

private:
    sigset_t signals_{};
    int descriptor_ = -1;
    bool raised_ = false;
};

class Watcher {
public:
    Watcher(const ImportServer& server, const ImportOptions& options)
        : client_(server, [this] { return stop_.raised(); }), options_(options)
    {
    }

    int run(const std::vector<fs::path>& folders)
    {
        for (const auto& folder : folders) {
            if (!fs::is_directory(folder)) {
                fmt::print(stderr, "vitrine: {}: --watch requires folders\n", folder.string());
                return 1;
            }
            roots_.push_back(fs::absolute(folder / "").lexically_normal().parent_path());
        }
        for (const auto& root : roots_) {
            note(watch_.add(root));
            fmt::print(stderr, "watching {}\n", root.string());
        }
        while (!stop_.raised() && any_root_left()) {
            wait_for_something();
            note(watch_.read());
            for (const auto& unit : settling_.take(Clock::now()))
                import(unit);
        }
        if (stop_.raised()) return 0;
        fmt::print(stderr, "vitrine: the watched folders were removed\n");
        return 1;
    }

private:
    using Clock = std::chrono::steady_clock;

    void wait_for_something() const
    {
        auto due = settling_.next();
        auto remaining_ms =
            due ? std::chrono::ceil<std::chrono::milliseconds>(*due - Clock::now()).count() : -1;
        int timeout = due ? static_cast<int>(std::max<long>(remaining_ms, 0)) : -1;
        std::array<pollfd, 2> ends{{{watch_.descriptor(), POLLIN, 0}, {stop_.descriptor(), POLLIN, 0}}};
        ::poll(ends.data(), ends.size(), timeout);
    }

    void note(const std::vector<FolderEvent>& events)
    {
        auto now = Clock::now();
        for (const auto& [path, change] : events) {
            auto unit = unit_of(path);
            switch (change) {
            case FileChange::writing: settling_.writing(unit, path, now); break;
            case FileChange::written: settling_.written(unit, path, now); break;
            case FileChange::removed: settling_.removed(unit, path, now); break;
            }
        }
    }

    // Returns the subfolder of the root that contains `path`; the root itself for a loose file.
    fs::path unit_of(const fs::path& path) const
    {
        auto unit = path.parent_path();
        while (!is_root(unit) && !is_root(unit.parent_path()))
            unit = unit.parent_path();
        return unit;
    }

    bool is_root(const fs::path& folder) const { return std::ranges::find(roots_, folder) != roots_.end(); }

    bool any_root_left() const
    {
        return std::ranges::any_of(roots_, [&](const auto& root) { return watch_.watches(root); });
    }

    void import(const SettledChange& settled)
    {
        if (!is_root(settled.unit)) return import(settled.unit);
        for (const auto& file : settled.files) {
            bool model = !worker::model_names({file.filename().string()}).empty();
            if (model || server::is_zip_name(file.filename().string())) import(file);
        }
    }

    // Errors are printed; the watch continues.
    void import(const fs::path& path)
    {
        if (stop_.raised() || !fs::exists(path)) return;
        try {
            import_path(client_, path, options_);
        } catch (const std::exception& error) {
            fmt::print(stderr, "vitrine: {}: {}\n", path.string(), error.what());
        }
    }

    BlockedSignals stop_; // before the client, whose threads inherit the signal mask
    ImportClient client_;
    ImportOptions options_;
    FolderWatch watch_;
    ChangeDebouncer settling_{min_unchanged_time};
    std::vector<fs::path> roots_;
};

} // namespace

int watch_and_import(const ImportServer& server, const std::vector<fs::path>& folders,
                     const ImportOptions& options)
{
    return Watcher(server, options).run(folders);
}

} // namespace vitrine::cli
