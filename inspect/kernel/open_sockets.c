/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Asks copies of the descriptors of a process about their sockets.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <errno.h>
#include <linux/sockios.h>
#include <linux/tcp.h> /* libc's struct tcp_info lacks the byte counters */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST_SOCKETS = 512, STATE_ESTABLISHED = 1, STATE_SYN_SENT = 2, STATE_CLOSED = 7, STATE_LISTENS = 10 };

/* A descriptor of the process that is a socket. */
struct found_socket {
    int number;
    uint64_t inode;
};

struct search {
    struct found_socket *items;
    size_t count;
    size_t left_out;
};

static void take_descriptor(void *context, const struct open_descriptor *descriptor)
{
    struct search *search = context;
    if (descriptor->socket == 0)
        return;
    if (search->count == MOST_SOCKETS) {
        search->left_out++;
        return;
    }
    search->items = array_append(search->items, &search->count, sizeof *search->items);
    search->items[search->count - 1] = (struct found_socket){.number = descriptor->number, .inode = descriptor->socket};
}

static int option_of(int copy, int option)
{
    int value = -1;
    socklen_t bytes = sizeof value;
    return getsockopt(copy, SOL_SOCKET, option, &value, &bytes) == 0 ? value : -1;
}

static void ask_names(int copy, struct open_socket *socket)
{
    struct sockaddr_storage address;
    socklen_t bytes = sizeof address;
    if (getsockname(copy, (struct sockaddr *)&address, &bytes) == 0)
        socket_name_write(&address, bytes, socket->local, sizeof socket->local);
    bytes = sizeof address;
    if (getpeername(copy, (struct sockaddr *)&address, &bytes) == 0)
        socket_name_write(&address, bytes, socket->peer, sizeof socket->peer);
}

static void ask_tcp(int copy, struct open_socket *socket)
{
    struct tcp_info information = {0};
    socklen_t bytes = sizeof information;
    if (getsockopt(copy, IPPROTO_TCP, TCP_INFO, &information, &bytes) != 0)
        return;
    socket->state = information.tcpi_state;
    socket->retransmissions = information.tcpi_retransmits;
    socket->silent_s = information.tcpi_last_data_recv / 1e3;
    socket->counts_bytes = bytes >= offsetof(struct tcp_info, tcpi_segs_out);
    socket->sent_bytes = information.tcpi_bytes_acked;
    socket->received_bytes = information.tcpi_bytes_received;
}

static bool ask_socket(int copy, struct open_socket *socket)
{
    const int domain = option_of(copy, SO_DOMAIN);
    const bool is_tcp = (domain == AF_INET || domain == AF_INET6) && option_of(copy, SO_PROTOCOL) == IPPROTO_TCP;
    if (!is_tcp && (domain != AF_UNIX || option_of(copy, SO_TYPE) == SOCK_DGRAM)) /* those are bells of libraries */
        return false;
    socket->kind = is_tcp ? SOCKET_TCP : SOCKET_UNIX;
    ask_names(copy, socket);
    if (is_tcp)
        ask_tcp(copy, socket);
    int unsent = 0, unread = 0;
    if (socket->state != STATE_LISTENS && ioctl(copy, SIOCOUTQ, &unsent) == 0 && unsent > 0)
        socket->unsent_bytes = (uint64_t)unsent;
    if (socket->state != STATE_LISTENS && ioctl(copy, SIOCINQ, &unread) == 0 && unread > 0)
        socket->unread_bytes = (uint64_t)unread;
    return true;
}

/* Whether copies may be made at all. */
static bool ask_copies(pid_t pid, const struct search *search, struct open_sockets *sockets)
{
    const int process = (int)syscall(SYS_pidfd_open, pid, 0);
    bool may_copy = process >= 0;
    for (size_t i = 0; i < search->count && may_copy; i++) {
        const int copy = (int)syscall(SYS_pidfd_getfd, process, search->items[i].number, 0);
        if (copy < 0) {
            may_copy = errno == EBADF; /* closed meanwhile */
            continue;
        }
        struct open_socket socket = {.inode = search->items[i].inode, .silent_s = -1};
        if (ask_socket(copy, &socket)) {
            sockets->items = arena_append(sockets->items, &sockets->count, sizeof *sockets->items);
            sockets->items[sockets->count - 1] = socket;
        }
        close(copy);
    }
    if (process >= 0)
        close(process);
    return may_copy;
}

static bool has_inode(const struct search *search, uint64_t inode)
{
    for (size_t i = 0; i < search->count; i++)
        if (search->items[i].inode == inode)
            return true;
    return false;
}

static void take_entry(void *context, const struct open_socket *socket)
{
    struct open_sockets *sockets = context;
    sockets->items = arena_append(sockets->items, &sockets->count, sizeof *sockets->items);
    sockets->items[sockets->count - 1] = *socket;
}

struct table_search {
    const struct search *search;
    struct open_sockets *sockets;
};

static void take_own_entry(void *context, const struct open_socket *socket)
{
    const struct table_search *table = context;
    if (has_inode(table->search, socket->inode))
        take_entry(table->sockets, socket);
}

/* A socket does not say with whom it is not connected yet; the table does. */
static void take_peer(void *context, const struct open_socket *entry)
{
    struct open_sockets *sockets = context;
    for (size_t i = 0; i < sockets->count; i++) {
        struct open_socket *socket = &sockets->items[i];
        if (socket->kind == SOCKET_TCP && socket->inode == entry->inode && socket->peer[0] == '\0')
            memcpy(socket->peer, entry->peer, sizeof socket->peer);
    }
}

static void find_peers(pid_t pid, struct open_sockets *sockets)
{
    for (size_t i = 0; i < sockets->count; i++)
        if (sockets->items[i].state == STATE_SYN_SENT && sockets->items[i].peer[0] == '\0') {
            tcp_table_visit("/proc", pid, take_peer, sockets);
            return;
        }
}

/* A copy may make us wait: the sender holds the socket while the kernel reads the process's memory, which may be of
 * any kind. */
int open_sockets_read(pid_t pid, struct open_sockets *ret_sockets)
{
    struct search search = {.count = 0};
    struct open_sockets sockets = {.count = 0};
    if (open_descriptors_visit("/proc", pid, take_descriptor, &search) != 0)
        return -1;
    blocked_read_begin(pid);
    const bool has_copies = !blocked_read_is_noted(pid) && ask_copies(pid, &search, &sockets);
    blocked_read_end();
    if (!has_copies && search.count > 0) {
        struct table_search table = {.search = &search, .sockets = &sockets};
        sockets = (struct open_sockets){.count = 0};
        tcp_table_visit("/proc", pid, take_own_entry, &table);
    }
    find_peers(pid, &sockets);
    sockets.left_out = search.left_out;
    free(search.items);
    *ret_sockets = sockets;
    return 0;
}

const char *socket_state_name(const struct open_socket *socket)
{
    static const char *const names[] = {"",          "ESTABLISHED", "SYN_SENT",    "SYN_RECV",   "FIN_WAIT1",
                                        "FIN_WAIT2", "TIME_WAIT",   "CLOSE",       "CLOSE_WAIT", "LAST_ACK",
                                        "LISTEN",    "CLOSING",     "NEW_SYN_RECV"};
    return socket->state < sizeof names / sizeof *names ? names[socket->state] : "";
}

bool socket_is_troubled(const struct open_socket *socket)
{
    const bool is_whole = socket->kind != SOCKET_TCP || socket->state == STATE_ESTABLISHED ||
                          socket->state == STATE_CLOSED || socket->state == STATE_LISTENS;
    return !is_whole || socket->unsent_bytes > 0 || socket->unread_bytes > 0;
}
