/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The meaning of records: ranks, bytes, names; the record that a handle names; lines of pages.
 */
#ifndef MPILENS_DLL_FACTS_FACTS_H
#define MPILENS_DLL_FACTS_FACTS_H

#include "mpilens/extension.h"
#include "snapshot/snapshot.h"
#include "target/target.h"

#include <stdbool.h>

/* -- handle_lookup.c --
 * Finds the record that a handle names.
 */

/* A handle as a debugger has it. */
struct handle {
    int kind; /* enum mpilens_object_kind: also of a request */
    enum mpilens_handle_language language;
    uint64_t value;
};

/* Bytes of a C handle of that kind, 0: not known. */
uint32_t handle_bytes(const struct mpilens_process *process, int kind);

/* Whether these are the same C handle of that kind. */
bool handle_is_same(const struct mpilens_process *process, int kind, uint64_t a, uint64_t b);

/* Where it stands among the null handles (layout.def), MPILENS_OBJECT_NONE: it is none of its kind. */
int handle_null_place(const struct mpilens_process *process, const struct handle *handle);

/* The handle as C has it, where the record need not be known for that. False: that is not known. */
bool handle_in_c(const struct mpilens_process *process, const struct handle *handle, uint64_t *ret_handle);

/* The integer that Fortran has for a C handle, where the record need not be known for that. False: that is not known.
 */
bool handle_to_fortran(const struct mpilens_process *process, int kind, uint64_t handle, int64_t *ret_fortran);

/* The record that the handle names now, or if there is none the one that it named last; NULL: none. `kind`: of an
 * object with a handle and a record of its own. */
const void *handle_lookup(const struct table_copy *copy, const struct mpilens_process *process,
                          const struct handle *handle);

/* The record with this serial, NULL: none. `kind`: of an object with a serial. */
const void *serial_lookup(const struct table_copy *copy, uint32_t serial);

/* -- object_information.c --
 * The facts that all objects share, in the form that debuggers get.
 */

/* Describes a record of this kind (a table's, see object_table) that is in the snapshot. */
void object_describe(const struct reading *reading, int kind, const void *record,
                     struct mpilens_object_information *ret_answer);

/* Describes an attribute of `copy`. */
void attribute_describe(const struct snapshot *copy, const struct mpilens_attribute *attribute,
                        struct mpilens_attribute_information *ret_answer);

/* The name of a record: of the application, predefined, or of the file; empty: none. */
const char *object_name(int kind, const void *record);

/* -- object_reference.c --
 * A reference to an object inside the facts of another one.
 */

struct object_reference {
    uint32_t kind; /* enum mpilens_object_kind; MPILENS_OBJECT_NONE: no such object in this copy */
    uint32_t serial;
    uint64_t handle;
    uint64_t id; /* unique_id of a communicator, window or file, equal at all members; else 0 */
};

/* The object of this kind whose record is at `address` of the target. `kind`: a kind with serials, or
 * MPILENS_OBJECT_NONE. */
struct object_reference object_reference_get(const struct snapshot *snapshot, int kind, uint64_t address);

/* The kind of object that an attribute belongs to, from its enum mpilens_attachable; MPILENS_OBJECT_NONE: none. */
int attached_kind(uint32_t attachable);

/* -- object_users.c --
 * Finds the records that refer to an object.
 */

/* Records that refer to an object, by enum mpilens_object_kind (`major`), then serial. Zero-initialised: none. */
struct user_list {
    struct sort_entry *entries;
    size_t count;
    size_t capacity;
    size_t next;
};

/* Finds the users of an object of this kind, whose record is in the snapshot. mqs_ok or a code. */
int user_list_make(const struct reading *reading, int kind, const void *record, struct user_list *ret_list);

void user_list_free(struct user_list *list);

/* -- operation_facts.c -- The facts of an operation record, in the terms of both interfaces: ranks on both levels,
 * bytes, wildcards.
 */

/* -1 where not known; ranks also where any. */
struct operation_facts {
    bool is_send;
    bool tag_wild;
    int32_t peer_local;
    int32_t peer_world;
    int32_t tag;
    int32_t actual_local;
    int32_t actual_world;
    int32_t actual_tag;
    int64_t actual_bytes;
    int64_t count;
    int64_t bytes;
    const struct mpilens_datatype *datatype; /* NULL: not known */
};

struct operation_facts operation_facts_get(const struct reading *reading, const struct communicator_view *communicator,
                                           const struct mpilens_operation *operation);

/* enum mqs_status */
int32_t operation_status(const struct mpilens_operation *operation);

/* count elements of the datatype in bytes; -1: not known or too many to count. */
int64_t bytes_of(int64_t count, const struct mpilens_datatype *datatype);

/* Rank in MPI_COMM_WORLD of a peer on this communicator, -1: not known. */
int32_t peer_world_rank(const struct communicator_view *communicator, int64_t peer);

/* -- operation_information.c --
 * The facts about an operation or request, in the form that debuggers get.
 */

/* Describes an operation of the snapshot that is on the communicator, as far as that is known. */
void operation_describe(const struct reading *reading, const struct communicator_view *view,
                        const struct mpilens_operation *operation, struct mpilens_operation_information *ret_answer);
/* As operation_describe, on the communicator that its record names. */
void request_describe(const struct reading *reading, const struct mpilens_operation *operation,
                      struct mpilens_operation_information *ret_answer);

/* -- page_lines.c --
 * The lines of a page (extension_pages.h), in the order in which they are added.
 */

struct page_line {
    uint32_t depth;
    bool of_users;
    uint64_t site;
    uint64_t function;
    uint64_t time;
    size_t label; /* where it begins in `texts` */
    size_t text;  /* where it begins in `texts` */
};

/* Zero-initialised: no lines. */
struct page_lines {
    struct page_line *lines;
    size_t count;
    size_t capacity;
    char *texts; /* terminated, one after the other */
    size_t text_bytes;
    size_t text_capacity;
    bool of_users; /* of the lines that are added from now on */
    bool is_full;  /* further lines are left out */
    int code;      /* mqs_ok, or MPILENS_ERROR_NO_MEMORY: there are fewer lines than were added */
    size_t next;   /* to be delivered */
};

/* Adds a line; copies the texts. */
void page_add(struct page_lines *page, uint32_t depth, const char *label, const char *text);
__attribute__((format(printf, 4, 5))) void page_write(struct page_lines *page, uint32_t depth, const char *label,
                                                      const char *format, ...);
/* Adds a line that names a call: its return address and when it returned, 0: not known. */
void page_add_call(struct page_lines *page, uint32_t depth, const char *label, const char *text, uint64_t site,
                   uint64_t time);
/* Adds a line that is a function; nothing where its address is 0. */
void page_add_function(struct page_lines *page, const char *label, uint64_t function);
/* Says that lines of this depth are left out. */
void page_add_more(struct page_lines *page, uint32_t depth);

/* The usual name of a thing: "row (0x84000002)", "0x84000002", "MPI_INT"; `name` may be empty, `handle` 0. */
struct page_name {
    char text[320];
};
struct page_name page_name(uint64_t handle, const char *name);

void page_lines_free(struct page_lines *page);

/* -- request_lookup.c --
 * Finds the operation that a request names.
 */

/* The operation of the snapshot that a request names; of a persistent one that is active, what was started with it.
 * mqs_ok, mqs_no_information: none, or a code of reading the target. */
int request_lookup(const struct reading *reading, const struct handle *handle,
                   const struct mpilens_operation **ret_operation);

/* How many operations of the snapshot that are under way have the request of this one. */
uint32_t request_count_sharers(const struct reading *reading, const struct mpilens_operation *shared);

/* The integer that Fortran has for the request of an operation of the snapshot. False: none that is known. */
bool request_in_fortran(const struct reading *reading, const struct mpilens_operation *operation, int64_t *ret_fortran);

/* -- text.c -- Text for people, put together in a buffer of fixed size. Cuts text that does not fit; always terminates
 * it.
 */

struct text {
    char *next;
    char *last; /* where the terminator goes at the latest */
};

struct text text_begin(char *buffer, size_t bytes);
/* A buffer that holds `part` and nothing else. */
void text_set(char *buffer, size_t bytes, const char *part);
void text_add(struct text *text, const char *part);
/* At most `limit` characters of `part`. */
void text_add_cut(struct text *text, const char *part, size_t limit);
void text_add_decimal(struct text *text, uint64_t value);
void text_add_signed(struct text *text, int64_t value);
void text_add_hexadecimal(struct text *text, uint64_t value);

/* "any", "0", "0 (world 4)": a rank, and in MPI_COMM_WORLD. */
void text_add_rank(struct text *text, int32_t local, int32_t world);

/* Ranks of MPI_COMM_WORLD: "0-3, 5, 8-16 by 4"; "none"; of many ranges, the first ones. */
struct text_ranges {
    struct mpilens_rank_range items[16];
    size_t count; /* of all, those that are not among the items, too */
};
void text_add_ranges(struct text *text, const struct text_ranges *ranges);

/* Name of a communicator: its own, or how it was made. */
void text_add_communicator(struct text *text, const struct reading *reading,
                           const struct mpilens_communicator *communicator);

/* Name of what it was made from, nothing if that is not known. */
void text_add_parent(struct text *text, const struct reading *reading, const struct mpilens_communicator *communicator);

/* Name of a datatype: its own, or how it was made. `datatype` may be NULL: nothing. */
void text_add_datatype(struct text *text, const struct reading *reading, const struct mpilens_datatype *datatype);

/* -- summary_parts.c --
 * Sentences about objects: "kind name (handle): fact, fact, fact".
 */

enum { MAX_PARENT_NAME = 128 };

struct sentence {
    struct text text;
    const char *begin;
    bool has_facts;
    uint64_t user_function; /* whose address it says, 0: none */
    size_t function_offset; /* where */
    size_t function_bytes;
};

/* `name` empty: it has none. */
struct sentence sentence_begin(char *buffer, size_t bytes, const char *kind, const char *name, uint64_t handle);

/* Begins the next fact. */
void sentence_add(struct sentence *sentence, const char *fact);
/* A fact that is a number between two texts. */
void sentence_add_number(struct sentence *sentence, const char *before, uint64_t number, const char *after);
void sentence_add_hexadecimal(struct sentence *sentence, const char *before, uint64_t number, const char *after);

/* "rank 1 of 4" */
void summary_say_rank(struct sentence *sentence, int32_t rank, int32_t size);
/* "user function 0x401700"; 0: nothing. */
void summary_say_user_function(struct sentence *sentence, uint64_t address);
/* "for communicators"; of enum mpilens_attachable. */
void summary_say_attachable(struct sentence *sentence, uint32_t attachable);
/* `before` and the name of the communicator whose record stands at `address`; nothing if that is not known. */
void summary_say_communicator(struct sentence *sentence, const struct reading *reading, const char *before,
                              uint64_t address);

/* "cartesian 2 x 1, periodic in dimension 0"; `values` (extension_handles.h) are needed for a cartesian topology only,
 * NULL: not known. */
void summary_add_topology(struct text *text, const struct mpilens_topology *topology, const int32_t *values);

/* Facts that only one kind has. */
void summary_say_communicator_facts(struct sentence *sentence, const struct mpilens_communicator *communicator);
void summary_say_window_facts(struct sentence *sentence, const struct reading *reading,
                              const struct mpilens_window *window);
void summary_say_file_facts(struct sentence *sentence, const struct reading *reading, const struct mpilens_file *file);

/* -- untracked.c -- Counts of operations and objects without a record, because the runtime reached its memory limit.
 */

uint64_t untracked_operations(const struct reading *reading);
/* Needs the root only. */
uint64_t untracked_objects(const struct reading *reading);

#endif
