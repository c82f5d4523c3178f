/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Explains why a launcher has no rank on this host.
 */
#include "discover/discover.h"

#include "base/base.h"

#include <string.h>
#include <unistd.h>

/* Hosts that are named. */
enum { MOST_HOSTS = 3 };

/* "n01, n02, n03 and others". */
static const char *name_hosts(const struct launcher_table *table)
{
    const char *hosts[MOST_HOSTS];
    size_t count = 0;
    bool more = false;
    for (size_t i = 0; i < table->count && !more; i++) {
        size_t known = 0;
        while (known < count && strcmp(hosts[known], table->items[i].host) != 0)
            known++;
        more = known == MOST_HOSTS;
        if (known == count && !more)
            hosts[count++] = table->items[i].host;
    }
    const char *text = "";
    for (size_t i = 0; i < count; i++)
        text = arena_text("%s%s%s", text, i > 0 ? ", " : "", hosts[i]);
    return arena_text("%s%s", text, more ? " and others" : "");
}

static const struct launched_process *find_here(const struct launcher_table *table, const char *host)
{
    for (size_t i = 0; i < table->count; i++)
        if (is_same_host(table->items[i].host, host))
            return &table->items[i];
    return NULL;
}

int launcher_reason(pid_t launcher, const char *name, const struct launcher_table *table, const char *host,
                    struct reason *ret_reason)
{
    if (table == NULL)
        return reason_set(
            ret_reason,
            "process %ld (%s) is a launcher, and no MPI process on this host is below it: run mpilens on a "
            "host where its ranks run, or name one of them ('mpilens list' shows those of this host)",
            (long)launcher, name);
    const struct launched_process *here = find_here(table, host);
    if (here != NULL)
        return reason_set(ret_reason,
                          "process %ld (%s) has started process %ld (%s) on this host, in which no MPI can be seen: it "
                          "has exited, or has not come to MPI yet",
                          (long)launcher, name, (long)here->pid, here->executable);
    return reason_set(ret_reason,
                      "process %ld (%s) has started %zu process%s on %s, none on this host: run mpilens there",
                      (long)launcher, name, table->count, table->count == 1 ? "" : "es", name_hosts(table));
}

int launcher_reason_of(pid_t launcher, const char *name, struct reason *ret_reason)
{
    struct launcher_table table;
    char host[256] = "";
    const bool is_known = launcher_table_of(launcher, &table);
    gethostname(host, sizeof host - 1);
    return launcher_reason(launcher, name, is_known ? &table : NULL, host, ret_reason);
}
