/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The tables of TCP in /proc/PID/net: all connections of the network namespace of a process.
 */
#ifndef MPILENS_INSPECT_KERNEL_TCP_TABLE_H
#define MPILENS_INSPECT_KERNEL_TCP_TABLE_H

#include "kernel/open_sockets.h"

/* Calls `visit` for each, of both versions of IP; of large tables, the first 8 MB each. They do not count bytes. `proc`
 * is "/proc" but in tests. */
void tcp_table_visit(const char *proc, pid_t pid, void (*visit)(void *context, const struct open_socket *socket),
                     void *context);

#endif
