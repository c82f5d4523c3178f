/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the last job in a directory of black boxes.
 */
#include "job/job_internal.h"

#include "base/base.h"
#include "target/black_box.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More entries than this are not looked at. */
enum { MOST_BOXES = 1 << 17 };

struct box {
    char *path;
    struct mpilens_box_process process;
    struct timespec made;
};

struct boxes {
    struct box *items;
    size_t count;
};

bool box_directory_is(const char *target)
{
    struct stat information;
    return stat(target, &information) == 0 && S_ISDIR(information.st_mode);
}

static bool has_name_of_box(const char *name)
{
    const size_t length = strlen(name), suffix = strlen(MPILENS_BOX_SUFFIX);
    return length > suffix && strcmp(name + length - suffix, MPILENS_BOX_SUFFIX) == 0;
}

static void add_box(struct boxes *boxes, int directory, const char *path, const char *name)
{
    struct stat information;
    struct box box = {.path = format_text("%s/%s", path, name)};
    if (fstatat(directory, name, &information, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(information.st_mode) &&
        black_box_identify_file(box.path, &box.process)) {
        box.made = information.st_ctim;
        boxes->items = array_append(boxes->items, &boxes->count, sizeof *boxes->items);
        boxes->items[boxes->count - 1] = box;
    } else {
        free(box.path);
    }
}

static int list_boxes(const char *path, struct boxes *ret_boxes, struct reason *ret_reason)
{
    DIR *directory = opendir(path);
    if (directory == NULL)
        return reason_set(ret_reason, "%s: %s", path, strerror(errno));
    const struct dirent *entry;
    for (size_t i = 0; i < MOST_BOXES && (entry = readdir(directory)) != NULL; i++)
        if (has_name_of_box(entry->d_name))
            add_box(ret_boxes, dirfd(directory), path, entry->d_name);
    closedir(directory);
    return ret_boxes->count > 0
               ? 0
               : reason_set(ret_reason, "%s: there is no black box of 'mpilens run --keep' in it", path);
}

static bool is_before(struct timespec left, struct timespec right)
{
    return left.tv_sec != right.tv_sec ? left.tv_sec < right.tv_sec : left.tv_nsec < right.tv_nsec;
}

static bool are_of_one_job(const struct box *left, const struct box *right)
{
    return left->process.job_identity[0] != '\0' ? strcmp(left->process.job_identity, right->process.job_identity) == 0
                                                 : left == right;
}

static void add_target(struct box_targets *targets, char *target)
{
    targets->targets = array_append(targets->targets, &targets->count, sizeof *targets->targets);
    targets->targets[targets->count - 1] = target;
}

static void choose_targets(const struct boxes *boxes, struct box_targets *ret_targets)
{
    const struct box *last = &boxes->items[0];
    size_t dead = 0;
    for (size_t i = 1; i < boxes->count; i++)
        if (is_before(last->made, boxes->items[i].made))
            last = &boxes->items[i];
    for (size_t i = 0; i < boxes->count; i++) {
        const struct box *box = &boxes->items[i];
        if (!are_of_one_job(last, box))
            continue;
        const bool is_live = black_box_is_live(&box->process);
        dead += !is_live;
        add_target(ret_targets, is_live ? format_text("%lu", (unsigned long)box->process.pid) : copy_text(box->path));
    }
    while (dead == 0 && ret_targets->count > 1)
        free(ret_targets->targets[--ret_targets->count]);
}

int box_directory_read(const char *path, struct box_targets *ret_targets, struct reason *ret_reason)
{
    struct boxes boxes = {.count = 0};
    const int result = list_boxes(path, &boxes, ret_reason);
    if (result == 0)
        choose_targets(&boxes, ret_targets);
    for (size_t i = 0; i < boxes.count; i++)
        free(boxes.items[i].path);
    free(boxes.items);
    return result;
}

void box_targets_clear(struct box_targets *targets)
{
    for (size_t i = 0; i < targets->count; i++)
        free(targets->targets[i]);
    free(targets->targets);
    *targets = (struct box_targets){.count = 0};
}
