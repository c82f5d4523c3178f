/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/net/tcp and tcp6.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATE_LISTENS = 10 };

/* Each word of an address stands there as a number of this machine, so with its bytes turned round on most. `text`:
 * "0100007F:1F90". */
static bool read_name(const char *text, char *ret_name, size_t bytes)
{
    uint32_t words[4] = {0};
    unsigned port;
    size_t count = 0;
    for (; count < 4 && sscanf(text, "%8" SCNx32, &words[count]) == 1 && strlen(text) > 8; count++, text += 8)
        if (text[8] == ':')
            break;
    if (count == 4 || strlen(text) <= 8 || text[8] != ':' || sscanf(text + 9, "%4x", &port) != 1)
        return false;
    struct sockaddr_storage address = {.ss_family = count == 0 ? AF_INET : AF_INET6};
    if (count == 0) {
        struct sockaddr_in *internet = (struct sockaddr_in *)&address;
        internet->sin_addr.s_addr = words[0];
        internet->sin_port = htons((uint16_t)port);
    } else {
        struct sockaddr_in6 *internet = (struct sockaddr_in6 *)&address;
        memcpy(&internet->sin6_addr, words, sizeof internet->sin6_addr);
        internet->sin6_port = htons((uint16_t)port);
    }
    socket_name_write(&address, sizeof address, ret_name, bytes);
    return true;
}

static bool read_line(const char *line, struct open_socket *ret_socket)
{
    char local[48], peer[48];
    struct open_socket socket = {.kind = SOCKET_TCP, .silent_s = -1};
    if (sscanf(line, " %*[^:]: %47s %47s %" SCNx32 " %" SCNx64 ":%" SCNx64 " %*x:%*x %" SCNx32 " %*u %*u %" SCNu64,
               local, peer, &socket.state, &socket.unsent_bytes, &socket.unread_bytes, &socket.retransmissions,
               &socket.inode) != 7)
        return false;
    if (socket.state == STATE_LISTENS) /* the queues are of connections */
        socket.unsent_bytes = socket.unread_bytes = 0;
    if (!read_name(local, socket.local, sizeof socket.local) || !read_name(peer, socket.peer, sizeof socket.peer))
        return false;
    *ret_socket = socket;
    return true;
}

static void visit_table(const char *proc, pid_t pid, const char *file,
                        void (*visit)(void *context, const struct open_socket *socket), void *context)
{
    size_t bytes;
    char *table = read_process_file(proc, pid, file, &bytes);
    for (char *line = table, *end; line != NULL && *line != '\0'; line = end) {
        struct open_socket socket;
        end = line + strcspn(line, "\n");
        end += *end == '\n' ? (*end = '\0', 1) : 0;
        if (read_line(line, &socket))
            visit(context, &socket);
    }
    free(table);
}

void tcp_table_visit(const char *proc, pid_t pid, void (*visit)(void *context, const struct open_socket *socket),
                     void *context)
{
    visit_table(proc, pid, "net/tcp", visit, context);
    visit_table(proc, pid, "net/tcp6", visit, context);
}
