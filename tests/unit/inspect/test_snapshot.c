/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of jobs made by hand: what is read is what was written, and files that are damaged, foreign or made to do
 * harm give an error.
 */
#include "allocation.h"
#include "job_contents.h"
#include "model_builder.h"
#include "render.h"
#include "snapshot.h"
#include "snapshot_file.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-snapshot-XXXXXX";
static char *path;
static struct reason reason;
static const struct collect_plan everything = {.depth = COLLECT_ALL};

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    path = format_text("%s/job.mpilens", directory);
}

static void end(void)
{
    unlink(path);
    cr_expect_eq(rmdir(directory), 0, "something is left in %s", directory);
    free(path);
}

TestSuite(snapshot, .init = begin, .fini = end);

static void write_job(struct job *job)
{
    cr_assert_eq(snapshot_write(path, job, &reason), 0, "%s", reason.text);
}

static void write_contents(uint64_t seed, size_t rows)
{
    struct job job = contents_create(seed, rows);
    write_job(&job);
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

/* Whatever is in the file: a job that can be shown, or a reason. True: a job. */
static bool can_read(void)
{
    struct job job;
    reason.text[0] = '\0';
    if (snapshot_read(NULL, path, &everything, &job, &reason) != 0) {
        cr_expect_neq(reason.text[0], '\0');
        return false;
    }
    render(&job);
    job_clear(&job);
    return true;
}

static void expect_refused(const char *text)
{
    cr_expect_not(can_read(), "%s was expected", text);
    cr_expect_not_null(strstr(reason.text, text), "'%s' is not in: %s", text, reason.text);
    cr_expect_not_null(strstr(reason.text, path), "the file is not named: %s", reason.text);
}

static void change(const char *statements)
{
    sqlite3 *database;
    char *error = NULL;
    cr_assert_eq(sqlite3_open(path, &database), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(database, statements, NULL, NULL, &error), SQLITE_OK, "%s: %s", statements, error);
    sqlite3_close(database);
}

Test(snapshot, gives_back_every_member)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct job job = contents_create(seed, 3);
        struct job read;
        write_job(&job);
        cr_assert_eq(snapshot_read(NULL, path, &everything, &read, &reason), 0, "%s", reason.text);
        cr_expect_eq(contents_differences(&job, &read), 0);
        cr_expect_str_eq(read.snapshot, path);
        job_clear(&job);
        job_clear(&read);
    }
}

static char *document_of(const struct job *job)
{
    const struct render_options options = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *stream = open_memstream(&text, &bytes);
    cr_assert_eq(render_show_text(stream, job, &options), 0);
    fclose(stream);
    char *body = strchr(text, '\n'); /* behind the header, which names the file */
    cr_assert_not_null(body);
    char *copy = copy_text(body);
    free(text);
    return copy;
}

Test(snapshot, what_follows_from_the_rest_is_found_again)
{
    struct job job = build_job(3);
    build_send(world_of(&job, 0), 1, 1, 7, BUILD_RETIRED);
    build_receive(world_of(&job, 1), 0, 0, 8, BUILD_PENDING);
    build_send(world_of(&job, 2), 1, 1, 9, BUILD_PENDING);
    write_job(&job); /* nothing is inferred yet */
    struct job read;
    cr_assert_eq(snapshot_read(NULL, path, &everything, &read, &reason), 0, "%s", reason.text);
    cr_expect_eq(world_of(&read, 1)->unexpected.count, 2);
    char *first = document_of(&read);
    write_job(&read); /* with what was inferred */
    struct job again;
    cr_assert_eq(snapshot_read(NULL, path, &everything, &again, &reason), 0, "%s", reason.text);
    char *second = document_of(&again);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
    job_clear(&job);
    job_clear(&read);
    job_clear(&again);
}

Test(snapshot, the_outline_has_no_contents)
{
    const struct collect_plan outline = {.depth = COLLECT_PROCESS};
    struct job read;
    write_contents(1, 2);
    cr_assert_eq(snapshot_read(NULL, path, &outline, &read, &reason), 0, "%s", reason.text);
    cr_expect_eq(read.process_count, 2);
    cr_expect_eq(read.processes[0].communicator_count + read.processes[0].thread_count, 0);
    job_clear(&read);
}

Test(snapshot, files_of_other_versions)
{
    write_contents(1, 2);
    change("PRAGMA user_version = 2");
    expect_refused("newer mpilens");
    change("PRAGMA user_version = 0");
    expect_refused("damaged");
    change("PRAGMA user_version = 1; PRAGMA application_id = 1");
    expect_refused("no snapshot of mpilens");
}

Test(snapshot, columns_and_tables_that_are_missing_are_not_known)
{
    struct job read;
    write_contents(1, 2);
    change("DROP VIEW readable_send; DROP VIEW readable_process; ALTER TABLE send DROP COLUMN age_s; "
           "ALTER TABLE send DROP COLUMN function; ALTER TABLE process DROP COLUMN thread_level; "
           "ALTER TABLE process DROP COLUMN host; ALTER TABLE receive ADD COLUMN news TEXT DEFAULT 'unknown'; "
           "DROP TABLE channel; DROP TABLE window_lock; CREATE TABLE news (row INTEGER PRIMARY KEY);");
    cr_assert_eq(snapshot_read(NULL, path, &everything, &read, &reason), 0, "%s", reason.text);
    const struct process *process = &read.processes[1];
    cr_expect_eq(process->thread_level, -1);
    cr_expect_null(process->host);
    cr_expect_eq(process->communicators[1].channel_count, 0);
    cr_expect_eq(process->communicators[1].sends.count, 2);
    cr_expect_eq(process->communicators[1].sends.items[1].age_s, -1);
    cr_expect_str_eq(process->communicators[1].sends.items[1].function, "");
    job_clear(&read);
}

Test(snapshot, contents_that_make_no_sense)
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
        "DROP TABLE text",
        "DROP TABLE job",
        "ALTER TABLE send RENAME COLUMN communicator TO elsewhere",
        "ALTER TABLE send RENAME TO old_send; CREATE VIEW send AS SELECT 1 AS row, 1 AS communicator, 'x' AS serial; "
        "ALTER TABLE job RENAME TO old_job",
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        write_contents(3, 2);
        cr_assert(can_read(), "%s", reason.text);
        change(changes[i]);
        cr_expect_not(can_read(), "read all the same: %s", changes[i]);
        cr_expect_not_null(strstr(reason.text, "damaged"), "%s: %s", changes[i], reason.text);
    }
}

/* A view that never ends, where a table is expected. */
Test(snapshot, nothing_in_the_file_is_run, .timeout = 20)
{
    struct job read;
    write_contents(1, 2);
    change(
        "DROP TABLE channel; CREATE VIEW channel AS WITH RECURSIVE forever(row) AS (SELECT 1 UNION ALL SELECT row + 1 "
        "FROM forever) SELECT row, 1 AS communicator, 0 AS sent FROM forever WHERE row < 0");
    cr_assert_eq(snapshot_read(NULL, path, &everything, &read, &reason), 0, "%s", reason.text);
    cr_expect_eq(read.processes[0].communicators[0].channel_count, 0);
    job_clear(&read);
}

static char *read_file(size_t *ret_bytes)
{
    struct stat information;
    const int file = open(path, O_RDONLY);
    cr_assert_eq(fstat(file, &information), 0);
    char *bytes = allocate((size_t)information.st_size);
    cr_assert_eq(read(file, bytes, (size_t)information.st_size), information.st_size);
    close(file);
    *ret_bytes = (size_t)information.st_size;
    return bytes;
}

static void write_file(const char *bytes, size_t count)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    cr_assert_eq(write(file, bytes, count), (ssize_t)count);
    close(file);
}

Test(snapshot, truncated_files, .timeout = 100)
{
    size_t bytes, read = 0;
    write_contents(1, 2);
    char *whole = read_file(&bytes);
    for (size_t length = 0; length < bytes; length += length < 200 ? 1 : 1021) {
        write_file(whole, length);
        cr_expect_eq(snapshot_is(path), length >= 16);
        read += can_read();
    }
    cr_expect_eq(read, 0);
    free(whole);
}

Test(snapshot, altered_files, .timeout = 200)
{
    size_t bytes, refused = 0;
    uint64_t random = 1;
    write_contents(1, 2);
    char *whole = read_file(&bytes);
    for (int i = 0; i < 400; i++) {
        char *altered = allocate(bytes);
        memcpy(altered, whole, bytes);
        for (int j = 0; j < 4; j++) {
            random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            altered[(random >> 33) % bytes] = (char)(random >> 24);
        }
        write_file(altered, bytes);
        refused += !can_read();
        free(altered);
    }
    cr_expect_gt(refused, 10);
    free(whole);
}

Test(snapshot, what_was_there_is_replaced_only_by_a_whole_file)
{
    struct job job = contents_create(2, 3);
    const struct rlimit small = {.rlim_cur = 20000, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    write_file("precious", 8);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &small);
    cr_expect_eq(snapshot_write(path, &job, &reason), -1);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_not_null(strstr(reason.text, path), "%s", reason.text);
    size_t bytes;
    char *content = read_file(&bytes);
    cr_expect(bytes == 8 && memcmp(content, "precious", 8) == 0);
    free(content);
    write_job(&job);
    cr_expect(can_read());
    job_clear(&job);
}

Test(snapshot, places_where_no_file_can_be)
{
    struct job job = build_job(1);
    char *nowhere = format_text("%s/nowhere/job", directory);
    cr_expect_eq(snapshot_write(nowhere, &job, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "No such file"), "%s", reason.text);
    cr_expect_eq(snapshot_write(directory, &job, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "not a file"), "%s", reason.text);
    cr_expect_eq(snapshot_write("/dev/null", &job, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "not a file"), "%s", reason.text);
    free(nowhere);
    job_clear(&job);
}
