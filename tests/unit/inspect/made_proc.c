/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes a /proc.
 */
#include "made_proc.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char made_proc[32];

void made_proc_begin(void)
{
    strcpy(made_proc, "/tmp/mpilens-proc-XXXXXX");
    cr_assert_not_null(mkdtemp(made_proc));
}

static int remove_entry(const char *path, const struct stat *information, int flag, struct FTW *walk)
{
    (void)information;
    (void)flag;
    (void)walk;
    return remove(path);
}

void made_proc_end(void)
{
    nftw(made_proc, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

void made_proc_write(int pid, const char *name, const char *bytes, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%d/%s", made_proc, pid, name);
    for (char *slash = path + strlen(made_proc) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        cr_assert(mkdir(path, 0755) == 0 || errno == EEXIST, "%s", path);
        *slash = '/';
    }
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fwrite(bytes, 1, count, file);
    fclose(file);
}

void made_proc_write_text(int pid, const char *name, const char *text)
{
    made_proc_write(pid, name, text, strlen(text));
}
