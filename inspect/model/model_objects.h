/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of the model that is not about messages: requests of other classes, and objects. As in model.h, not known is
 * -1 where signed, 0 where it is an address, handle or serial, "" or NULL where it is text.
 */
#ifndef MPILENS_INSPECT_MODEL_MODEL_OBJECTS_H
#define MPILENS_INSPECT_MODEL_MODEL_OBJECTS_H

#include "model/group.h"
#include "mpilens/extension.h"
#include "mpilens/layout.h" /* the public enums that the extension refers to */
#include "target/site.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What stands in no queue: an operation that is neither send nor receive, or a persistent request that is not active.
 */
struct request {
    uint64_t serial;          /* of the operation, unique in its process */
    uint32_t operation_class; /* the one flag of MPILENS_OPERATION_* that tells the class */
    uint32_t flags;           /* MPILENS_OPERATION_* */
    uint32_t state;           /* enum mpilens_operation_state */
    uint32_t purpose;         /* enum mpilens_purpose, of `function` */
    bool active;
    bool complete;
    bool persistent;
    bool has_root; /* peer is the root */
    bool tag_wild;
    double age_s;
    const char *function;
    const char *datatype;
    uint64_t site_address;
    const struct site *site;
    uint64_t handle;
    uint64_t communicator_id;
    uint32_t object_kind; /* enum mpilens_object_kind */
    uint32_t object_serial;
    uint64_t buffer;
    uint64_t collective; /* n-th collective call on the communicator, 0: not one */
    int64_t offset;      /* in the file */
    int64_t count;
    int64_t bytes;
    int64_t partition_count;
    int32_t peer_local; /* root, target, destination or source */
    int32_t peer_world;
    int32_t tag; /* of messages, where tag_wild is false */
};

struct window_lock {
    int32_t target_local;
    int32_t target_world;
    uint32_t type; /* enum mpilens_lock_type */
    uint64_t site_address;
    const struct site *site;
    double age_s;
};

struct window {
    uint64_t id;             /* equal at all members */
    uint32_t flavor;         /* enum mpilens_window_flavor */
    uint32_t access_epoch;   /* enum mpilens_epoch */
    uint32_t exposure_epoch; /* likewise */
    int32_t displacement_unit;
    uint64_t base;
    uint64_t bytes;
    uint64_t operations;
    uint64_t operations_since;   /* the last call that completed all */
    uint64_t collective_count;   /* fences and the like begun on it */
    uint64_t errhandler;         /* handle */
    uint64_t synchronizations;   /* calls that have returned */
    const char *synchronization; /* the last of them */
    uint64_t synchronization_site_address;
    const struct site *synchronization_site;
    double synchronization_age_s;
    struct window_lock *locks; /* that the process has on other processes' memory */
    size_t lock_count;
    const struct group *access_group;   /* of MPI_Win_start, in job.groups; NULL: none or not known */
    const struct group *exposure_group; /* of MPI_Win_post, likewise */
};

struct file {
    uint64_t id;   /* equal at all members */
    uint32_t mode; /* MPILENS_FILE_* */
    bool atomicity;
    int64_t view_displacement;
    const char *view_etype;
    const char *view_filetype;
    const char *view_representation;
    const char *split_collective;
    uint64_t split_collective_site_address;
    uint64_t operations;
    uint64_t collective_count; /* collective calls begun on it, nonblocking ones left out */
    uint64_t errhandler;       /* handle */
};

/* What a process gives to another one in a collective call, and expects of it, where arrays of counts say that. */
struct collective_amount {
    int32_t peer_world; /* one entry for each */
    int64_t given;      /* bytes */
    int64_t expected;
};

struct collective_call {
    uint64_t serial; /* n-th on its communicator, window or file, from 1 */
    double age_s;
    uint64_t site_address;
    const struct site *site;
    const char *function;
    uint32_t purpose;         /* enum mpilens_purpose, of `function` like the next four */
    int32_t collective_class; /* enum mpilens_collective_class */
    uint32_t data_flow;       /* enum mpilens_data_flow */
    uint32_t agreement;       /* MPILENS_AGREE_* */
    const char *small_count;  /* the one of which it is the large-count variant; "" or NULL: none */
    const char *datatype;
    const char *arguments; /* that all must give alike to a call without data: "size 4096"; but for what is behind a
                            * semicolon, the name of a file; "" or NULL: none, or not known */
    uint64_t op;
    const char *op_name; /* of a predefined op */
    uint64_t buffer;
    int64_t count;
    int64_t bytes;
    uint64_t signature; /* of the types of what is given; 0: not comparable, or not known */
    int32_t root;
    bool has_own_op; /* one that the application has made */
    bool has_root;
    bool active;
    struct collective_amount *amounts; /* by peer_world; of a call that is not active as the arrays are now; NULL: none,
                                        * or not known */
    size_t amount_count;
};

/* The function of a call without regard to whether its counts are large: MPI_Bcast of MPI_Bcast_c. `small_count`: as
 * above. */
const char *function_of_any_count(const char *function, const char *small_count);

/* Gives back an array of them. */
void collective_calls_clear(struct collective_call *calls, size_t count);

/* What a handle of the application names, or an attribute. */
struct object {
    uint32_t kind; /* enum mpilens_object_kind */
    uint32_t serial;
    uint64_t handle;
    const char *name;
    uint32_t references; /* times that the application must still free it */
    uint32_t users;
    bool freed;
    const char *function; /* that made it */
    uint64_t site_address;
    const struct site *site;
    double age_s;
    uint64_t communicator_id;            /* of communicators, windows, files, messages */
    struct window *window;               /* NULL: not one */
    struct file *file;                   /* likewise */
    struct collective_call *collectives; /* the last ones on a window or file, oldest first */
    size_t collective_call_count;
};

/* What is left of a communicator, window or file that the process has freed. */
struct freed_object {
    uint32_t kind;         /* enum mpilens_object_kind */
    uint64_t id;           /* equal at all members */
    uint64_t calls;        /* collective ones that it has begun on it, the one that freed it among them */
    const char *function;  /* that freed it; "": not seen */
    uint64_t site_address; /* of that */
    const struct site *site;
    double age_s;
    const char *last_function; /* the collective call before; "": none, or not known */
    uint64_t last_site_address;
    const struct site *last_site;
};

/* How many calls that was, as far as those that free count. */
uint64_t freed_object_calls(const struct freed_object *object, bool with_freeing);

/* A window or file that the process has freed: only the calls made on it count, for those that still have it. */
bool object_is_left(const struct object *object);

/* Gives back what belongs to it. */
void object_clear(struct object *object);
void window_destroy(struct window *window); /* NULL is fine */

#endif
