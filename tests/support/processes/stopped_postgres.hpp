#pragma once
// A PostgreSQL on this machine whose processes are all stopped by SIGSTOP, as on a machine that hangs: the
// kernel keeps its connections, acknowledges what they are sent, and accepts new ones.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "loaders/base/parse_whole.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::test {

class StoppedPostgres {
public:
    // `url`: of a database whose processes may be stopped, those of this user.
    explicit StoppedPostgres(const std::string& url)
    {
        const pid_t main = main_process(url);
        stop(main); // first: it starts no more
        for (const auto& entry : std::filesystem::directory_iterator("/proc"))
            if (const pid_t pid = to_pid(entry.path().filename()); pid > 0 && parent_of(pid) == main)
                stop(pid);
    }
    ~StoppedPostgres() { go_on(); }
    StoppedPostgres(const StoppedPostgres&) = delete;
    StoppedPostgres& operator=(const StoppedPostgres&) = delete;

    bool is_stopped() const { return stopped_.size() > 1; }
    void go_on()
    {
        for (const pid_t pid : stopped_)
            ::kill(pid, SIGCONT);
        stopped_.clear();
    }

private:
    static pid_t main_process(const std::string& url)
    {
        const auto connection = server::make_dialect(url)->connect(false);
        int pid = 0;
        *connection << "SELECT pg_backend_pid()", soci::into(pid);
        return parent_of(pid); // which ends with its connection
    }
    static pid_t to_pid(const std::string& text) { return parse_whole<pid_t>(text).value_or(0); }
    // "PID (NAME) STATE PARENT ..."; 0 if there is no such process.
    static pid_t parent_of(pid_t pid)
    {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string text;
        std::getline(file, text);
        const auto name_end = text.rfind(')');
        if (name_end == std::string::npos || name_end + 4 > text.size()) return 0;
        const auto parent = text.substr(name_end + 4);
        return to_pid(parent.substr(0, parent.find(' ')));
    }
    void stop(pid_t pid)
    {
        if (pid > 1 && ::kill(pid, SIGSTOP) == 0) stopped_.push_back(pid);
    }

    std::vector<pid_t> stopped_;
};

} // namespace vitrine::test
