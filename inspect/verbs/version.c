/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Version of the command and of the parts that it finds.
 */
#include "verbs/verbs.h"

#include "base/base.h"
#include "collect/collect.h"
#include "launch/launch.h"
#include "mpilens/layout.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>

static void print_dll(void)
{
    struct reason reason;
    struct dll dll;
    char *path = installation_find("libmpilens_dll.so", "dll", &reason);
    if (path == NULL || dll_open(path, &dll, &reason) != 0) {
        print_line(stdout, "debugger library: %s", reason.text);
    } else {
        print_line(stdout, "debugger library: %s, %s", path, dll.mqs_version_string());
        dll_close(&dll);
    }
    free(path);
}

static void print_runtimes(void)
{
    struct reason reason;
    int count = 0;
    for (size_t i = 0; i < mpi_family_count; i++) {
        char *name = format_text("libmpilens-%s.so", mpi_families[i].name);
        char *path = installation_find(name, "runtime", &reason);
        if (path != NULL)
            print_line(stdout, "runtime for %s: %s", mpi_families[i].title, path);
        count += path != NULL;
        free(path);
        free(name);
    }
    if (count == 0)
        puts("runtimes: none is installed");
}

void version_print(void)
{
    printf("mpilens " MPILENS_VERSION "%s%s%s\n", version_commit[0] != '\0' ? " (" : "", version_commit,
           version_commit[0] != '\0' ? ")" : "");
    printf("layout: %d.%d\n", MPILENS_LAYOUT_MAJOR, MPILENS_LAYOUT_MINOR);
    print_dll();
    print_runtimes();
}
