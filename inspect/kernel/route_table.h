/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of IPv4 routes in /proc/PID/net: over which network interface a process reaches an address.
 */
#ifndef MPILENS_INSPECT_KERNEL_ROUTE_TABLE_H
#define MPILENS_INSPECT_KERNEL_ROUTE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* `address`: "172.17.0.2:1024". `proc` is "/proc" but in tests. False: it is none of IPv4, or there is no such route;
 * *ret_interface is untouched. */
bool route_find_interface(const char *proc, pid_t pid, const char *address, char *ret_interface, size_t bytes);

/* Whether interfaces of this name join containers or virtual machines of one host: "docker0", "virbr0". */
bool interface_is_bridge(const char *interface);

#endif
