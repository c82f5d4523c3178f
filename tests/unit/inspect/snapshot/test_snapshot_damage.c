/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots that are damaged, foreign or made to do harm: a job that can be shown, or a reason.
 */
#include "base/base.h"
#include "job_contents.h"
#include "opened_dll.h"
#include "render/json/render_json.h"
#include "render/text/render_text.h"
#include "saved_job.h"
#include "snapshot/snapshot_internal.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

TestSuite(snapshot_damage, .init = saved_begin, .fini = saved_end);

static const struct collect_plan everything = {.depth = COLLECT_ALL};

static void write_contents(uint64_t seed, size_t rows)
{
    struct job job = contents_create(seed, rows);
    saved_write(&job);
    job_clear(&job);
}

static void render(const struct job *job)
{
    const struct render_options options = {.all = true, .objects = true};
    FILE *stream = fopen("/dev/null", "w");
    render_show_json(stream, job, &options);
    render_show_text(stream, job, &options);
    fclose(stream);
}

/* Whatever is in the file: a job that can be shown, or a saved_reason. True: a job. */
static bool can_read(void)
{
    struct job job;
    saved_reason.text[0] = '\0';
    if (snapshot_read(opened_dll(), saved_path, &everything, &job, &saved_reason) != 0) {
        cr_expect_neq(saved_reason.text[0], '\0');
        return false;
    }
    render(&job);
    job_clear(&job);
    return true;
}

static void expect_refused(const char *text)
{
    cr_expect_not(can_read(), "%s was expected", text);
    cr_expect_not_null(strstr(saved_reason.text, text), "'%s' is not in: %s", text, saved_reason.text);
    cr_expect_not_null(strstr(saved_reason.text, saved_path), "the file is not named: %s", saved_reason.text);
}

Test(snapshot_damage, files_of_other_versions)
{
    write_contents(1, 2);
    saved_change("PRAGMA user_version = 4");
    expect_refused("newer mpilens");
    saved_change("PRAGMA user_version = 0");
    expect_refused("damaged");
    saved_change("PRAGMA user_version = 2; PRAGMA application_id = 1");
    expect_refused("not a snapshot of mpilens");
}

Test(snapshot_damage, contents_that_make_no_sense)
{
    static const char *const changes[] = {
        "UPDATE send SET function = 1000000 WHERE row = 2",
        "UPDATE send SET function = 0 WHERE row = 2",
        "UPDATE send SET function = -1 WHERE row = 2",
        "UPDATE send SET site = 9000000000000000000 WHERE row = 2",
        "UPDATE send SET function = 'MPI_Send' WHERE row = 2",
        "UPDATE send SET tag = 2147483648 WHERE row = 2",
        "UPDATE send SET flags = -1 WHERE row = 2",
        "UPDATE send SET flags = 4294967296 WHERE row = 2",
        "UPDATE send SET tag_wild = 2 WHERE row = 2",
        "UPDATE send SET serial = 1.5 WHERE row = 2",
        "UPDATE send SET serial = x'00' WHERE row = 2",
        "UPDATE send SET age_s = -2.0 WHERE row = 2",
        "UPDATE send SET age_s = 9e999 WHERE row = 2",
        "UPDATE send SET age_s = 'long' WHERE row = 2",
        "UPDATE send SET communicator = 0 WHERE row = 1",
        "UPDATE send SET communicator = -1 WHERE row = 1",
        "UPDATE send SET communicator = 1000000 WHERE row = 2",
        "UPDATE send SET communicator = 4 WHERE row = 1",
        "DELETE FROM send WHERE row = 2",
        "UPDATE send SET row = 1000 WHERE row = 8",
        "UPDATE send SET row = -1 WHERE row = 1",
        "UPDATE process SET state = 6 WHERE row = 1",
        "UPDATE window SET object = 1 WHERE row = 2",
        "UPDATE process SET rank = 2147483646 WHERE row = 1",
        "UPDATE process SET size = 2147483647 WHERE row = 1",
        "UPDATE job SET size = 2147483647",
        "INSERT INTO job (row) VALUES (2)",
        "DELETE FROM job",
        "DELETE FROM text WHERE row = 2",
        "UPDATE text SET row = 1000000000 WHERE row = 2",
        "DELETE FROM site WHERE row = 1",
        "UPDATE communicator SET \"group\" = 1000 WHERE row = 1",
        "DELETE FROM communicator_group WHERE row = 1",
        "UPDATE group_range SET count = -1 WHERE row = 1",
        "UPDATE group_range SET count = 0 WHERE row = 1",
        "UPDATE group_range SET count = 2147483647 WHERE row = 1",
        "UPDATE group_range SET count = 3, stride = 2147483647 WHERE row = 1",
        "UPDATE group_range SET first = -5 WHERE row = 1",
        "UPDATE group_range SET stride = 'x' WHERE row = 1",
        "INSERT INTO constant_column VALUES ('process', 'host')", /* which is its own */
        "INSERT INTO constant_column VALUES ('send', 'tag'); UPDATE send SET tag = 'none' WHERE row = 1",
        "DROP TABLE text",
        "DROP TABLE job",
        "ALTER TABLE send RENAME COLUMN communicator TO elsewhere",
        "ALTER TABLE job RENAME TO old_job; CREATE VIEW job AS SELECT * FROM old_job",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_contents(3, 2);
        cr_assert(can_read(), "%s", saved_reason.text);
        saved_change(changes[i]);
        cr_expect_not(can_read(), "read all the same: %s", changes[i]);
        cr_expect_not_null(strstr(saved_reason.text, "damaged"), "%s: %s", changes[i], saved_reason.text);
    }
}

/* Rows of a few bytes each. */
Test(snapshot_damage, more_rows_than_such_a_file_can_have)
{
    write_contents(3, 2);
    saved_change("WITH RECURSIVE number(n) AS (SELECT (SELECT max(row) + 1 FROM process) UNION ALL SELECT n + 1 FROM "
                 "number WHERE n < 200000) INSERT INTO process (row, job) SELECT n, 1 FROM number");
    expect_refused("it claims more than so few bytes can hold");
}

/* A view that never ends, where a table is expected. */
Test(snapshot_damage, nothing_in_the_file_is_run, .timeout = 20)
{
    struct job read;
    write_contents(1, 2);
    saved_change(
        "DROP TABLE channel; CREATE VIEW channel AS WITH RECURSIVE forever(row) AS (SELECT 1 UNION ALL SELECT row + 1 "
        "FROM forever) SELECT row, 1 AS communicator, 0 AS sent FROM forever WHERE row < 0");
    cr_assert_eq(snapshot_read(opened_dll(), saved_path, &everything, &read, &saved_reason), 0, "%s",
                 saved_reason.text);
    cr_expect_eq(read.processes[0].communicators[0].channel_count, 0);
    job_clear(&read);
}

static bool is_saved_compressed(void)
{
    const int file = open(saved_path, O_RDONLY | O_CLOEXEC);
    const bool is_compressed = snapshot_is_compressed(file);
    close(file);
    return is_compressed;
}

/* Compresses the file that is there. */
static void compress_saved(void)
{
    const int database = open(saved_path, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(unlink(saved_path), 0);
    const int compressed = open(saved_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    cr_assert_eq(snapshot_compress(database, compressed), 0);
    close(database);
    close(compressed);
    cr_assert(is_saved_compressed());
}

Test(snapshot_damage, large_ones_are_compressed)
{
    enum { MANY_ROWS = 16 };
    struct job job = contents_create(2, MANY_ROWS);
    setenv("TMPDIR", saved_directory, true);
    saved_write(&job);
    cr_expect(is_saved_compressed());
    cr_expect(snapshot_is(saved_path));
    struct job read = saved_read();
    cr_expect_eq(read.process_count, job.process_count);
    cr_expect_eq(read.processes[0].communicator_count, job.processes[0].communicator_count);
    job_clear(&read);
    job_clear(&job);
    setenv("TMPDIR", "/nonexistent", true);
    expect_refused("temporary file");
    unsetenv("TMPDIR");
}

/* Numbers that contradict each other, as of a thread that waits for more operations than it says. */
Test(snapshot_damage, many_rows_of_anything)
{
    for (size_t rows = 3; rows <= 12; rows += 3) {
        write_contents(2, rows);
        cr_expect(can_read(), "%s", saved_reason.text);
    }
}

Test(snapshot_damage, compressed_ones_that_are_damaged)
{
    size_t bytes;
    write_contents(1, 2);
    compress_saved();
    cr_expect(can_read());
    char *whole = saved_bytes(&bytes);
    char *some = allocate(bytes);
    for (size_t length = 24; length < bytes; length += 1021) {
        saved_replace(whole, length);
        cr_expect_not(can_read(), "%zu bytes", length);
        cr_expect_not_null(strstr(saved_reason.text, "damaged"), "%zu bytes: %s", length, saved_reason.text);
    }
    for (size_t changed = 24; changed < bytes; changed += 1021) {
        memcpy(some, whole, bytes);
        some[changed] = (char)(some[changed] ^ 0x10);
        saved_replace(some, bytes);
        cr_expect_not(can_read(), "byte %zu", changed);
    }
    free(some);
    free(whole);
}

/* A few bytes that unpack to any number. */
Test(snapshot_damage, a_database_that_grows_and_grows)
{
    enum { BYTES = 1 << 26 };
    FILE *file = fopen(saved_path, "w");
    cr_assert(file != NULL && ftruncate(fileno(file), BYTES) == 0);
    fclose(file);
    compress_saved();
    expect_refused("larger than any");
}

Test(snapshot_damage, truncated_files)
{
    size_t bytes, read = 0;
    write_contents(1, 2);
    char *whole = saved_bytes(&bytes);
    for (size_t length = 0; length < bytes; length += length < 200 ? 1 : 1021) {
        saved_replace(whole, length);
        cr_expect_eq(snapshot_is(saved_path), length >= 16);
        read += can_read();
    }
    cr_expect_eq(read, 0);
    free(whole);
}

Test(snapshot_damage, altered_files)
{
    size_t bytes, refused = 0;
    uint64_t random = 1;
    write_contents(1, 2);
    char *whole = saved_bytes(&bytes);
    for (int i = 0; i < 400; i++) {
        char *altered = allocate(bytes);
        memcpy(altered, whole, bytes);
        for (int j = 0; j < 4; j++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            altered[(random >> 33) % bytes] = (char)(random >> 24);
        }
        saved_replace(altered, bytes);
        refused += !can_read();
        free(altered);
    }
    cr_expect_gt(refused, 10);
    free(whole);
}
