#pragma once
// Values of a statement that is composed at run time.

#include <deque>
#include <optional>
#include <string>

#include <soci/soci.h>

namespace vitrine::server {

class StatementBuilder;

// Must outlive the execution of the statement that they are attached to.
class Binds {
public:
    // Appends the value and returns its placeholder: ":p0".
    std::string add(std::string text);
    std::string add(long long number);
    void attach(soci::statement& statement);
    void attach(StatementBuilder& statement);
    // Takes the values of `next` where the statement reads them. Returns false, and changes nothing, if their
    // number or types differ.
    bool assign(Binds& next);

private:
    struct Value {
        std::string name;
        std::optional<std::string> text;
        long long number = 0;
    };
    std::deque<Value> values_;
};

} // namespace vitrine::server
