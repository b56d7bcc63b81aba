#include "loaders/quake/shader_scripts.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "loaders/base/ascii.hpp"
#include "loaders/io/resource_name.hpp"
#include "loaders/io/text/encoding.hpp"
#include "loaders/io/text/text_reader.hpp"
#include "loaders/quake/image_names.hpp"
#include "loaders/quake/script_tokens.hpp"

namespace vitrine::quake {
namespace {

// A complete game has a megabyte of scripts and three thousand shaders.
constexpr std::uint64_t max_bytes = 64u << 20;
constexpr std::size_t max_scripts = 4'096;
constexpr std::size_t max_shaders = 100'000;

std::string key_of(std::string_view shader)
{
    std::string key = ascii::lower(io::to_utf8(io::path_without_extension(shader)));
    std::ranges::replace(key, '\\', '/');
    return key;
}

} // namespace

const ShaderAppearance* ShaderScripts::find(std::string_view shader)
{
    if (!std::exchange(is_read_, true)) read_all();
    if (definitions_.empty()) return nullptr;
    const auto found = definitions_.find(key_of(shader));
    if (found == definitions_.end()) return nullptr;
    Definition& definition = found->second;
    if (!definition.appearance) definition.appearance = parse_shader(definition.body);
    return &*definition.appearance;
}

void ShaderScripts::read_all()
{
    std::uint64_t bytes_left = max_bytes;
    std::size_t scripts = 0;
    for (const std::string& name : source_.names()) {
        const std::string extension = io::extension_of(name);
        if (extension != ".shader" && extension != ".mtr") continue;
        const auto bytes = ++scripts <= max_scripts ? source_.open(name) : std::nullopt;
        if (!bytes || bytes->size() > bytes_left) {
            const auto reason = scripts > max_scripts ? fmt::format("{} scripts are read", max_scripts)
                                : bytes               ? fmt::format("{} bytes of scripts are read", max_bytes)
                                                      : std::string("it cannot be read");
            warnings_.add("shader_script_skipped", "the shader script is ignored: " + reason, name);
            continue;
        }
        bytes_left -= bytes->size();
        read(io::as_text(*bytes, converted_.emplace_back()));
        if (converted_.back().empty()) converted_.pop_back();
    }
}

// Indexes names and the positions of their definitions; few of them are ever parsed.
void ShaderScripts::read(std::string_view text)
{
    ScriptWords words(text);
    std::string_view name;
    for (auto word = words.next(); !word.text.empty(); word = words.next()) {
        if (!word.opens()) {
            name = word.closes() ? std::string_view() : word.text;
            continue;
        }
        const std::size_t begin = words.at();
        std::size_t end = begin;
        for (std::size_t depth = 1; depth > 0; end = words.at()) {
            word = words.next();
            if (word.text.empty()) break;
            if (word.opens()) ++depth;
            if (word.closes() && --depth == 0) break;
        }
        if (!name.empty() && definitions_.size() < max_shaders)
            definitions_.try_emplace(key_of(name), Definition{text.substr(begin, end - begin), {}});
        name = {};
    }
}

} // namespace vitrine::quake
