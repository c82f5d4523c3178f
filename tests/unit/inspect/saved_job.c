/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A snapshot in a directory of its own.
 */
#include "saved_job.h"

#include "base/base.h"
#include "opened_dll.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

char *saved_directory;
char *saved_path;
struct reason saved_reason;

void saved_begin(void)
{
    saved_directory = copy_text("/tmp/mpilens-snapshot-XXXXXX");
    cr_assert_not_null(mkdtemp(saved_directory));
    saved_path = format_text("%s/job.mpilens", saved_directory);
}

void saved_end(void)
{
    unlink(saved_path);
    cr_expect_eq(rmdir(saved_directory), 0, "something is left in %s", saved_directory);
    free(saved_path);
    free(saved_directory);
}

void saved_write(struct job *job)
{
    cr_assert_eq(snapshot_write(saved_path, 0600, job, &saved_reason), 0, "%s", saved_reason.text);
}

struct job saved_read(void)
{
    const struct collect_plan everything = {.depth = COLLECT_ALL};
    struct job job;
    cr_assert_eq(snapshot_read(opened_dll(), saved_path, &everything, &job, &saved_reason), 0, "%s", saved_reason.text);
    return job;
}

void saved_change(const char *statements)
{
    sqlite3 *database;
    char *error = NULL;
    cr_assert_eq(sqlite3_open(saved_path, &database), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(database, statements, NULL, NULL, &error), SQLITE_OK, "%s: %s", statements, error);
    sqlite3_close(database);
}

char *saved_bytes(size_t *ret_bytes)
{
    struct stat information;
    const int file = open(saved_path, O_RDONLY);
    cr_assert_eq(fstat(file, &information), 0);
    char *bytes = allocate((size_t)information.st_size);
    cr_assert_eq(read(file, bytes, (size_t)information.st_size), information.st_size);
    close(file);
    *ret_bytes = (size_t)information.st_size;
    return bytes;
}

void saved_replace(const char *bytes, size_t count)
{
    const int file = open(saved_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(file, bytes, count), (ssize_t)count);
    close(file);
}
