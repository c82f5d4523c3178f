/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where black boxes are kept, which jobs they belong to, and when they are removed.
 */
#ifndef MPILENS_INSPECT_BOXES_BOXES_H
#define MPILENS_INSPECT_BOXES_BOXES_H

#include "base/base.h"
#include "mpilens/black_box.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* -- box_bounds.c --
 * Removes black boxes of jobs that ended long ago, or when there are too many.
 */

struct box_bounds {
    size_t jobs;
    uint64_t bytes;
    double age_s; /* since its end was noticed, or since the black box was made */
};

/* Notices which processes have ended, and removes the black boxes of the jobs that did so first, until the rest of
 * those is within the bounds. Of processes that cannot be seen from here, only the age counts. */
void box_bounds_keep(const char *directory, const struct box_bounds *bounds);
/* As box_bounds_keep, with the bounds for a directory that nobody has named: 20 jobs, a week, and a quarter of the file
 * system, at most 4 GiB. */
void box_bounds_keep_default(const char *directory);

/* -- box_list.c --
 * The black boxes in directories.
 */

/* More entries of a directory are not looked at. */
enum { MOST_BOX_ENTRIES = 1 << 17 };

struct box {
    const char *path;
    struct mpilens_box_process process;
    struct timespec made;
    struct timespec changed; /* when it was made, or its end was noticed */
    bool end_is_noticed;
    size_t launch;  /* of jobs with the same identity, one after the other: which one, set by box_jobs_find() */
    uint64_t bytes; /* that the file takes */
};

/* Zero-initialised is empty. */
struct boxes {
    struct box *items;
    size_t count;
};

/* Whether a file may be a box, by its name. */
bool has_name_of_box(const char *name);
/* Adds the black boxes of a directory. 0, or -1 and a reason: it cannot be read. */
int boxes_add(struct boxes *boxes, const char *directory, struct reason *ret_reason);

/* Those of one job. */
struct box_job {
    const struct box *boxes;
    size_t count;
    struct timespec made, changed; /* the last of them */
    uint64_t bytes;
};

struct box_jobs {
    struct box_job *items; /* the newest first */
    size_t count;
};

/* Sorts the boxes, which the jobs refer to; one that stands there twice stays once. */
struct box_jobs box_jobs_find(struct boxes *boxes);
bool box_is_live(const struct box *box);
/* False: it is of another host, or of a container, and nothing is known of its process. */
bool box_is_from_here(const struct box *box);
/* Whether any process of it is. */
bool box_job_is_live(const struct box_job *job);

/* -- box_place.c --
 * Where black boxes are kept.
 */

/* Makes the directory where there is none and finds its absolute path, which the caller frees. With a reason: a
 * warning, else an empty text. NULL and a reason: the runtime would not take it. */
char *box_place_prepare(const char *directory, struct reason *ret_reason);

/* Where `mpilens run` keeps them unless told otherwise: in memory, below $XDG_RUNTIME_DIR or /dev/shm. The caller frees
 * it. NULL: this host has no such place. */
char *box_place_default(void);

/* Unless the environment says where black boxes are kept: makes the default place and sets MPILENS_KEEP to it.
 * `keeps_order`: also removes what is there too long. A reason: why there is none, else an empty text. */
void box_place_use_default(bool keeps_order, struct reason *ret_reason);

/* Adds all black boxes of MPILENS_KEEP and of the default places: this user's, or of `all` users as far as they can be
 * read. */
void box_places_read(struct boxes *boxes, bool all);

#endif
