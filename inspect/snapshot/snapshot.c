/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Saves and loads a job.
 */

#include "base/base.h"
#include "collect/collect.h"
#include "model/model.h"
#include "snapshot/snapshot_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

bool snapshot_is(const char *path)
{
    return snapshot_file_is_database(path);
}

/* Whether the extent has the table; tables below it come after it. */
static bool has_table(enum snapshot_extent extent, const struct snapshot_table *table)
{
    static const char *const of_marks[] = {"job",          "absent", "process", "thread",     "poll",   "seen_thread",
                                           "communicator", "send",   "receive", "unexpected", "channel"};
    for (size_t i = 0; i < sizeof of_marks / sizeof *of_marks; i++)
        if (strcmp(table->name, of_marks[i]) == 0)
            return true;
    return extent != SNAPSHOT_MARKS;
}

static int write_job(struct snapshot_file *file, struct job *job, enum snapshot_extent extent)
{
    struct snapshot_writer writer = {.file = file};
    int result = snapshot_writer_begin(&writer);
    for (size_t i = 0; result == 0 && i < snapshot_table_count; i++)
        if (has_table(extent, snapshot_tables[i]))
            result = snapshot_write_table(&writer, job, snapshot_tables[i]);
    if (result == 0 && extent == SNAPSHOT_FULL)
        result = snapshot_write_images(&writer, job);
    snapshot_writer_clear(&writer);
    return result;
}

int snapshot_write(const char *path, mode_t mode, struct job *job, struct reason *ret_reason)
{
    struct snapshot_file file;
    if (snapshot_file_create(path, mode, &file, ret_reason) != 0)
        return -1;
    job->snapshot_taken = (int64_t)time(NULL);
    job_resolve_completed_sites(job); /* they may turn out to be unexpected messages when the file is read */
    int result = write_job(&file, job, SNAPSHOT_FULL);
    if (result == 0)
        result = snapshot_file_finish(&file);
    snapshot_file_close(&file);
    return result;
}

int snapshot_pack(struct job *job, enum snapshot_extent extent, void **ret_bytes, size_t *ret_count,
                  struct reason *ret_reason)
{
    struct snapshot_file file;
    unsigned char *content = NULL;
    size_t count = 0;
    if (snapshot_file_create_in_memory("the part", &file, ret_reason) != 0)
        return -1;
    file.is_light = extent != SNAPSHOT_FULL;
    job->snapshot_taken = (int64_t)time(NULL);
    if (extent != SNAPSHOT_FULL)
        job_lighten(job);
    job_resolve_completed_sites(job);
    int result = write_job(&file, job, extent);
    if (result == 0)
        result = snapshot_file_take_bytes(&file, &content, &count);
    snapshot_file_close(&file);
    if (result == 0) {
        *ret_bytes = memcpy(allocate(count), content, count);
        *ret_count = count;
    }
    sqlite3_free(content);
    return result;
}

/* Ranges as rank_set_append makes them, of a world that there can be, with a reason. */
static bool absent_is_possible(const struct job *job)
{
    int64_t end = 0;
    for (size_t i = 0; i < job->absent.count; i++) {
        const struct rank_range *range = &job->absent.ranges[i];
        if (range->first < end || range->last < range->first || range->last >= MOST_RANKS || range->stride != 1)
            return false;
        end = (int64_t)range->last + 1;
    }
    return job->absent.count == 0 || job->absent_reason != NULL;
}

/* Whether the processes are read by the DLL out of the memory that they had. */
static bool reads_memory(const struct collect_plan *plan)
{
    return plan->more != NULL && !plan->is_recorded;
}

/* Reads the contents of the processes, or what is needed for the DLL to read them. */
static int read_file(struct snapshot_file *file, const struct collect_plan *plan, struct job *job)
{
    struct snapshot_reader reader = {.file = file, .job = job};
    int result = snapshot_reader_begin(&reader);
    if (result == 0)
        result = snapshot_read_tables(&reader, plan->depth >= COLLECT_SAMPLE && !reads_memory(plan));
    if (result == 0 && plan->more != NULL)
        result = snapshot_read_images(&reader);
    snapshot_reader_clear(&reader);
    if (result == 0 && !absent_is_possible(job))
        result = snapshot_file_damaged(file, "its absent ranks make no sense");
    return result;
}

/* Derives the common facts of the processes, except the number of samples: that was counted when they were read. */
static void complete(const struct dll *dll, struct job *job, enum collect_depth depth)
{
    const int samples = job->samples;
    const double interval_s = job->interval_s;
    complete_job(dll, job, depth);
    if (job->absent.count == 0) {
        free(job->absent_reason);
        job->absent_reason = NULL;
    }
    job->samples = samples;
    job->interval_s = interval_s;
}

static void read_images(const struct dll *dll, const struct collect_plan *plan, struct job *job)
{
    struct reason reason;
    reason_set(&reason, "the snapshot contains none of its memory");
    for (size_t i = 0; i < job->process_count; i++)
        if (job->processes[i].target == NULL)
            set_unread(&job->processes[i], &reason);
    read_processes(dll, job, false, plan);
}

/* Closes the file. */
static int read_part(const struct dll *dll, struct snapshot_file *file, size_t number, const struct collect_plan *plan,
                     struct job *part)
{
    const int result = read_file(file, plan, part);
    snapshot_file_close(file);
    for (size_t i = 0; i < part->process_count; i++) {
        part->processes[i].part = number;
        part->processes[i].is_saved = !reads_memory(plan);
    }
    if (result == 0 && reads_memory(plan))
        read_images(dll, plan, part);
    return result;
}

static int read_part_of(const struct dll *dll, struct snapshot_file *file, size_t number,
                        const struct collect_plan *plan, struct job *job, struct job *ret_part)
{
    struct job part = {.memory_taken = job->memory_taken};
    job_move_pools(job, &part);
    const int result = read_part(dll, file, number, plan, &part);
    job_move_pools(&part, job);
    job->memory_taken = part.memory_taken;
    if (result == 0)
        *ret_part = part;
    else
        job_clear(&part);
    return result;
}

int snapshot_read_part(const struct dll *dll, const char *path, size_t number, const struct collect_plan *plan,
                       struct job *job, struct job *ret_part, struct reason *ret_reason)
{
    struct snapshot_file file;
    if (snapshot_file_open(path, &file, ret_reason) != 0)
        return -1;
    return read_part_of(dll, &file, number, plan, job, ret_part);
}

int snapshot_unpack_part(const struct dll *dll, const char *name, const void *bytes, size_t count, size_t number,
                         const struct collect_plan *plan, struct job *job, struct job *ret_part,
                         struct reason *ret_reason)
{
    struct snapshot_file file;
    if (snapshot_file_open_bytes(name, bytes, count, &file, ret_reason) != 0)
        return -1;
    return read_part_of(dll, &file, number, plan, job, ret_part);
}

int snapshot_read(const struct dll *dll, const char *path, const struct collect_plan *plan, struct job *ret_job,
                  struct reason *ret_reason)
{
    struct snapshot_file file;
    struct job job = {0};
    if (snapshot_file_open(path, &file, ret_reason) != 0)
        return -1;
    if (read_part(dll, &file, 0, plan, &job) != 0) {
        job_clear(&job);
        return -1;
    }
    job.snapshot = copy_text(path);
    complete(dll, &job, plan->depth);
    *ret_job = job;
    return 0;
}
