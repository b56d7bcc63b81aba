#include "server/config_file.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "server/config.hpp"
#include "server/services/database/dialect.hpp"

namespace vitrine::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_file_bytes = 1 << 20;

// What a file that is read at every start must not contain.
constexpr std::array<std::string_view, 4> command_line_only{"config", "print-config", "help",
                                                            "take-over-blobs"};

using OptionValues = std::vector<std::string>;
using Outcome = std::expected<void, std::string>; // an error is the end of a sentence

std::expected<std::string, std::string> read_file(const fs::path& file)
{
    std::error_code ignored;
    std::ifstream in;
    if (fs::is_regular_file(file, ignored)) in.open(file, std::ios::binary);
    if (!in.is_open()) return std::unexpected("cannot be read");
    std::string text(max_file_bytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > max_file_bytes) return std::unexpected("is larger than 1 MiB");
    return text;
}

std::expected<std::string, std::string> to_word(const toml::node& node)
{
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    return std::unexpected("must be a text, a number, true or false, or a list of these");
}

// The values of an option: of a list each, of a table NAME=VALUE.
std::expected<OptionValues, std::string> to_words(const toml::node& node)
{
    OptionValues words;
    const auto add = [&words](std::string_view prefix, const toml::node& value) -> Outcome {
        auto word = to_word(value);
        if (!word) return std::unexpected(word.error());
        words.push_back(std::string(prefix) + *word);
        return {};
    };
    if (const auto* list = node.as_array()) {
        for (const auto& value : *list)
            if (auto added = add({}, value); !added) return std::unexpected(added.error());
        return words;
    }
    if (const auto* table = node.as_table()) {
        for (const auto& [key, value] : *table)
            if (auto added = add(std::string(key.str()) + '=', value); !added)
                return std::unexpected(added.error());
        return words;
    }
    if (auto added = add({}, node); !added) return std::unexpected(added.error());
    return words;
}

// The option that has this name first: not --no-samples, which is --samples = false.
CLI::Option* find_option(CLI::App& app, std::string_view key)
{
    auto* const option = app.get_option_no_throw("--" + std::string(key));
    return option && option->get_lnames().front() == key ? option : nullptr;
}

Outcome set_option(CLI::Option& option, const toml::node& node)
{
    const bool takes_several = option.get_items_expected_max() > 1;
    auto words = to_words(node);
    if (!words) return std::unexpected(words.error());
    if (!takes_several && (node.is_array() || node.is_table())) return std::unexpected("takes one value");
    if (option.get_items_expected_max() == 0 && !node.is_boolean())
        return std::unexpected("must be true or false");
    if (words->empty()) return {};
    try {
        option.add_result(*std::move(words));
        option.run_callback();
    } catch (const CLI::Error& error) {
        return std::unexpected(error.what());
    }
    return {};
}

// Other users of the machine must not read a secret.
void warn_about_readers(const fs::path& file, const toml::table& table)
{
    struct stat status{};
    if (::stat(file.c_str(), &status) != 0 || (status.st_mode & (S_IRGRP | S_IROTH)) == 0) return;
    const auto* database = table.get_as<std::string>("database");
    const bool has_password = database && printable_location(database->get()) != database->get();
    if (table.contains("token") || has_password)
        fmt::print(stderr, "vitrine: warning: {} has a secret and may be read by others: chmod 600\n",
                   file.native());
}

// Every key of the file, in the order of its lines.
std::vector<std::pair<const toml::key*, const toml::node*>> keys_of(const toml::table& table)
{
    std::vector<std::pair<const toml::key*, const toml::node*>> keys;
    for (const auto& [key, value] : table)
        keys.emplace_back(&key, &value);
    std::ranges::sort(keys, {}, [](const auto& entry) { return entry.first->source().begin.line; });
    return keys;
}

Outcome apply_key(CLI::App& app, CLI::App& known, std::string_view key, const toml::node& value)
{
    if (std::ranges::find(command_line_only, key) != command_line_only.end())
        return std::unexpected("belongs to the command line");
    auto* const option = find_option(known, key);
    if (!option)
        return std::unexpected(
            "is no option of `vitrine serve`; `vitrine serve --help` lists them (--io-threads 4 "
            "is io-threads = 4)");
    if (auto checked = set_option(*option, value); !checked) return checked;
    auto* const target = find_option(app, key);
    if (!target || target->get_envname() != option->get_envname()) return {}; // it means something else
    if (target->count() > 0) return {};                                       // set by a flag or a variable
    return set_option(*target, value);
}

} // namespace

void declare_config_file(CLI::App& app, fs::path& file)
{
    app.add_option(
           "--config", file,
           "TOML file of options (io-threads = 4, listen = [\"0.0.0.0:8080\"]); flags and variables take "
           "precedence over it")
        ->envname("VITRINE_CONFIG");
}

std::expected<void, std::string> apply_config_file(CLI::App& app, const fs::path& file)
{
    if (file.empty()) return {};
    const auto text = read_file(file);
    if (!text) return std::unexpected(fmt::format("{}: {}", file.native(), text.error()));
    const auto parsed = toml::parse(*text);
    if (!parsed)
        return std::unexpected(fmt::format("{}:{}: {}", file.native(), parsed.error().source().begin.line,
                                           parsed.error().description()));
    Config ignored;
    CLI::App known;
    declare_config(known, ignored);
    for (const auto& [key, value] : keys_of(parsed.table()))
        if (auto applied = apply_key(app, known, key->str(), *value); !applied)
            return std::unexpected(fmt::format("{}:{}: {} {}", file.native(), key->source().begin.line,
                                               key->str(), applied.error()));
    warn_about_readers(file, parsed.table());
    return {};
}

} // namespace vitrine::server
