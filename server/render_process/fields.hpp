#pragma once
// Writes and reads the fields of messages: numbers unmodified, a text or list after its count (8 bytes), an
// optional value after a byte. Both directions use the same description of a struct:
//
//   void describe(auto& fields, Is<Camera> auto& camera) { fields(camera.yaw, camera.pitch); }

#include <concepts>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <glm/glm.hpp>

#include "loaders/scene/array.hpp"

namespace vitrine::render_process {

// T or const T.
template <class T, class Wanted>
concept Is = std::same_as<std::remove_const_t<T>, Wanted>;

// The last value of an enumeration that starts at 0; specialized by messages.hpp.
template <class Enum>
inline constexpr Enum last_value{};

template <class T>
inline constexpr bool is_plain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <glm::length_t N, class T>
inline constexpr bool is_plain<glm::vec<N, T>> = true;

class FieldWriter {
public:
    template <class... Fields>
    void operator()(const Fields&... fields)
    {
        (write(fields), ...);
    }
    std::string take() { return std::move(bytes_); }

private:
    template <class T>
    void write(const T& value)
    {
        if constexpr (std::is_same_v<T, bool>)
            write(std::uint8_t{value});
        else if constexpr (std::is_enum_v<T>)
            write(static_cast<std::uint8_t>(value));
        else if constexpr (is_plain<T>)
            bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
        else
            describe(*this, value);
    }
    void write(const std::string& text)
    {
        write(std::uint64_t{text.size()});
        bytes_.append(text);
    }
    template <class T>
    void write(const std::optional<T>& value)
    {
        write(value.has_value());
        if (value) write(*value);
    }
    template <class T>
    void write(const std::shared_ptr<const T>& value)
    {
        write(value != nullptr);
        if (value) write(*value);
    }
    template <class T>
    void write(const scene::Array<T>& values)
    {
        write(std::uint64_t{values.size()});
        bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    }
    template <class T>
    void write(const std::vector<T>& values)
    {
        write(std::uint64_t{values.size()});
        for (const auto& value : values)
            write(value);
    }

    std::string bytes_;
};

// Failure is sticky: after the first failure nothing is read and every list stays empty. Memory grows with
// the bytes that are there, not with declared counts.
class FieldReader {
public:
    explicit FieldReader(std::string_view bytes) : bytes_(bytes) {}

    template <class... Fields>
    void operator()(Fields&... fields)
    {
        (read(fields), ...);
    }
    // Whether all bytes were read and were valid.
    bool finish() const { return !failed_ && bytes_.empty(); }

private:
    template <class T>
    void read(T& value)
    {
        if constexpr (std::is_same_v<T, bool>) {
            std::uint8_t byte = 0;
            read(byte);
            if (byte > 1) failed_ = true;
            value = byte == 1;
        } else if constexpr (std::is_enum_v<T>) {
            std::uint8_t number = 0;
            read(number);
            if (number > static_cast<std::uint8_t>(last_value<T>)) failed_ = true;
            if (!failed_) value = static_cast<T>(number);
        } else if constexpr (is_plain<T>) {
            take(&value, sizeof value);
        } else {
            describe(*this, value);
        }
    }
    void read(std::string& text)
    {
        const auto size = read_count();
        text.assign(bytes_.substr(0, size));
        bytes_.remove_prefix(size);
    }
    template <class T>
    void read(std::optional<T>& value)
    {
        bool present = false;
        read(present);
        value.reset();
        if (present && !failed_) read(value.emplace());
    }
    template <class T>
    void read(std::shared_ptr<const T>& value)
    {
        bool present = false;
        read(present);
        value.reset();
        if (!present || failed_) return;
        auto filled = std::make_shared<T>();
        read(*filled);
        value = std::move(filled);
    }
    template <class T>
    void read(scene::Array<T>& values)
    {
        const auto count = read_count();
        if (count > bytes_.size() / sizeof(T)) failed_ = true;
        values.clear();
        if (failed_) return;
        values.resize(count);
        take(values.data(), count * sizeof(T));
    }
    template <class T>
    void read(std::vector<T>& values)
    {
        const auto count = read_count();
        values.clear();
        for (std::size_t i = 0; i < count && !failed_; ++i)
            read(values.emplace_back());
    }
    // Each element has at least one byte.
    std::size_t read_count()
    {
        std::uint64_t count = 0;
        take(&count, sizeof count);
        if (count > bytes_.size()) failed_ = true;
        return failed_ ? 0 : count;
    }
    void take(void* out, std::size_t size)
    {
        if (size > bytes_.size()) failed_ = true;
        if (failed_ || size == 0) return; // no bytes may be at a null pointer
        std::memcpy(out, bytes_.data(), size);
        bytes_.remove_prefix(size);
    }

    std::string_view bytes_;
    bool failed_ = false;
};

} // namespace vitrine::render_process
