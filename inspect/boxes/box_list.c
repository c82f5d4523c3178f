/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the black boxes in directories.
 */
#include "boxes/boxes.h"

#include "target/black_box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_OF_BLOCK = 512 }; /* stat(2), st_blocks */

bool has_name_of_box(const char *name)
{
    const size_t length = strlen(name), suffix = strlen(MPILENS_BOX_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, MPILENS_BOX_SUFFIX) == 0;
}

static void add_box(struct boxes *boxes, int directory, const char *path, const char *name)
{
    struct stat information;
    struct box box = {.path = arena_text("%s/%s", path, name)};
    if (fstatat(directory, name, &information, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(information.st_mode) &&
        black_box_identify_file(box.path, &box.process)) {
        box.made = information.st_mtim;
        box.changed = information.st_ctim;
        box.end_is_noticed = (information.st_mode & S_IWUSR) == 0;
        box.bytes = (uint64_t)information.st_blocks * BYTES_OF_BLOCK;
        boxes->items = arena_append(boxes->items, &boxes->count, sizeof *boxes->items);
        boxes->items[boxes->count - 1] = box;
    }
}

int boxes_add(struct boxes *boxes, const char *directory, struct reason *ret_reason)
{
    DIR *stream = opendir(directory);
    if (stream == NULL)
        return reason_set(ret_reason, "%s: %s", directory, strerror(errno));
    const struct dirent *entry;
    for (size_t i = 0; i < MOST_BOX_ENTRIES && (entry = readdir(stream)) != NULL; i++)
        if (has_name_of_box(entry->d_name))
            add_box(boxes, dirfd(stream), directory, entry->d_name);
    closedir(stream);
    return 0;
}

static int compare_times(struct timespec left, struct timespec right)
{
    if (left.tv_sec != right.tv_sec)
        return left.tv_sec < right.tv_sec ? -1 : 1;
    return left.tv_nsec < right.tv_nsec ? -1 : left.tv_nsec > right.tv_nsec;
}

/* Without an identity, a process is a job of its own. */
static int compare_identities(const struct box *left, const struct box *right)
{
    const struct mpilens_box_process *one = &left->process, *other = &right->process;
    if (one->uid != other->uid)
        return one->uid < other->uid ? -1 : 1;
    const int identities = strcmp(one->job_identity, other->job_identity);
    return identities != 0 || one->job_identity[0] != '\0' ? identities : strcmp(left->path, right->path);
}

static int compare_jobs(const struct box *left, const struct box *right)
{
    const int identities = compare_identities(left, right);
    if (identities != 0 || left->launch == right->launch)
        return identities;
    return left->launch < right->launch ? -1 : 1;
}

static int by_path(const void *left, const void *right)
{
    return strcmp(((const struct box *)left)->path, ((const struct box *)right)->path);
}

static int by_job(const void *left, const void *right)
{
    const int jobs = compare_jobs(left, right);
    return jobs != 0 ? jobs : by_path(left, right);
}

static int by_time(const void *left, const void *right)
{
    const int identities = compare_identities(left, right);
    const int times = identities != 0
                          ? identities
                          : compare_times(((const struct box *)left)->made, ((const struct box *)right)->made);
    return times != 0 ? times : by_path(left, right);
}

/* A launcher has one process for each job in each of these places. */
static int compare_places(const struct box *left, const struct box *right)
{
    const struct mpilens_box_process *one = &left->process, *other = &right->process;
    const int hosts = strcmp(one->host, other->host);
    if (hosts != 0 || one->launcher_part == other->launcher_part)
        return hosts;
    return one->launcher_part < other->launcher_part ? -1 : 1;
}

static int by_place(const void *left, const void *right)
{
    const int jobs = compare_jobs(left, right);
    return jobs != 0 ? jobs : compare_places(left, right);
}

static int by_launcher(const void *left, const void *right)
{
    const struct mpilens_box_process *one = &((const struct box *)left)->process,
                                     *other = &((const struct box *)right)->process;
    const int identities = compare_identities(left, right);
    const int places = identities != 0 ? identities : compare_places(left, right);
    const int boots = places != 0 ? places : strcmp(one->boot_id, other->boot_id);
    if (boots != 0 || one->launcher_started == other->launcher_started)
        return boots;
    return one->launcher_started < other->launcher_started ? -1 : 1;
}

static bool identity_may_come_again(const struct mpilens_box_process *process)
{
    return strncmp(process->job_identity, MPILENS_BOX_HYDRA, strlen(MPILENS_BOX_HYDRA)) == 0;
}

/* `boxes` are sorted by_time. The next launch begins where a place has another launcher. */
static void number_launches(struct boxes *boxes)
{
    struct arena_node *launchers = NULL, *places = NULL;
    size_t last = 0;
    for (size_t i = 0; i < boxes->count; i++) {
        struct box *box = &boxes->items[i];
        if (i > 0 && compare_identities(&boxes->items[i - 1], box) != 0)
            last = 0;
        box->launch = last;
        if (!identity_may_come_again(&box->process) || box->process.launcher_started == 0)
            continue;
        const struct box *first = arena_search(box, &launchers, by_launcher);
        if (first == box && arena_search(box, &places, by_place) != box) {
            box->launch = ++last;
            arena_search(box, &places, by_place);
        }
        box->launch = first->launch;
    }
}

static int newest_first(const void *left_job, const void *right_job)
{
    const struct box_job *left = left_job, *right = right_job;
    const int changes = compare_times(right->changed, left->changed);
    return changes != 0 ? changes : compare_times(right->made, left->made);
}

static void leave_out_doubles(struct boxes *boxes)
{
    size_t kept = 0;
    for (size_t i = 0; i < boxes->count; i++)
        if (kept == 0 || strcmp(boxes->items[kept - 1].path, boxes->items[i].path) != 0)
            boxes->items[kept++] = boxes->items[i];
    boxes->count = kept;
}

static void add_to_jobs(struct box_jobs *jobs, const struct box *box)
{
    struct box_job *job = jobs->count > 0 ? &jobs->items[jobs->count - 1] : NULL;
    if (job == NULL || compare_jobs(job->boxes, box) != 0) {
        jobs->items = arena_append(jobs->items, &jobs->count, sizeof *jobs->items);
        job = &jobs->items[jobs->count - 1];
        *job = (struct box_job){.boxes = box};
    }
    job->count++;
    job->bytes += box->bytes;
    if (compare_times(job->made, box->made) < 0)
        job->made = box->made;
    if (compare_times(job->changed, box->changed) < 0)
        job->changed = box->changed;
}

struct box_jobs box_jobs_find(struct boxes *boxes)
{
    struct box_jobs jobs = {.count = 0};
    if (boxes->count > 1)
        qsort(boxes->items, boxes->count, sizeof *boxes->items, by_path);
    leave_out_doubles(boxes);
    if (boxes->count > 1)
        qsort(boxes->items, boxes->count, sizeof *boxes->items, by_time);
    number_launches(boxes);
    if (boxes->count > 1)
        qsort(boxes->items, boxes->count, sizeof *boxes->items, by_job);
    for (size_t i = 0; i < boxes->count; i++)
        add_to_jobs(&jobs, &boxes->items[i]);
    if (jobs.count > 1)
        qsort(jobs.items, jobs.count, sizeof *jobs.items, newest_first);
    return jobs;
}

bool box_is_live(const struct box *box)
{
    return black_box_is_live(&box->process);
}

bool box_is_from_here(const struct box *box)
{
    return black_box_is_from_here(&box->process);
}

bool box_job_is_live(const struct box_job *job)
{
    for (size_t i = 0; i < job->count; i++)
        if (box_is_live(&job->boxes[i]))
            return true;
    return false;
}
