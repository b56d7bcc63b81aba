// vitrine-loader: started by the client with a socket as descriptor 3; not meant to be started manually.

#include <cstdio>

#include <sys/socket.h>

#include "loaders/worker/child/child.hpp"
#include "loaders/worker/protocol/process.hpp"

int main()
{
    int type = 0;
    socklen_t size = sizeof type;
    if (::getsockopt(vitrine::worker::child_socket, SOL_SOCKET, SO_TYPE, &type, &size) != 0) {
        std::fputs("vitrine-loader is started by vitrine and takes no arguments\n", stderr);
        return 2;
    }
    return vitrine::worker::run_child(vitrine::worker::FileDescriptor(vitrine::worker::child_socket),
                                      vitrine::worker::formats());
}
