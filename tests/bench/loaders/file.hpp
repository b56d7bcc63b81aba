#pragma once
// A file written by a generator; throws on write errors.

#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace vitrine::bench {

class OutFile {
public:
    explicit OutFile(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "wb"))
    {
        if (!file_) throw std::runtime_error("cannot write " + path.string());
    }
    ~OutFile() noexcept(false)
    {
        flush();
        if (std::fclose(file_.release()) != 0) throw std::runtime_error("cannot write: is the disk full?");
    }
    OutFile(const OutFile&) = delete;

    void write(std::string_view text)
    {
        buffer_.append(text);
        if (buffer_.size() > 1 << 20) flush();
    }
    template <class Format, class... Arguments> // FMT_COMPILE(...)
    void print(const Format& format, const Arguments&... arguments)
    {
        fmt::format_to(std::back_inserter(buffer_), format, arguments...);
        if (buffer_.size() > 1 << 20) flush();
    }

    // For code that is not time-critical: the format string is parsed at run time.
    template <class... Arguments>
    void print_once(std::string_view format, const Arguments&... arguments)
    {
        write(fmt::vformat(format, fmt::make_format_args(arguments...)));
    }

private:
    void flush()
    {
        if (std::fwrite(buffer_.data(), 1, buffer_.size(), file_.get()) != buffer_.size())
            throw std::runtime_error("cannot write: is the disk full?");
        buffer_.clear();
    }

    std::unique_ptr<std::FILE, decltype([](std::FILE* file) { std::fclose(file); })> file_;
    std::string buffer_;
};

} // namespace vitrine::bench
