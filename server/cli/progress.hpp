#pragma once
// How far a command is, as one line on stderr that is drawn over and wiped in the end. Nothing where stderr
// is no terminal. One thread.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::cli {

// "[3/12] what", on one line of at most `columns` characters; without a total "[3] what". What is too long
// loses its beginning, for names differ at their end.
std::string progress_text(std::size_t done, std::size_t total, std::string_view what, std::size_t columns);

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // At most every 50 ms; what comes between is left out.
    void show(std::size_t done, std::size_t total, std::string_view what);
    void clear();

private:
    bool is_terminal_;
    bool is_drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace vitrine::cli
