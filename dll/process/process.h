/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The DLL's state of a process: reading, iterators, current object; looking up single tables.
 */
#ifndef MPILENS_DLL_PROCESS_PROCESS_H
#define MPILENS_DLL_PROCESS_PROCESS_H

#include "facts/facts.h"
#include "mpilens/extension.h"
#include "mpilens/message_queue.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct type_map;
struct type_signatures;

/* -- info_owners.c -- The interfaces that a debugger uses on one image or process. They share the DLL's information
 * about it: each may make and destroy it; the last one frees it.
 */

enum interface { INTERFACE_MQS = 0x1, INTERFACE_MPIDBG = 0x2 };

/* First in every info. */
struct info_owners {
    struct info_owners *next;
    struct info_owners *former; /* which this one stands for now: set up twice; may be gone. NULL: none */
    unsigned interfaces;
    const mqs_basic_callbacks *memory; /* whose allocator it is from */
};

/* A new info, from the allocator of the callbacks in use. `former`: of the same image or process, NULL: none. */
void info_owners_begin(struct info_owners *owners, enum interface interface, struct info_owners *former);

/* Whether such an info exists: the debugger may hold a stale pointer. */
bool info_exists(const void *info);

/* The interface has done with it. True: so have all; the caller frees what is in it and then calls info_release. An
 * interface that never had it speaks for all. */
bool info_owners_leave(struct info_owners *owners, enum interface interface);

/* With those that it stands for and that nobody has destroyed. */
void info_release(struct info_owners *owners);

/* -- image_info.c -- The DLL's information about one image.
 */

struct _mqs_image_info {
    struct info_owners owners;
    mqs_image *image;
    const mqs_image_callbacks *callbacks;
};

/* An info hangs on the image from now on, for that interface too. mqs_ok or a code. */
int image_info_set_up(mqs_image *image, const mqs_image_callbacks *given, enum interface interface);

/* Address of a symbol in the image that the process is an instance of. mqs_ok or a code. */
int image_find_symbol(mqs_image *image, const char *name, mqs_taddr_t *ret_address);

/* -- known_processes.c --
 * The processes that the debugger has set up for message queues and not destroyed, in the order of setting up.
 */

/* First in what is kept for a process, behind its owners. */
struct known_process {
    mqs_process_info *before;
    mqs_process_info *after;
    int is_listed;
};

/* Replaces an earlier info for the same process, which the debugger has forgotten. */
void known_processes_add(mqs_process_info *info);
/* Accepts an info that is not listed. */
void known_processes_remove(mqs_process_info *info);

/* NULL: there are no more. */
mqs_process_info *known_processes_first(void);
mqs_process_info *known_processes_after(const mqs_process_info *info);

/* Changes with every process that becomes known. */
uint64_t known_processes_version(void);

/* -- unexpected_list.c --
 * The unexpected messages of a process, as far as they were worked out: plain data, whatever becomes of the processes
 * that it comes from.
 */

/* A message, or several of which only the number is known. */
struct unexpected_message {
    struct mpilens_unexpected_information information; /* but for what depends on the time of asking */
    uint64_t moment;                                   /* at which the sender was as it was read; 0: not known */
};

struct unexpected_list {
    struct unexpected_message *items; /* communicator by communicator, as the snapshot lists them */
    size_t *first;                    /* of each communicator, and the end; NULL: nothing was worked out */
    bool *is_known;                   /* of each communicator: whether anything can be said */
    uint64_t left_out;                /* processes that could not be read */
    uint64_t round;                   /* see shared_copy.c: when it was worked out */
    uint64_t version;                 /* of the known processes then */
};

void unexpected_list_free(struct unexpected_list *list);

/* The messages of one communicator that the iterator delivers. */
struct listed_messages {
    struct unexpected_message *items;
    size_t count;
    size_t next;
    bool is_listing; /* these, not operations */
    uint64_t left_out;
};

/* Copies the messages of the communicator at this place. mqs_ok, MPILENS_ERROR_NO_MEMORY, or mqs_no_information. */
int listed_messages_begin(const struct unexpected_list *list, size_t communicator, struct listed_messages *ret_listed);
void listed_messages_free(struct listed_messages *listed);

/* -- process_info.c -- The DLL's information about one process: callbacks, the root, the last snapshot and the
 * iterators in it.
 */

/* A place among texts in a row. */
struct text_position {
    uint64_t number; /* of the text that begins there */
    size_t offset;   /* bytes */
};

struct _mqs_process_info {
    struct info_owners owners;
    struct known_process known;
    struct _mqs_process_info *aside; /* for the interfaces about handles: a copy and iterators of their own; or NULL */

    /* See shared_copy.c. */
    struct _mqs_process_info *shared; /* has a copy that was taken for others; or NULL */
    uint64_t moment;                  /* at which the process was as it is in the copy, as far as that is known */
    uint64_t round;                   /* of that moment */
    uint64_t claimed_in;              /* round */
    uint64_t looked_in;               /* round */
    int look_code;                    /* how that ended */
    bool is_unmoved;                  /* the debugger's copy was, when it was looked at for others */

    struct reading reading;
    struct copy_budget budget; /* of its target; anew whenever the root is read */
    struct read_ahead ahead;   /* of process_refresh.c; empty: everything is read from the process */

    int snapshot_code; /* how the last try to take a snapshot ended */
    bool copied;       /* there was one */
    bool is_former;    /* the snapshot is of before that: the process could not be read any more */
    time_t copied_at;  /* of the snapshot */
    /* See process_lookup.c. */
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

/* The information attached to the process, NULL: none. */
mqs_process_info *process_info(mqs_process *process);

/* mqs_ok, or why there is none. */
int process_info_check(const mqs_process_info *info);

/* An info that hangs on nothing: of an interface that keeps it itself, until process_info_free. mqs_ok or a code. */
int process_info_make(const struct target_access *access, void *process, const void *callbacks,
                      mqs_process_info **ret_info);
void process_info_free(mqs_process_info *info);

/* An info hangs on the process from now on, for that interface too. mqs_ok or a code. */
int process_info_set_up(mqs_process *process, const mqs_process_callbacks *given, enum interface interface);

/* Makes the copy that stands aside, if there is none, with memory of the callbacks in use; and frees it. mqs_ok or a
 * code. */
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
/* Age of the snapshot, in seconds. */
uint64_t process_info_age_s(const mqs_process_info *info);

/* A snapshot of everything takes the place of copies of single tables; the current object stays what it is. mqs_ok or a
 * code. */
int process_info_need_all(mqs_process_info *info);

/* Forgets memory that was fetched ahead: from here on everything is read from the process. */
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

/* As process_info_need_copy; also returns the communicator at which the iterator stands. */
int process_info_current_communicator(mqs_process_info *info, const struct communicator_view **ret_communicator);

/* The record of the current object. mqs_ok or a code; MPILENS_ERROR_NO_CURRENT: there is none, or it is of another
 * kind. `kind` MPILENS_OBJECT_NONE: of any. */
int process_info_current_object(mqs_process_info *info, int kind, const void **ret_record);

/* -- process_lookup.c --
 * Copies of single tables, for debuggers that ask what one handle names and have not asked for a copy of everything.
 *
 * Such a copy is taken anew for every handle. It has the tables that were needed so far; where nearly all are needed, a
 * whole copy takes its place, and the current object stays what it is.
 */

#define TABLE_BIT(kind) (UINT32_C(1) << (kind))
static_assert(MPILENS_TABLE_COUNT <= 32, "a bit for every table");

/* For finding an object: the copy that the debugger has asked for, or else a new and empty one. `info` NULL: see
 * process_info_check. mqs_ok or a code. */
int process_info_begin_lookup(mqs_process_info *info);

/* For finding a request: the same with a whole copy. */
int process_info_begin_request_lookup(mqs_process_info *info);

/* Sees to it that the copy has these tables (TABLE_BIT), as far as they are readable. mqs_ok or a code. */
int process_info_need(mqs_process_info *info, uint32_t tables);

/* Only the root, as it was last read or, unless it has said what an MPI_Status is, anew. mqs_ok or a code. */
int process_info_need_root(mqs_process_info *info);

/* -- process_refresh.c --
 * Copies of a process for interfaces that do not say when it has moved, and whose debuggers ask while it is stopped.
 */

/* Takes a new snapshot if there is none or the process has called MPI since; else what the current object and the
 * iterators were stays. At most three reads of its memory where there was a snapshot: its tables are in the same places
 * and are fetched in one read, if they are near each other and have not grown out of their places. mqs_ok or a code.
 *
 * From here to process_info_end_reading_ahead, what was fetched answers instead of the process. */
int process_info_refresh(mqs_process_info *info);

/* -- shared_copy.c --
 * Copies of a process that are taken because another process is asked about. They stand aside, so that what the
 * debugger is told of this one stays the same, until the debugger asks for a copy: then it gets this one, unless the
 * process has moved since.
 *
 * A round is a walk of the debugger over its processes, which asks for a copy of each once. When it asks for a second
 * copy of one, a new round begins. In a round, each process is read for the others once at most: so a walk over all
 * reads each process once.
 */

/* The number of the round. */
uint64_t shared_copy_round(void);

/* For the debugger that asks for a new copy. Iterators and the current object end. mqs_ok or a code. */
int shared_copy_claim(mqs_process_info *info);

/* The identity of the process: as last read, or read now if it never was. mqs_ok or a code. */
int shared_copy_identify(mqs_process_info *info, const struct mpilens_process **ret_process);

/* A copy as of this round: the debugger's own or the one aside. mqs_ok or a code. */
int shared_copy_take(mqs_process_info *info, mqs_process_info **ret_copy);

/* Whether others see the process as the debugger does: in its own copy. */
bool shared_copy_is_own(const mqs_process_info *info);

#endif
