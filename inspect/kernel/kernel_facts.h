/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the kernel tells of a process that stands still, whatever it is in: whether it runs or sleeps, what it has open,
 * what keeps it. A part of the model (model.h).
 */
#ifndef MPILENS_INSPECT_KERNEL_KERNEL_FACTS_H
#define MPILENS_INSPECT_KERNEL_KERNEL_FACTS_H

#include "kernel/open_sockets.h"
#include "text/text_pool.h"

/* A socket in which something waits, or that is no whole connection. */
struct troubled_socket {
    uint32_t kind;         /* enum socket_kind */
    const char *state;     /* "SYN_SENT"; "" of others than TCP */
    const char *local;     /* "10.0.0.1:41234", "/run/pmix"; "": none */
    const char *peer;      /* likewise */
    const char *interface; /* of the network, over which the peer is reached: "eth0"; "": not known */
    uint64_t unsent_bytes;
    uint64_t unread_bytes;
    uint32_t retransmissions;
    double silent_s; /* since data came; -1: not known */
};

/* Texts stand in a pool. Of counts, 0 is none. */
struct kernel_facts {
    uint32_t tid;                /* the thread that was looked at */
    char state;                  /* of it, as in ps */
    const char *system_call;     /* that it is in: "poll"; "": in none, or not known */
    const char *kernel_function; /* in which it sleeps: "do_epoll_wait"; "": in none, or not known */
    double run_s;                /* its CPU time so far; -1: not known */
    double waited_s;             /* how long it has waited for a processor so far; -1: not known */
    const char *manager;         /* "is connected with its PMIx server at 127.0.0.1:41234"; "": not known */
    uint64_t swapped_bytes;      /* of the process */
    uint64_t file_bytes;         /* that it has read and written so far, of files and the like */
    bool is_frozen;              /* by its control group */
    uint64_t throttled_periods;  /* of its control groups, so far */
    uint64_t killed;             /* processes of its control group, so far, for lack of memory */
    const char *devices;         /* of networks and accelerators that it has open: "infiniband/uverbs0, nvidia0"; "" */
    uint32_t connections;        /* of TCP */
    bool counts_bytes;           /* whether the next three are known */
    uint64_t sent_bytes;         /* over the connections that it has, acknowledged so far */
    uint64_t received_bytes;
    double silent_s;        /* since data came on any of them; -1: there is none, or not known */
    uint64_t shared_digest; /* of the memory that it shares with others, see shared_memory.h; 0: not known */
    struct troubled_socket *troubled_sockets;
    size_t troubled_socket_count;
    uint64_t troubled_sockets_left_out;

    /* Since it was looked at for the first time. */
    double watched_s; /* 0: it was looked at once */
    double at_s;      /* CLOCK_MONOTONIC here, of the last look; -1: not known */
    double run_meanwhile_s;
    double waited_meanwhile_s;
    bool shares_memory;  /* whether it was seen both times what stands in the memory that it shares with others */
    bool shared_changes; /* and that was not the same */
    uint64_t throttled_meanwhile;
    uint64_t file_meanwhile;
    uint64_t sent_meanwhile;
    uint64_t received_meanwhile;
};

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

#endif
