/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Snapshots of jobs made by hand: reading gives back the written job, and a file is replaced only by a whole one.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "collect/collect.h"
#include "job/job_internal.h"
#include "job_contents.h"
#include "model_builder.h"
#include "opened_dll.h"
#include "render/text/render_text.h"
#include "saved_job.h"
#include "snapshot/snapshot_internal.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

TestSuite(snapshot, .init = saved_begin, .fini = saved_end);

static void write_contents(uint64_t seed, size_t rows)
{
    struct job job = contents_create(seed, rows);
    saved_write(&job);
    job_clear(&job);
}

Test(snapshot, gives_back_every_member)
{
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct job job = contents_create(seed, 3);
        saved_write(&job);
        struct job read = saved_read();
        cr_expect_eq(contents_differences(&job, &read), 0);
        cr_expect_str_eq(read.snapshot, saved_path);
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
    saved_write(&job); /* nothing is inferred yet */
    struct job read = saved_read();
    cr_expect_eq(world_of(&read, 1)->unexpected.count, 2);
    char *first = document_of(&read);
    saved_write(&read); /* with what was inferred */
    struct job again = saved_read();
    char *second = document_of(&again);
    cr_expect_str_eq(first, second);
    free(first);
    free(second);
    job_clear(&job);
    job_clear(&read);
    job_clear(&again);
}

/* Messages for rank 1, `unread` of them in the first sample and `more` later. */
static struct job make_samples(int unread, int more)
{
    struct job samples[2];
    for (int i = 0; i < 2; i++) {
        samples[i] = build_job(2);
        for (int j = 0; j < unread + i * more; j++)
            build_send(world_of(&samples[i], 0), 1, 1, 7, BUILD_RETIRED);
        complete_job(opened_dll(), &samples[i], COLLECT_ALL);
    }
    progress_between(&samples[0], &samples[1], 2, 0.5);
    job_clear(&samples[0]);
    return samples[1];
}

static bool has_growth(const struct job *job)
{
    struct analysis_options options = analysis_default_options();
    struct analysis analysis;
    options.growth = 5;
    analyze(job, &options, &analysis);
    bool found = false;
    for (size_t i = 0; i < analysis.findings.count; i++)
        found |= analysis.findings.items[i].kind == FINDING_QUEUE_GROWTH;
    analysis_clear(&analysis);
    return found;
}

Test(snapshot, knows_what_the_samples_told)
{
    for (int more = 0; more < 2; more++) {
        struct job job = make_samples(6, more);
        saved_write(&job);
        struct job read = saved_read();
        cr_expect_eq(has_growth(&job), more > 0);
        cr_expect_eq(has_growth(&read), more > 0);
        cr_expect_eq(read.samples, 2);
        cr_expect_eq(read.interval_s, 0.5);
        job_clear(&job);
        job_clear(&read);
    }
}

Test(snapshot, the_outline_has_no_contents)
{
    const struct collect_plan outline = {.depth = COLLECT_PROCESS};
    struct job read;
    write_contents(1, 2);
    cr_assert_eq(snapshot_read(opened_dll(), saved_path, &outline, &read, &saved_reason), 0, "%s", saved_reason.text);
    cr_expect_eq(read.process_count, 2);
    cr_expect_eq(read.processes[0].communicator_count + read.processes[0].thread_count, 0);
    job_clear(&read);
}

Test(snapshot, columns_and_tables_that_are_missing_are_not_known)
{
    write_contents(1, 2);
    saved_change("DROP VIEW readable_send; DROP VIEW readable_process; ALTER TABLE send DROP COLUMN age_s; "
                 "ALTER TABLE send DROP COLUMN function; ALTER TABLE process DROP COLUMN thread_level; "
                 "ALTER TABLE process DROP COLUMN host; ALTER TABLE process DROP COLUMN crash_signal; ALTER TABLE "
                 "receive ADD COLUMN news TEXT DEFAULT 'unknown'; "
                 "DROP TABLE channel; DROP TABLE window_lock; CREATE TABLE news (row INTEGER PRIMARY KEY);");
    struct job read = saved_read();
    const struct process *process = &read.processes[1];
    cr_expect_eq(process->thread_level, -1);
    cr_expect_null(process->host);
    cr_expect_eq(process->crash_signal, 0);
    cr_expect_eq(process->communicators[1].channel_count, 0);
    cr_expect_eq(process->communicators[1].sends.count, 2);
    cr_expect_eq(process->communicators[1].sends.items[1].age_s, -1);
    cr_expect_str_eq(process->communicators[1].sends.items[1].details->function, "");
    job_clear(&read);
}

Test(snapshot, files_of_the_first_version)
{
    struct job job = contents_create(1, 2);
    saved_write(&job);
    saved_change(
        "PRAGMA user_version = 1; DROP VIEW readable_request; ALTER TABLE request RENAME COLUMN request TO handle; "
        "ALTER TABLE request ADD COLUMN active INTEGER");
    struct job read = saved_read();
    cr_expect_eq(contents_differences(&job, &read), 0);
    job_clear(&job);
    job_clear(&read);
}

/* Names its columns as older files do. */
static void name_as_before(const struct snapshot_table *table)
{
    for (const struct snapshot_renaming *at = table->renamed; at != NULL && at->name != NULL; at++) {
        char *change = format_text("DROP VIEW IF EXISTS readable_%s; ALTER TABLE %s RENAME COLUMN %s TO %s; "
                                   "UPDATE constant_column SET \"column\" = '%s' WHERE \"table\" = '%s' AND "
                                   "\"column\" = '%s'",
                                   table->name, table->name, at->name, at->older, at->older, table->name, at->name);
        saved_change(change);
        free(change);
    }
}

Test(snapshot, columns_that_older_files_name_otherwise)
{
    struct job job = contents_create(1, 2);
    saved_write(&job);
    saved_change("PRAGMA user_version = 2");
    for (size_t i = 0; i < snapshot_table_count; i++)
        name_as_before(snapshot_tables[i]);
    struct job read = saved_read();
    cr_expect_eq(contents_differences(&job, &read), 0);
    job_clear(&job);
    job_clear(&read);
}

static void set_tags_of_sends(struct job *job, int32_t tag)
{
    for (size_t i = 0; i < job->process_count; i++)
        for (size_t j = 0; j < job->processes[i].communicator_count; j++) {
            const struct operations *sends = &job->processes[i].communicators[j].sends;
            for (size_t k = 0; k < sends->count; k++)
                sends->items[k].tag = tag;
        }
}

Test(snapshot, what_all_rows_have_is_read_once)
{
    struct job job = contents_create(1, 3);
    set_tags_of_sends(&job, 7);
    saved_write(&job);
    struct job read = saved_read();
    cr_expect_eq(contents_differences(&job, &read), 0);
    job_clear(&read);
    saved_change("UPDATE send SET tag = 8 WHERE row > 1;"
                 "INSERT INTO constant_column VALUES ('send', 'tag'), ('send', 'news'), ('news', 'tag'), (1, x'00')");
    read = saved_read();
    cr_expect_eq(contents_differences(&job, &read), 0, "of the others nothing is read");
    job_clear(&read);
    saved_change("UPDATE send SET tag = 9 WHERE row = 1");
    set_tags_of_sends(&job, 9);
    read = saved_read();
    cr_expect_eq(contents_differences(&job, &read), 0);
    job_clear(&read);
    saved_change("DROP TABLE constant_column");
    read = saved_read();
    cr_expect_neq(contents_differences(&job, &read), 0, "now it is");
    job_clear(&read);
    job_clear(&job);
}

Test(snapshot, what_was_there_is_replaced_only_by_a_whole_file)
{
    struct job job = contents_create(2, 3);
    const struct rlimit small = {.rlim_cur = 20000, .rlim_max = RLIM_INFINITY};
    struct rlimit before;
    saved_replace("precious", 8);
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before);
    setrlimit(RLIMIT_FSIZE, &small);
    cr_expect_eq(snapshot_write(saved_path, 0600, &job, &saved_reason), -1);
    setrlimit(RLIMIT_FSIZE, &before);
    cr_expect_not_null(strstr(saved_reason.text, saved_path), "%s", saved_reason.text);
    size_t bytes;
    char *content = saved_bytes(&bytes);
    cr_expect(bytes == 8 && memcmp(content, "precious", 8) == 0);
    free(content);
    saved_write(&job);
    struct job read = saved_read();
    job_clear(&read);
    job_clear(&job);
}

Test(snapshot, places_where_no_file_can_be)
{
    struct job job = build_job(1);
    char *nowhere = format_text("%s/nowhere/job", saved_directory);
    cr_expect_eq(snapshot_write(nowhere, 0600, &job, &saved_reason), -1);
    cr_expect_not_null(strstr(saved_reason.text, "No such file"), "%s", saved_reason.text);
    cr_expect_eq(snapshot_write(saved_directory, 0600, &job, &saved_reason), -1);
    cr_expect_not_null(strstr(saved_reason.text, "not a file"), "%s", saved_reason.text);
    cr_expect_eq(snapshot_write("/dev/null", 0600, &job, &saved_reason), -1);
    cr_expect_not_null(strstr(saved_reason.text, "not a file"), "%s", saved_reason.text);
    free(nowhere);
    job_clear(&job);
}
