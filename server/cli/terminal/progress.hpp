#pragma once
// Shows the progress of a command as one line on stderr that is redrawn in place and erased at the end.
// Prints nothing when stderr is not a terminal. Single-threaded.

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace vitrine::cli {

// Formats "[3/12] what" in at most `columns` characters; without a total "reading what". Text that is too
// long is cut at its start, because names differ at their end.
std::string progress_text(std::size_t done, std::size_t total, std::string_view what, std::size_t columns);

// Formats "label [######............]  33% what".
std::string progress_bar_text(std::string_view label, double fraction, std::string_view what);

class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine() { clear(); }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    // Each redraws at most every 50 ms; calls in between are ignored.
    void show(std::size_t done, std::size_t total, std::string_view what);
    void show_bar(std::string_view label, double fraction, std::string_view what);
    void clear();

private:
    bool is_redraw_due();

    bool is_terminal_;
    bool is_drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

} // namespace vitrine::cli
