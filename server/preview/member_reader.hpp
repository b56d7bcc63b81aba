#pragma once
// Typed members of a JSON object in a message of the viewer, and the readers of larger members.

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "server/preview/client_messages.hpp"

namespace vitrine::server {

// Reads the members of one object; stops at the first invalid value.
class MemberReader {
public:
    explicit MemberReader(const boost::json::object& object) : object_(object) {}

    const boost::json::value* find(std::string_view name)
    {
        known_.emplace_back(name);
        return object_.if_contains(name);
    }
    std::optional<double> number(std::string_view name, double min, double max)
    {
        auto value = find(name);
        if (!value) return std::nullopt;
        return read_number(*value, name, min, max);
    }
    std::optional<bool> flag(std::string_view name)
    {
        auto value = find(name);
        if (!value) return std::nullopt;
        if (value->is_bool()) return value->as_bool();
        reject(name, "must be true or false");
        return std::nullopt;
    }
    std::optional<std::string> text(std::string_view name)
    {
        auto value = find(name);
        if (!value) return std::nullopt;
        if (value->is_string()) return std::string(value->as_string());
        reject(name, "must be a string");
        return std::nullopt;
    }
    std::optional<double> read_number(const boost::json::value& value, std::string_view name, double min,
                                      double max)
    {
        boost::system::error_code error;
        double number = value.is_number() ? value.to_number<double>(error) : NAN;
        if (!error && std::isfinite(number) && number >= min && number <= max) return number;
        reject(name, "must be a number within the limits");
        return std::nullopt;
    }
    void reject(std::string_view name, std::string_view why)
    {
        if (!error_) error_ = MessageError{"bad_value", std::string(name) + " " + std::string(why)};
    }
    const std::optional<MessageError>& error() const { return error_; }
    std::optional<MessageError> unknown() const
    {
        for (const auto& member : object_) {
            if (std::find(known_.begin(), known_.end(), std::string_view(member.key())) != known_.end())
                continue;
            return MessageError{"unknown_member", std::string(member.key()) + " is unknown and was ignored"};
        }
        return std::nullopt;
    }

private:
    const boost::json::object& object_;
    std::vector<std::string> known_;
    std::optional<MessageError> error_;
};

// Finds a clip of the asset as scene::ClipLookup::exact does.
std::optional<std::uint32_t> find_clip(const std::vector<api::PreviewClip>& clips, std::string_view text);
// Whether the text, "ASSET:NAME", may address a clip of another asset.
bool names_other_clip(const std::vector<api::PreviewClip>& own, std::string_view text);

// Reads layers, adjusted joints, reaches and attachments, each as its text or as an object, which becomes the
// text: both have one grammar and the same limits.
void read_animation(MemberReader& reader, const std::vector<api::PreviewClip>& clips, ViewChange& view);

// Reads variant or skin, skinning, lod, hide, only, surface, overlays, background, crowd and ghosts.
// `variants`: names of the asset's material variants.
void read_appearance(MemberReader& reader, std::span<const std::string> variants, ViewChange& view);

} // namespace vitrine::server
