/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the DLL keeps for one process: callbacks, the root, the last snapshot and the iterators in it.
 */
#ifndef MPILENS_DLL_PROCESS_PROCESS_INFO_H
#define MPILENS_DLL_PROCESS_PROCESS_INFO_H

#include "facts/object_users.h"
#include "facts/page_lines.h"
#include "process/info_owners.h"
#include "process/known_processes.h"
#include "process/unexpected_list.h"
#include "snapshot/reading.h"
#include "target/copy_budget.h"
#include "target/object_block.h"
#include "target/read_ahead.h"

#include <time.h>

struct type_map;
struct type_signatures;

/* A place among texts in a row. */
struct text_position {
    uint64_t number; /* of the text that begins there */
    size_t offset;   /* bytes */
};

struct _mqs_process_info {
    struct info_owners owners;
    struct known_process known;
    struct _mqs_process_info *aside; /* for the interfaces about handles: a copy and iterators of their own; or NULL */

    /* See shared_copy.h. */
    struct _mqs_process_info *shared; /* has a copy that was taken for others; or NULL */
    uint64_t moment;                  /* at which the process was as it is in the copy, as far as that is known */
    uint64_t round;                   /* of that moment */
    uint64_t claimed_in;              /* round */
    uint64_t looked_in;               /* round */
    int look_code;                    /* how that ended */
    bool is_unmoved;                  /* the debugger's copy was, when it was looked at for others */

    struct reading reading;
    struct copy_budget budget; /* of its target; anew whenever the root is read */
    struct read_ahead ahead;   /* of process_refresh.h; empty: everything is read from the process */

    int snapshot_code; /* how the last try to take a snapshot ended */
    bool copied;       /* there was one */
    bool is_former;    /* the snapshot is of before that: the process could not be read any more */
    time_t copied_at;  /* of the snapshot */
    /* See process_lookup.h. */
    bool is_for_lookup; /* the snapshot was needed for finding a handle, nobody has asked for it */
    bool is_partial;    /* nothing was copied but ... */
    uint32_t tables;    /* ... these (TABLE_BIT) */

    size_t communicator; /* place in the snapshot's list; past the end: none */
    struct bucket_position operations;
    const struct mpilens_operation *operation; /* delivered last */
    struct unexpected_list unexpected;         /* as far as they were worked out */
    struct listed_messages messages_listed;    /* by the iterator */
    struct bucket_position completed;
    struct bucket_position channels;
    struct bucket_position messages;
    uint64_t next_collective;                /* serial, 0: past the end */
    struct type_signatures *type_signatures; /* of the snapshot; NULL: none */
    size_t next_thread;
    size_t poll; /* of the thread delivered last: number of the poll delivered last; 0: the thread itself */
    struct bucket_position requests;
    struct bucket_position objects;
    int listed_kind; /* enum mpilens_object_kind, of that iterator */

    /* The current object. */
    const void *object; /* its record, NULL: none */
    int object_kind;    /* enum mpilens_object_kind */
    struct object_block object_block;
    struct text_position text_position; /* in object_block, where that holds texts */
    uint64_t next_object_collective;    /* as next_collective */
    struct user_list users;             /* where lists_users */
    struct table_position attributes;   /* where lists_attributes */
    bool lists_users;
    bool lists_attributes;
    struct type_map *type_map; /* NULL: none */

    struct page_lines page; /* that was made last */
};

/* What hangs on the process, NULL: nothing. */
mqs_process_info *process_info(mqs_process *process);

/* mqs_ok, or why there is none. */
int process_info_check(const mqs_process_info *info);

/* An info that hangs on nothing: of an interface that keeps it itself, until process_info_free. mqs_ok or a code. */
int process_info_make(const struct target_access *access, void *process, const void *callbacks,
                      mqs_process_info **ret_info);
void process_info_free(mqs_process_info *info);

/* An info hangs on the process from now on, for that interface too. mqs_ok or a code. */
int process_info_set_up(mqs_process *process, const mqs_process_callbacks *given, enum interface interface);

/* What stands aside is made, unless it was, with memory of the callbacks in use; and freed. mqs_ok or a code. */
int process_info_put_aside(mqs_process_info *info, const mqs_process_callbacks *given);
void process_info_drop_aside(mqs_process_info *info);

/* Frees what is in it, not the info itself nor what stands aside. */
void process_info_empty(mqs_process_info *info);

/* Finds the root and reads what the process is, as root_identify(). mqs_ok or a code. */
int process_info_identify(mqs_process_info *info, struct mpilens_process *ret_process);

/* Finds and reads the root. mqs_ok or a code. */
int process_info_attach(mqs_process_info *info);

/* The same, and sees that MPI has been called. */
int process_info_prepare(mqs_process_info *info);

/* Forgets the snapshot, and with it the current object and all iterators. */
void process_info_drop_copy(mqs_process_info *info);

/* The copy takes the place of this one. `from` has none then. */
void process_info_take_over(mqs_process_info *info, mqs_process_info *from);

/* Ends the current object and all iterators, as if the snapshot had just been taken. */
void process_info_rewind(mqs_process_info *info);

/* Takes a new snapshot. mqs_ok or a code: MPILENS_ERROR_UNREADABLE leaves the one that was there (is_former). */
int process_info_copy(mqs_process_info *info);
/* Of the snapshot, in seconds. */
uint64_t process_info_age_s(const mqs_process_info *info);

/* A snapshot of everything takes the place of copies of single tables; the current object stays what it is. mqs_ok or a
 * code. */
int process_info_need_all(mqs_process_info *info);

/* What was fetched ahead is forgotten: from here on everything is read from the process. */
void process_info_end_reading_ahead(mqs_process_info *info);

/* Makes a record of the snapshot the current object. `record` NULL: none. */
void process_info_set_object(mqs_process_info *info, int kind, const void *record);

/* The next of the messages that are listed; and the one that was delivered last. mqs_ok, mqs_end_of_list or
 * MPILENS_ERROR_NO_CURRENT. */
int process_info_next_unexpected(mqs_process_info *info, struct mpilens_unexpected_information *ret_message);
int process_info_current_unexpected(const mqs_process_info *info, struct mpilens_unexpected_information *ret_message);

/* Ends all iterators that depend on the current communicator. */
void process_info_reset_iterators(mqs_process_info *info);

/* The functions from here on take NULL, too: see process_info_check. */

/* Takes a snapshot if none was tried, or if only single tables were copied: the current object stays what it is.
 * mqs_ok or a code. */
int process_info_need_copy(mqs_process_info *info);

/* The same, and moves to the first communicator or to the next one. mqs_end_of_list: there is none. */
int process_info_first_communicator(mqs_process_info *info);
int process_info_next_communicator(mqs_process_info *info);

/* The same as process_info_need_copy, and the communicator at which the iterator stands. */
int process_info_current_communicator(mqs_process_info *info, const struct communicator_view **ret_communicator);

/* The record of the current object. mqs_ok or a code; MPILENS_ERROR_NO_CURRENT: there is none, or it is of another
 * kind. `kind` MPILENS_OBJECT_NONE: of any. */
int process_info_current_object(mqs_process_info *info, int kind, const void **ret_record);

#endif
