/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of file locks, proc_locks(5): "7: FLOCK  ADVISORY  WRITE 4711 08:01:131 0 EOF", and below it, for each
 * process that waits for it, "7: -> FLOCK  ADVISORY  WRITE 4712 08:01:131 0 EOF".
 */
#include "kernel/kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* False: this line is none of the table. */
static bool read_line(const char *line, bool *ret_waits, pid_t *ret_pid)
{
    long pid;
    const char *arrow = strstr(line, ": -> ");
    const char *rest = arrow != NULL ? arrow + strlen(": -> ") : strstr(line, ": ");
    if (rest == NULL || sscanf(arrow != NULL ? rest : rest + strlen(": "), "%*s %*s %*s %ld", &pid) != 1)
        return false;
    *ret_waits = arrow != NULL;
    *ret_pid = (pid_t)pid;
    return true;
}

pid_t file_lock_holder(const char *table, pid_t waiter)
{
    FILE *stream = fopen(table, "re");
    char *line = NULL;
    size_t size = 0;
    pid_t holder = 0, found = 0;
    while (stream != NULL && found == 0 && getline(&line, &size, stream) >= 0) {
        bool waits;
        pid_t pid;
        if (!read_line(line, &waits, &pid))
            continue;
        if (!waits)
            holder = pid;
        else if (pid == waiter)
            found = holder;
    }
    free(line);
    if (stream != NULL)
        fclose(stream);
    return found > 0 ? found : 0;
}
