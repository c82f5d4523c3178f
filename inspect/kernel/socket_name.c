/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes addresses of sockets.
 */
#include "kernel/kernel.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/un.h>

static void write_unix(const struct sockaddr_un *address, socklen_t address_bytes, char *ret_text, size_t bytes)
{
    const size_t head = offsetof(struct sockaddr_un, sun_path);
    const size_t length = address_bytes > head ? address_bytes - head : 0;
    const int most = (int)(length < sizeof address->sun_path ? length : sizeof address->sun_path);
    if (most > 1 && address->sun_path[0] == '\0') /* abstract: it is no text, and may hold any bytes */
        snprintf(ret_text, bytes, "@%.*s", most - 1, address->sun_path + 1);
    else
        snprintf(ret_text, bytes, "%.*s", most, address->sun_path);
}

void socket_name_write(const struct sockaddr_storage *address, socklen_t address_bytes, char *ret_text, size_t bytes)
{
    char host[INET6_ADDRSTRLEN] = "";
    ret_text[0] = '\0';
    if (address->ss_family == AF_UNIX) {
        write_unix((const struct sockaddr_un *)address, address_bytes, ret_text, bytes);
    } else if (address->ss_family == AF_INET) {
        const struct sockaddr_in *internet = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &internet->sin_addr, host, sizeof host);
        snprintf(ret_text, bytes, "%s:%u", host, (unsigned)ntohs(internet->sin_port));
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *internet = (const struct sockaddr_in6 *)address;
        const bool is_mapped = IN6_IS_ADDR_V4MAPPED(&internet->sin6_addr);
        inet_ntop(is_mapped ? AF_INET : AF_INET6, &internet->sin6_addr.s6_addr[is_mapped ? 12 : 0], host, sizeof host);
        snprintf(ret_text, bytes, is_mapped ? "%s:%u" : "[%s]:%u", host, (unsigned)ntohs(internet->sin6_port));
    }
}
