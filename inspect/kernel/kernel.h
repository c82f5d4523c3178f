/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kernel's facts about any process: running or asleep, sockets, devices, control groups.
 */
#ifndef MPILENS_INSPECT_KERNEL_KERNEL_H
#define MPILENS_INSPECT_KERNEL_KERNEL_H

#include "base/base.h"
#include "text/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

/* -- control_group.c --
 * How the control groups of a process hold it back (cgroups(7)).
 */

struct control_group_state {
    bool is_frozen;
    uint64_t throttled_periods; /* so far, in which the group or one above it has used up its CPU time */
    uint64_t killed;            /* processes of the group, so far, for lack of memory */
};

/* Reads control groups of version 1 and 2, as far as they can be seen. `proc` is "/proc" and `mounts` "/sys/fs/cgroup"
 * but in tests. */
struct control_group_state control_group_read(const char *proc, const char *mounts, pid_t pid);

/* Thaws the groups of version 1 that have frozen the process, for which SIGKILL waits there; version 2 lets it through.
 * A group is thawed only where `is_ours` says so of all processes in it and below. 0: no group of version 1 freezes it
 * now; -1 and a reason: one still does. `proc` and `mounts` as above. */
int control_group_thaw(const char *proc, const char *mounts, pid_t pid, bool (*is_ours)(void *context, pid_t pid),
                       void *context, struct reason *ret_reason);

/* -- file_locks.c --
 * Locks of files, as of flock(2).
 */

/* The process that holds the lock for which this one waits; 0: it waits for none, or that is not known. `table` is
 * "/proc/locks" but in tests. */
pid_t file_lock_holder(const char *table, pid_t waiter);

/* -- open_sockets.c --
 * The sockets that a process of this host has open: in which state, with whom, what waits in them.
 */

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
 * count bytes. 0, or -1: the process must not be read, or has ended. */
int open_sockets_read(pid_t pid, struct open_sockets *ret_sockets);

/* "ESTABLISHED", "SYN_SENT"; "" of others than TCP. */
const char *socket_state_name(const struct open_socket *socket);
/* Whether something waits in it, or it is not a whole connection, nor waits for one. */
bool socket_is_troubled(const struct open_socket *socket);

/* -- kernel_facts.c -- The kernel's facts about a process that stands still: running or asleep, its open files and
 * sockets, its hindrances. A part of the model (model.h). Texts stand in a pool.
 */

/* clang-format off */
#define OWN_KIND(kind)                          struct kind {
#define KEPT(kind, type, member, json)          type member;
#define LIMITED(kind, type, member, last, json) type member;
#define UNSAVED(kind, type, member, json)       type member;
#define ROWS(kind, row, rows, count, json)      struct row *rows; size_t count;
#define OWN_END(kind)                           };
#include "kernel/kernel_facts.def"
#undef OWN_KIND
#undef KEPT
#undef LIMITED
#undef UNSAVED
#undef ROWS
#undef OWN_END
/* clang-format on */

/* Looks at a process of this host and at one thread of it. Nothing of it is stopped. The texts go into the pool. 0, or
 * -1: there is no such thread. The caller clears the facts. */
int kernel_facts_read(pid_t pid, pid_t thread, struct text_pool *names, struct kernel_facts *ret_facts);
/* Fills what has happened since `before`, which is of the same process. A state that passes by is none: held by a
 * debugger, or in uninterruptible sleep, is who is so both times. */
void kernel_facts_compare(const struct kernel_facts *before, struct kernel_facts *later);
/* Looks once more at what the process shares with others: messages that go to and fro may have left the same behind. */
void kernel_facts_look_again(pid_t pid, struct kernel_facts *facts);
void kernel_facts_clear(struct kernel_facts *facts);

/* "tcp", "unix". */
const char *socket_kind_name(uint32_t kind);

/* -- open_descriptors.c --
 * The files that a process has open, as the kernel names them.
 */

/* One of them; valid during the visit. */
struct open_descriptor {
    int number;
    uint64_t socket;  /* its inode; 0: it is no socket */
    const char *path; /* "/dev/infiniband/uverbs0", "pipe:[4711]": any bytes */
};

/* Calls `visit` for each, but for those beyond a few thousands. `proc` is "/proc" but in tests. 0, or -1: they must not
 * be read, or the process has ended. */
int open_descriptors_visit(const char *proc, pid_t pid,
                           void (*visit)(void *context, const struct open_descriptor *descriptor), void *context);

/* -- thread_state.c -- The state of one thread of a process of this host, as the kernel sees it.
 */

/* How long a thread had a processor and waited for one since it began. The kernel adds the current wait when it ends.
 */
struct thread_times {
    double run_s; /* -1: not known, as the next */
    double waited_s;
};

struct thread_state {
    char state; /* as in ps: R, S, D, T, t, ... */
    struct thread_times times;
    char system_call[32];     /* that it is in: "poll", "system call 321"; "": in none, or not known */
    int descriptor;           /* that this call reads from; -1: it is none that reads, or not known */
    char kernel_function[64]; /* in which it sleeps: "do_epoll_wait"; "": it does not sleep, or that is not known */
};

/* `proc` is "/proc" but in tests. False: there is no such thread. */
bool thread_state_read(const char *proc, pid_t pid, pid_t thread, struct thread_state *ret_state);
/* Only the times, and the state: '\0' where there is no such thread. */
struct thread_times thread_times_read(const char *proc, pid_t pid, pid_t thread, char *ret_state);

/* -- process_manager.c --
 * Whether a rank is connected with what has started it, by which ranks find each other (PMI, PMIx).
 */

enum { MOST_MANAGER_TEXT = 160 };

/* Writes "is connected with its PMIx server at 127.0.0.1:41234", "waits for an answer of its PMI server", "has no
 * connection with its PMIx server at ...", by what the launcher has put into the environment; "": that says nothing.
 * `thread`: of the process, what it does. */
void process_manager_describe(const char *proc, pid_t pid, const struct open_sockets *sockets,
                              const struct thread_state *thread, char ret_text[MOST_MANAGER_TEXT]);

/* -- route_table.c --
 * The table of IPv4 routes in /proc/PID/net: over which network interface a process reaches an address.
 */

/* `address`: "172.17.0.2:1024". `proc` is "/proc" but in tests. False: it is none of IPv4, or there is no such route;
 * *ret_interface is untouched. */
bool route_find_interface(const char *proc, pid_t pid, const char *address, char *ret_interface, size_t bytes);

/* Whether interfaces of this name join containers or virtual machines of one host: "docker0", "virbr0". */
bool interface_is_bridge(const char *interface);

/* -- shared_memory.c --
 * The memory that a process shares with others of its host: whether messages move through it.
 */

/* A number that tells what stands there, of some hundreds of pages that are spread over all that the process may write
 * and that is in memory: another one, almost surely, where that has changed. 0: there is none, or it cannot be read. */
uint64_t shared_memory_digest(pid_t pid);

/* -- socket_name.c --
 * Addresses of sockets as text.
 */

/* "10.0.0.1:41234", "[fe80::1]:80", "/run/pmix", "@abstract" (any bytes), cut to fit; "": it has none. */
void socket_name_write(const struct sockaddr_storage *address, socklen_t address_bytes, char *ret_text, size_t bytes);

/* -- system_call_name.c --
 * Names of system calls.
 */

/* The name of a system call of this machine; NULL: one in which threads seldom stand. */
const char *system_call_name(long long number);

/* -- tcp_table.c --
 * The tables of TCP in /proc/PID/net: all connections of the network namespace of a process.
 */

/* Calls `visit` for each, of both versions of IP; of large tables, the first 8 MB each. They do not count bytes. `proc`
 * is "/proc" but in tests. */
void tcp_table_visit(const char *proc, pid_t pid, void (*visit)(void *context, const struct open_socket *socket),
                     void *context);

#endif
