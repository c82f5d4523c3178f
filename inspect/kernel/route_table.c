/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/net/route.
 */
#include "kernel/kernel.h"

#include "base/base.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse_address(const char *text, struct in_addr *ret_address)
{
    char host[INET_ADDRSTRLEN];
    const size_t length = strcspn(text, ":");
    if (length == 0 || length >= sizeof host)
        return false;
    memcpy(host, text, length);
    host[length] = '\0';
    return inet_pton(AF_INET, host, ret_address) == 1;
}

bool route_find_interface(const char *proc, pid_t pid, const char *address, char *ret_interface, size_t bytes)
{
    struct in_addr wanted;
    char best[32] = "";
    uint32_t best_mask = 0;
    size_t table_bytes;
    if (!parse_address(address, &wanted))
        return false;
    char *table = read_process_file(proc, pid, "net/route", &table_bytes);
    for (const char *line = table; line != NULL; line = strchr(line, '\n')) {
        char interface[32];
        uint32_t destination, mask;
        line += *line == '\n';
        /* Addresses are words in the order of the network. */
        if (sscanf(line, "%31s %8" SCNx32 " %*x %*x %*d %*d %*d %8" SCNx32, interface, &destination, &mask) != 3 ||
            (wanted.s_addr & mask) != destination || (best[0] != '\0' && ntohl(mask) <= ntohl(best_mask)))
            continue;
        snprintf(best, sizeof best, "%s", interface);
        best_mask = mask;
    }
    free(table);
    if (best[0] == '\0')
        return false;
    snprintf(ret_interface, bytes, "%s", best);
    return true;
}

bool interface_is_bridge(const char *interface)
{
    static const char *const beginnings[] = {"docker", "br-",   "virbr",   "podman",  "cni",  "lxcbr",
                                             "lxdbr",  "vmnet", "vboxnet", "flannel", "cali", "incusbr"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(interface, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}
