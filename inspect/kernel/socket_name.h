/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Addresses of sockets as text.
 */
#ifndef MPILENS_INSPECT_KERNEL_SOCKET_NAME_H
#define MPILENS_INSPECT_KERNEL_SOCKET_NAME_H

#include <stddef.h>
#include <sys/socket.h>

/* "10.0.0.1:41234", "[fe80::1]:80", "/run/pmix", "@abstract" (any bytes), cut to fit; "": it has none. */
void socket_name_write(const struct sockaddr_storage *address, socklen_t address_bytes, char *ret_text, size_t bytes);

#endif
