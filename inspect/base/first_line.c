/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The first line of a file, as most of those in /proc/sys have one.
 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>

void read_first_line(const char *path, char *ret_line, size_t bytes)
{
    FILE *file = fopen(path, "re");
    ret_line[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(ret_line, (int)bytes, file) == NULL)
        ret_line[0] = '\0';
    ret_line[strcspn(ret_line, "\n")] = '\0';
    fclose(file);
}
