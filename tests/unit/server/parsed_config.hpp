#pragma once
// The Config of flags of `vitrine serve`.

#include <algorithm>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "server/config.hpp"

namespace vitrine::server {

inline Config parsed_config(std::vector<std::string> words)
{
    Config config;
    CLI::App app;
    declare_config(app, config);
    std::ranges::reverse(words); // CLI11 requires reverse order
    app.parse(words);
    return config;
}

// Reads flags many times: declaring the options takes far longer than reading a few.
class ServeOptions {
public:
    ServeOptions() { declare_config(app, config_); }
    void parse(std::vector<std::string> words)
    {
        std::ranges::reverse(words);
        app.parse(words);
    }
    CLI::App app;

private:
    Config config_;
};

} // namespace vitrine::server
