/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of which places of a verdict are shown, and of what is said in place of their lines.
 */
#include "source/source.h"
#include "source_directory.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct source_options shown;

TestSuite(source_excerpts, .init = source_directory_make, .fini = source_directory_remove);

/* Its path. */
static const char *write_file(const char *name, time_t changed)
{
    const char *path = arena_text("%s/%s", source_directory, name);
    const struct timespec times[2] = {{.tv_sec = changed}, {.tv_sec = changed}};
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    for (int i = 1; i <= 20; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
    cr_assert_eq(chmod(path, 0644), 0);
    cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    return path;
}

enum { SOME_TIME = 1700000000 };

static struct site site_at(const char *module, const char *path, int line)
{
    return (struct site){
        .module = module, .path = path, .file = file_name(path), .line = line, .function = arena_text("f%d", line)};
}

static void add(struct finding *finding, int rank, struct site site)
{
    evidence_add(&finding->evidence, rank, 0, "in MPI_Send()", evidence_place(&site, "MPI_Send"), 1);
    ranks_add(&finding->ranks, rank);
}

/* "8 of rank 2; 5 of ranks [0,1]", or notes. Finishes the finding. */
static const char *take(struct source_view *view, struct finding *finding)
{
    const char *all = "";
    finding_finish(finding);
    struct source_excerpts excerpts = source_view_take(view, finding, 2, 0);
    for (size_t i = 0; i < excerpts.count; i++) {
        const struct source_excerpt *excerpt = &excerpts.items[i];
        const char *said = excerpt->note != NULL
                               ? excerpt->note
                               : arena_text("%d of %s", excerpt->lines.items[excerpt->lines.named].number,
                                            ranks_name(source_excerpt_ranks(excerpt)));
        all = arena_text("%s%s%s", all, i > 0 ? "; " : "", said);
    }
    return all;
}

static void expect_of_site(const struct job *job, const struct source_options *options, struct site site,
                           const char *expected)
{
    struct source_view *view = source_view_begin(job, options);
    struct finding finding = {.kind = FINDING_DEADLOCK};
    add(&finding, 0, site);
    const char *said = take(view, &finding);
    cr_expect_str_eq(said, expected, "%s", said);
}

Test(source_excerpts, culprits_first_and_each_place_once)
{
    struct job job = {.process_count = 0};
    const char *path = write_file("a.c", SOME_TIME), *module = write_file("a", SOME_TIME);
    struct source_view *view = source_view_begin(&job, &shown);
    struct finding first = {.kind = FINDING_DEADLOCK}, second = {.kind = FINDING_DEADLOCK};
    add(&first, 0, site_at(module, path, 5));
    add(&first, 2, site_at(module, path, 8));
    add(&first, 1, site_at(module, path, 5));
    evidence_add_text(&first.evidence, 1, "stopped");
    ranks_add(&first.culprits, 2);
    const char *said = take(view, &first);
    cr_expect_str_eq(said, "8 of rank 2; 5 of ranks [0,1]", "%s", said);
    add(&second, 3, site_at(module, path, 8));
    add(&second, 3, site_at(module, path, 9));
    said = take(view, &second);
    cr_expect_str_eq(said, "9 of rank 3", "%s", said);
}

Test(source_excerpts, a_handful)
{
    struct job job = {.process_count = 0};
    const char *path = write_file("a.c", SOME_TIME);
    struct source_view *view = source_view_begin(&job, &shown);
    struct finding finding = {.kind = FINDING_DEADLOCK};
    for (int rank = 0; rank < 10; rank++)
        add(&finding, rank, site_at("/a", path, 10 + rank));
    ranks_add(&finding.culprits, 7);
    const char *said = take(view, &finding);
    cr_expect_str_eq(said, "17 of rank 7; 10 of rank 0; 11 of rank 1; 12 of rank 2", "%s", said);
}

Test(source_excerpts, not_of_libraries)
{
    struct job job = {.process_count = 0};
    const char *path = write_file("a.c", SOME_TIME);
    struct site called = site_at("/usr/lib/libmpi.so.40", path, 5);
    expect_of_site(&job, &shown, called, "");
    expect_of_site(&job, &shown, site_at("/a", "/usr/include/c++/12/thread", 5), "");
    expect_of_site(&job, &shown, site_at("/opt/lib/python3.11/os.py", "/opt/lib/python3.11/os.py", 5), "");
    called.module = "/opt/app/libsolver.so";
    expect_of_site(&job, &shown, called, "5 of rank 0");
}

Test(source_excerpts, nothing_where_none_are_wanted)
{
    struct job job = {.process_count = 0};
    const struct source_options off = {.is_off = true};
    expect_of_site(&job, &off, site_at("/a", write_file("a.c", SOME_TIME), 5), "");
}

Test(source_excerpts, changed_since)
{
    struct job job = {.process_count = 0};
    const char *path = write_file("a.c", SOME_TIME), *old = write_file("old", SOME_TIME - 1);
    expect_of_site(&job, &shown, site_at(write_file("a", SOME_TIME), path, 5), "5 of rank 0");
    expect_of_site(&job, &shown, site_at(old, path, 5), arena_text("%s has changed since old was built", path));
    job.started = SOME_TIME - 60;
    expect_of_site(&job, &shown, site_at("/gone", path, 5),
                   arena_text("%s has changed since the job was started", path));
    expect_of_site(&job, &shown, site_at(path, path, 5), arena_text("%s has changed since the job was started", path));
    job.started = SOME_TIME - 1; /* of a file that was written just before */
    expect_of_site(&job, &shown, site_at(path, path, 5), "5 of rank 0");
    job = (struct job){.snapshot_taken = SOME_TIME - 60};
    expect_of_site(&job, &shown, site_at("/gone", path, 5), arena_text("%s has changed since the job was read", path));
    const char *const directories[] = {source_directory};
    const struct source_options copy = {.directories = (const char **)directories, .directory_count = 1};
    expect_of_site(&job, &copy, site_at(old, "/mpilens-gone/a.c", 5), "5 of rank 0");
}

Test(source_excerpts, why_there_are_none)
{
    struct job job = {.process_count = 0};
    const char *path = write_file("a.c", SOME_TIME), *fifo = arena_text("%s/fifo.c", source_directory);
    struct source_view *view = source_view_begin(&job, &shown);
    struct finding finding = {.kind = FINDING_DEADLOCK};
    cr_assert_eq(mkfifo(fifo, 0644), 0);
    expect_of_site(&job, &shown, site_at("/a", path, 21), arena_text("%s has no line 21", path));
    expect_of_site(&job, &shown, site_at("/a", fifo, 1), arena_text("%s is no regular file, and is not opened", fifo));
    add(&finding, 0, site_at("/a", "/mpilens-gone/a.c", 1));
    add(&finding, 1, site_at("/a", "/mpilens-gone/a.c", 2));
    add(&finding, 2, site_at("/a", "/mpilens-gone/b.c", 1));
    const char *said = take(view, &finding);
    cr_expect_str_eq(said,
                     "/mpilens-gone/a.c is not here: --source DIR looks for it in DIR; /mpilens-gone/b.c is not here",
                     "%s", said);
}
