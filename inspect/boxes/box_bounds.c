/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Removes black boxes of jobs that ended long ago, or when there are too many.
 */
#include "boxes/boxes.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* Being made, a black box looks like one that was given up. */
static const double longest_making_s = 60;

static double age_of(struct timespec time)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return difftime(now.tv_sec, time.tv_sec);
}

static void remove_files(const struct box_job *job)
{
    for (size_t i = 0; i < job->count; i++)
        unlink(job->boxes[i].path);
}

/* Black boxes of ended processes become read-only, which also notes the time: jobs that run for long do not go first.
 * Whether any has. */
static bool notice_ends(const struct box_jobs *jobs)
{
    bool is_any = false;
    for (size_t i = jobs->count; i > 0; i--)
        for (size_t j = 0; j < jobs->items[i - 1].count; j++) {
            const struct box *box = &jobs->items[i - 1].boxes[j];
            if (!box->end_is_noticed && box_is_from_here(box) && !box_is_live(box) && chmod(box->path, S_IRUSR) == 0)
                is_any = true;
        }
    return is_any;
}

static void remove_oldest(const struct box_jobs *jobs, const struct box_bounds *bounds)
{
    size_t kept = 0;
    uint64_t bytes = 0;
    for (size_t i = 0; i < jobs->count; i++) {
        const struct box_job *job = &jobs->items[i];
        const bool is_old = age_of(job->changed) > bounds->age_s;
        if (box_job_is_live(job) || (!is_old && !box_is_from_here(job->boxes)))
            continue;
        if (is_old || kept >= bounds->jobs || bytes + job->bytes > bounds->bytes) {
            remove_files(job);
        } else {
            kept++;
            bytes += job->bytes;
        }
    }
}

/* `is_last`: the ends of all have been noticed; else false where one is only now, and nothing is removed. */
static bool keep(const char *directory, const struct box_bounds *bounds, bool is_last)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    if (boxes_add(&boxes, directory, &reason) != 0)
        return true;
    struct box_jobs jobs = box_jobs_find(&boxes);
    const bool is_done = is_last || !notice_ends(&jobs);
    if (is_done)
        remove_oldest(&jobs, bounds);
    return is_done;
}

static bool is_given_up(int directory, const char *name)
{
    static const char nothing[SELFMAG];
    char head[SELFMAG];
    struct stat information;
    const int file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const bool result = file >= 0 && fstat(file, &information) == 0 && S_ISREG(information.st_mode) &&
                        age_of(information.st_mtim) > longest_making_s &&
                        pread(file, head, sizeof head, 0) == (ssize_t)sizeof head &&
                        memcmp(head, nothing, sizeof head) == 0;
    if (file >= 0)
        close(file);
    return result;
}

/* A rank that could not remove its black box at its end has cleared the beginning (runtime/memory/black_box.c). */
static void remove_given_up(const char *directory)
{
    DIR *stream = opendir(directory);
    const struct dirent *entry;
    for (size_t i = 0; stream != NULL && i < MOST_BOX_ENTRIES && (entry = readdir(stream)) != NULL; i++)
        if (has_name_of_box(entry->d_name) && is_given_up(dirfd(stream), entry->d_name))
            unlinkat(dirfd(stream), entry->d_name, 0);
    if (stream != NULL)
        closedir(stream);
}

void box_bounds_keep(const char *directory, const struct box_bounds *bounds)
{
    const struct arena_mark mark = arena_mark();
    remove_given_up(directory);
    if (!keep(directory, bounds, false))
        keep(directory, bounds, true);
    arena_release(mark);
}

void box_bounds_keep_default(const char *directory)
{
    struct box_bounds bounds = {.jobs = 20, .bytes = (uint64_t)4 << 30, .age_s = 7 * 24 * 3600.0};
    struct statvfs system;
    if (statvfs(directory, &system) == 0 && system.f_blocks > 0 && bounds.bytes > system.f_blocks * system.f_frsize / 4)
        bounds.bytes = system.f_blocks * system.f_frsize / 4;
    box_bounds_keep(directory, &bounds);
}
