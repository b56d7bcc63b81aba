#pragma once
// A shared library that is loaded at its first use, for programs that usually do without it: they start
// earlier. Its functions are found by name; their types come from the header that was compiled.

#include <cstdlib>

#include <dlfcn.h>

namespace vitrine {

class LateLibrary {
public:
    // `file`: a name that the dynamic linker searches for. The library stays loaded.
    explicit LateLibrary(const char* file) : handle_(::dlopen(file, RTLD_NOW | RTLD_LOCAL)) {}

    // False if it is not installed.
    bool is_loaded() const { return handle_ != nullptr; }

    // Null if the library is not loaded or has no such function.
    template <class Function>
    Function* find(const char* name) const
    {
        void* const symbol = handle_ != nullptr ? ::dlsym(handle_, name) : nullptr;
        return reinterpret_cast<Function*>(symbol);
    }

    // The same; ends the process by abort() if there is none.
    template <class Function>
    Function* require(const char* name) const
    {
        auto* const function = find<Function>(name);
        if (function == nullptr) std::abort();
        return function;
    }

private:
    void* handle_;
};

using LateFunction = void(); // a function of any type

} // namespace vitrine

// Defines the C function `name` of a library; it forwards to late_function("name") of the source file, a
// LateFunction* that is asked for at the first call and throws if there is none.
// NOLINTBEGIN(cppcoreguidelines-macro-usage, bugprone-macro-parentheses)
#define VITRINE_FORWARD(Result, name, parameters, arguments)                                                 \
    Result name parameters                                                                                   \
    {                                                                                                        \
        static auto* const function = reinterpret_cast<decltype(name)*>(late_function(#name));               \
        return function arguments;                                                                           \
    }
// NOLINTEND(cppcoreguidelines-macro-usage, bugprone-macro-parentheses)
