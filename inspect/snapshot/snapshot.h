/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A job in an SQLite file.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_H

#include "base/base.h"
#include "collect/collect.h"
#include "model/model.h"

#include <sys/types.h>

/* -- snapshot.c -- A job in a file, to be examined later and elsewhere. The file is an SQLite 3 database: the tables of
 * snapshot_tables.c have a row for each struct of the model, with the columns of its members. `row` numbers the rows of
 * a table; the table's parent has a column of its name. Ticks, addresses, handles and other unsigned numbers of 64 bits
 * are stored as signed ones. NULL is not known. Columns with texts refer to the table `text`, with places to `site`,
 * with groups to `communicator_group` (its members are in `group_range`); the view readable_TABLE has the texts and
 * places themselves. `constant_column` names columns with the same value in all rows of a table: only their first row
 * is read. Memory of the processes is in `image`, `module`, `place`, `symbol` and `memory`.
 */

/* Whether the file is to be read as a snapshot: it is a database, of whatever kind. */
bool snapshot_is(const char *path);

/* Writes the job, which gets the places of completed operations for it, and the moment. The file appears whole or not
 * at all (file/output_file.c, also for `mode`). 0, or -1 and a reason. */
int snapshot_write(const char *path, mode_t mode, struct job *job, struct reason *ret_reason);

/* How much of a job is written. */
enum snapshot_extent {
    SNAPSHOT_FULL,  /* with the memory that `mpilens handle` asks */
    SNAPSHOT_LIGHT, /* for `why`, `show` and `watch` */
    SNAPSHOT_MARKS, /* of a first sample, to be compared with a second one */
};

/* As snapshot_write, in memory. The bytes are the caller's, to be freed with free(). Unless in full, the job loses the
 * parts that are left out (snapshot_light.c). */
int snapshot_pack(struct job *job, enum snapshot_extent extent, void **ret_bytes, size_t *ret_count,
                  struct reason *ret_reason);

/* Reads a job, to be cleared: as deep as the plan says, through `dll` out of the memory that the processes had where
 * the plan wants more. 0, or -1 and a reason. */
int snapshot_read(const struct dll *dll, const char *path, const struct collect_plan *plan, struct job *ret_job,
                  struct reason *ret_reason);

/* Reads a snapshot as a part of a job, of which other parts may have been read, and derives nothing from its processes
 * together. Names, groups and places go into the pools of `job`, which is otherwise left alone; the part, to be
 * cleared or put into the job, has none. `number`: of the part in the job. If the plan wants a recording, targets get
 * the snapshot's, and nothing is read from them. */
int snapshot_read_part(const struct dll *dll, const char *path, size_t number, const struct collect_plan *plan,
                       struct job *job, struct job *ret_part, struct reason *ret_reason);

/* As snapshot_read_part, for bytes of snapshot_pack; `name` is their name in sentences. */
int snapshot_unpack_part(const struct dll *dll, const char *name, const void *bytes, size_t count, size_t number,
                         const struct collect_plan *plan, struct job *job, struct job *ret_part,
                         struct reason *ret_reason);

/* -- snapshot_handles.c -- Answers to later questions about the handles of a snapshot.
 */

/* Reads what may be asked about handles of the process later, so that its target, which records, has the answers. For
 * struct collect_plan, whose context is a struct site_cache that lasts as long. */
void snapshot_ask_handles(const struct collection *collection, const struct process *process, void *context);

#endif
