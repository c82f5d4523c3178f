/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Meson runs this, linked as the command is, to learn which libraries to bundle. Two lines for each: its file and its
 * name.
 */
#include "gather/gather_internal.h"

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

static int list_library(struct dl_phdr_info *library, size_t size, void *context)
{
    char file[PATH_MAX];
    const char *slash = strrchr(library->dlpi_name, '/');
    (void)size;
    (void)context;
    if (slash != NULL && !is_of_c_library(slash + 1) && realpath(library->dlpi_name, file) != NULL)
        printf("%s\n%s\n", file, slash + 1);
    return 0;
}

int main(void)
{
    dl_iterate_phdr(list_library, NULL);
    return 0;
}
