#pragma once
// A sequence of plain values: std::vector, whose elements may instead be a part of memory that others own,
// such as the mapped result of the loader process. Such a view is made without a copy and keeps its memory
// alive.
//
// Elements of a view may be modified, so a view needs memory that is writable and its own: a private mapping,
// of which the kernel copies the modified pages. Functions that change the size copy the elements first.
//
// Threads: as std::vector.

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace vitrine::scene {

template <class T>
class Array {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    using value_type = T;
    using size_type = std::size_t;
    using difference_type = std::ptrdiff_t;
    using reference = T&;
    using const_reference = const T&;
    using iterator = T*;
    using const_iterator = const T*;

    Array() = default;
    // Not explicit: a loader fills a vector and moves it here.
    Array(std::vector<T> values) noexcept : own_(std::move(values)) { refer_to_own(); }
    Array(std::initializer_list<T> values) : Array(std::vector<T>(values)) {}
    explicit Array(std::size_t count) : Array(std::vector<T>(count)) {}
    Array(std::size_t count, const T& value) : Array(std::vector<T>(count, value)) {}
    template <std::input_iterator Iterator>
    Array(Iterator first, Iterator last) : Array(std::vector<T>(first, last))
    {
    }
    // A view of elements that exist as long as `owner`.
    Array(std::span<T> elements, std::shared_ptr<const void> owner) noexcept
        : data_(elements.data()), size_(elements.size()), owner_(std::move(owner))
    {
    }

    Array(const Array& other) : Array(std::vector<T>(other.begin(), other.end())) {}
    Array(Array&& other) noexcept { swap(other); }
    Array& operator=(const Array& other)
    {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    Array& operator=(Array&& other) noexcept
    {
        Array moved(std::move(other));
        swap(moved);
        return *this;
    }
    Array& operator=(std::initializer_list<T> values)
    {
        assign(values.begin(), values.end());
        return *this;
    }
    ~Array() = default;

    void swap(Array& other) noexcept
    {
        own_.swap(other.own_);
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        owner_.swap(other.owner_);
    }

    bool is_view() const { return owner_ != nullptr; }
    bool empty() const { return size_ == 0; }
    std::size_t size() const { return size_; }
    std::size_t capacity() const { return is_view() ? size_ : own_.capacity(); }
    T* data() { return data_; }
    const T* data() const { return data_; }
    T* begin() { return data_; }
    const T* begin() const { return data_; }
    const T* cbegin() const { return data_; }
    T* end() { return data_ + size_; }
    const T* end() const { return data_ + size_; }
    const T* cend() const { return data_ + size_; }
    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    T& at(std::size_t i) { return data_[checked(i)]; }
    const T& at(std::size_t i) const { return data_[checked(i)]; }
    T& front() { return data_[0]; }
    const T& front() const { return data_[0]; }
    T& back() { return data_[size_ - 1]; }
    const T& back() const { return data_[size_ - 1]; }

    void clear()
    {
        owner_.reset();
        own_.clear();
        refer_to_own();
    }
    void reserve(std::size_t count)
    {
        own().reserve(count);
        refer_to_own();
    }
    void shrink_to_fit()
    {
        if (is_view()) return;
        own_.shrink_to_fit();
        refer_to_own();
    }
    void resize(std::size_t count)
    {
        own().resize(count);
        refer_to_own();
    }
    void resize(std::size_t count, const T& value)
    {
        own().resize(count, T(value));
        refer_to_own();
    }
    void assign(std::size_t count, const T& value)
    {
        assign_with([&](std::vector<T>& values) { values.assign(count, T(value)); });
    }
    template <std::input_iterator Iterator>
    void assign(Iterator first, Iterator last)
    {
        assign_with([&](std::vector<T>& values) { values.assign(first, last); });
    }
    void push_back(const T& value)
    {
        own().push_back(T(value));
        refer_to_own();
    }
    template <class... Arguments>
    T& emplace_back(Arguments&&... arguments)
    {
        own().emplace_back(std::forward<Arguments>(arguments)...);
        refer_to_own();
        return back();
    }
    void pop_back()
    {
        own().pop_back();
        refer_to_own();
    }
    T* insert(const T* at, const T& value) { return insert(at, &value, &value + 1); }
    template <std::input_iterator Iterator>
    T* insert(const T* at, Iterator first, Iterator last)
    {
        const auto index = at - data_;
        own().insert(own_.begin() + index, first, last);
        refer_to_own();
        return data_ + index;
    }
    T* insert(const T* at, std::initializer_list<T> values)
    {
        return insert(at, values.begin(), values.end());
    }
    T* insert(const T* at, std::size_t count, const T& value)
    {
        const auto index = at - data_;
        own().insert(own_.begin() + index, count, T(value));
        refer_to_own();
        return data_ + index;
    }
    T* erase(const T* first, const T* last)
    {
        const auto begin = first - data_, end = last - data_;
        own().erase(own_.begin() + begin, own_.begin() + end);
        refer_to_own();
        return data_ + begin;
    }
    T* erase(const T* at) { return erase(at, at + 1); }

    friend bool operator==(const Array& a, const Array& b)
    {
        if (a.size_ != b.size_) return false;
        for (std::size_t i = 0; i < a.size_; ++i)
            if (!(a.data_[i] == b.data_[i])) return false;
        return true;
    }

private:
    // The vector with the elements, which may grow; refer_to_own() follows each change.
    std::vector<T>& own()
    {
        if (is_view()) {
            own_.assign(data_, data_ + size_);
            owner_.reset();
        }
        return own_;
    }
    std::size_t checked(std::size_t i) const
    {
        if (i >= size_) throw std::out_of_range("Array::at");
        return i;
    }
    // The values assigned may be those of the view.
    template <class Assign>
    void assign_with(Assign fill)
    {
        fill(own_);
        owner_.reset();
        refer_to_own();
    }
    void refer_to_own() noexcept
    {
        data_ = own_.data();
        size_ = own_.size();
    }

    std::vector<T> own_; // empty in a view
    T* data_ = nullptr;
    std::size_t size_ = 0;
    std::shared_ptr<const void> owner_; // null: the elements are those of own_
};

template <class T>
void swap(Array<T>& a, Array<T>& b) noexcept
{
    a.swap(b);
}

template <class T, class Predicate>
std::size_t erase_if(Array<T>& values, Predicate predicate)
{
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        if (!predicate(values[i])) values[kept++] = values[i];
    const std::size_t erased = values.size() - kept;
    values.resize(kept);
    return erased;
}

} // namespace vitrine::scene
