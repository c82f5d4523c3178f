/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The sockets that a process of this host has open: in which state, with whom, what waits in them.
 */
#ifndef MPILENS_INSPECT_KERNEL_OPEN_SOCKETS_H
#define MPILENS_INSPECT_KERNEL_OPEN_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum socket_kind {
    SOCKET_TCP,
    SOCKET_UNIX,
    SOCKET_KINDS,
};

enum { MOST_SOCKET_NAME = 112 };

struct open_socket {
    enum socket_kind kind;
    uint64_t inode;
    uint32_t state;               /* of TCP: as TCP_ESTABLISHED of <netinet/tcp.h>; else 0 */
    char local[MOST_SOCKET_NAME]; /* "10.0.0.1:41234", "[fe80::1]:80", "/run/pmix", "@abstract": any bytes; "": none */
    char peer[MOST_SOCKET_NAME];
    uint64_t unsent_bytes; /* that were given to it, and that the other end has not acknowledged, or not read */
    uint64_t unread_bytes; /* that have come, and that the process has not read */
    bool counts_bytes;     /* whether the next three are known */
    uint64_t sent_bytes;   /* acknowledged so far */
    uint64_t received_bytes;
    double silent_s;          /* since the last data came, or since the connection was made */
    uint32_t retransmissions; /* in a row, of what was sent and not acknowledged */
};

struct open_sockets {
    struct open_socket *items;
    size_t count;
    size_t left_out; /* beyond a few hundreds */
};

/* Sockets of TCP, and of the UNIX domain with connections. Copies each descriptor for a moment (pidfd_getfd(2)), which
 * works in every network namespace; where the kernel does not let us, the tables of TCP in /proc/PID/net, which do not
 * count bytes. 0, to be cleared, or -1: the process must not be read, or has ended. */
int open_sockets_read(pid_t pid, struct open_sockets *ret_sockets);
void open_sockets_clear(struct open_sockets *sockets);

/* "ESTABLISHED", "SYN_SENT"; "" of others than TCP. */
const char *socket_state_name(const struct open_socket *socket);
/* Whether something waits in it, or it is not a whole connection, nor waits for one. */
bool socket_is_troubled(const struct open_socket *socket);

#endif
