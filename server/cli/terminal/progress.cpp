#include "server/cli/terminal/progress.hpp"

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "loaders/base/printable.hpp"

namespace vitrine::cli {
namespace {

constexpr std::size_t default_columns = 80;
constexpr std::size_t max_shown_bytes = 4096;
constexpr auto min_redraw_interval = std::chrono::milliseconds(50);

std::size_t terminal_columns()
{
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return default_columns;
    return size.ws_col;
}

bool is_continuation(char c)
{
    return (static_cast<unsigned char>(c) & 0xC0u) == 0x80u;
}

std::size_t characters_in(std::string_view text)
{
    std::size_t count = 0;
    for (const char c : text)
        count += is_continuation(c) ? 0 : 1;
    return count;
}

} // namespace

std::string progress_text(std::size_t done, std::size_t total, std::string_view what, std::size_t columns)
{
    std::string text = total > 0 ? fmt::format("[{}/{}]", done, total) : std::string("reading");
    if (text.size() + 2 > columns) return text.substr(0, columns);
    const std::string name = printable(what, max_shown_bytes);
    std::string_view shown = name;
    for (auto available = columns - text.size() - 1, count = characters_in(shown); count > available;
         --count) {
        shown.remove_prefix(1);
        while (!shown.empty() && is_continuation(shown.front()))
            shown.remove_prefix(1);
    }
    if (shown.empty()) return text;
    return text + ' ' + std::string(shown);
}

std::string progress_bar_text(std::string_view label, double fraction, std::string_view what)
{
    constexpr std::size_t width = 24;
    const double part = std::clamp(fraction, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(part * width);
    return fmt::format("{} [{}{}] {:3.0f}% {}", label, std::string(filled, '#'),
                       std::string(width - filled, '.'), part * 100.0, what);
}

ProgressLine::ProgressLine() : is_terminal_(::isatty(STDERR_FILENO) != 0) {}

bool ProgressLine::is_redraw_due()
{
    if (!is_terminal_) return false;
    const auto now = std::chrono::steady_clock::now();
    if (is_drawn_ && now - last_ < min_redraw_interval) return false;
    last_ = now;
    is_drawn_ = true;
    return true;
}

void ProgressLine::show(std::size_t done, std::size_t total, std::string_view what)
{
    if (is_redraw_due())
        fmt::print(stderr, "\r\033[K{}", progress_text(done, total, what, terminal_columns() - 1));
}

void ProgressLine::show_bar(std::string_view label, double fraction, std::string_view what)
{
    if (is_redraw_due()) fmt::print(stderr, "\r\033[K{}", progress_bar_text(label, fraction, what));
}

void ProgressLine::clear()
{
    if (is_drawn_) fmt::print(stderr, "\r\033[K");
    is_drawn_ = false;
}

} // namespace vitrine::cli
