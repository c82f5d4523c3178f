/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads /proc/PID/maps.
 */
#include "base/process_maps.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A Python with all that it can import has some thousand lines of about a hundred bytes. */
enum { MOST_BYTES = 4 << 20 };

bool process_maps_visit(const char *proc, pid_t pid, visit_mapping *visit, void *context)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%ld/maps", proc, (long)pid);
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return true;
    char *line = NULL;
    size_t capacity = 0, bytes = 0;
    ssize_t length;
    while (bytes <= MOST_BYTES && (length = getline(&line, &capacity, file)) > 0) {
        char permissions[8];
        int name = 0;
        if (sscanf(line, "%*s %7s %*s %*s %*s %n", permissions, &name) < 1 || name == 0 || name >= length)
            continue;
        bytes += (size_t)length;
        line[strcspn(line, "\n")] = '\0';
        if (visit != NULL)
            visit(context, permissions, line + name);
    }
    free(line);
    fclose(file);
    return bytes <= MOST_BYTES;
}
