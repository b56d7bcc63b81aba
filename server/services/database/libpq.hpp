#pragma once
// The functions of libpq, which is loaded late (libpq.cpp), and what is known about waits for its server.

#include <string>

namespace vitrine::server {

// Throws StorageError: the library is not installed.
void* find_pq_function(const char* name);

template <class Function>
Function* pq_function(const char* name)
{
    return reinterpret_cast<Function*>(find_pq_function(name));
}

// The URL of a database with time limits and the name of the program, unless it has its own: a server that
// does not answer is given up after a while.
std::string with_timeouts(std::string url);

// Why the last wait of this thread was given up, in one sentence; empty: it was not.
const std::string& why_wait_was_given_up();

} // namespace vitrine::server
