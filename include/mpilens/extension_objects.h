/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about objects of every kind.
 */
#ifndef MPILENS_EXTENSION_OBJECTS_H
#define MPILENS_EXTENSION_OBJECTS_H

#include "mpilens/extension_communicators.h"
#include "mpilens/message_queue.h"
#include "mpilens/object_kind.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- objects are named by kind and serial: serials count the objects of a kind in the process, from 1 --- */

/* --- all objects of one kind, in the order in which they were made; freed ones as long as something refers to them or
 * their records have not been used again --- */
struct mpilens_object_information {
    size_t struct_size;
    uint32_t kind;  /* enum mpilens_object_kind */
    uint32_t flags; /* of the record (layout.h) */
    uint64_t handle;
    uint32_t serial;
    uint32_t references; /* times that the application must still free it */
    uint32_t users;      /* objects and operations that refer to it */
    uint32_t predefined;
    uint32_t freed;           /* by the application */
    uint32_t origin_unseen;   /* made by a call that was not seen */
    uint64_t site;            /* return address of the call that made it, 0: predefined or not seen */
    uint64_t created;         /* ticks */
    uint64_t communicator_id; /* of communicators, windows, files and messages; 0: none or not known */
    char function[48];        /* the call that made it, or empty */
    char name[256];           /* of the application, predefined, or of the file; else empty */
    uint32_t purpose;         /* of `function`: enum mpilens_purpose (layout.h) */
    uint32_t reserved;
};
/* MPILENS_ERROR_BAD_ARGUMENT: no such kind. */
int mpilens_setup_object_iterator(mqs_process *process, int kind);
int mpilens_next_object(mqs_process *process, struct mpilens_object_information *ret_object);

/* More about the object that mpilens_next_object delivered last. MPILENS_ERROR_NO_CURRENT: no object, or one of
 * another kind. */
struct mpilens_window_information {
    size_t struct_size;
    uint64_t id; /* equal at all members */
    uint64_t communicator_id;
    uint32_t flavor;         /* enum mpilens_window_flavor (layout.h) */
    uint32_t access_epoch;   /* enum mpilens_epoch (layout.h) */
    uint32_t exposure_epoch; /* enum mpilens_epoch (layout.h) */
    int32_t displacement_unit;
    uint64_t base; /* of the local memory, 0: none or dynamic */
    uint64_t bytes;
    uint64_t operations;       /* one-sided operations begun on it */
    uint64_t operations_since; /* of those, since the last call that completed all */
    uint64_t synchronizations; /* calls that have returned */
    char synchronization[48];  /* the last of those, or empty */
    uint64_t synchronization_site;
    uint64_t synchronization_time; /* ticks */
    uint64_t errhandler;           /* handle, 0: not known */
    uint64_t collective_calls;     /* begun on it: MPI_Win_fence, MPI_Win_free */
    uint32_t lock_count;
    int32_t access_group_size;   /* of MPI_Win_start; -1: none or not known */
    int32_t exposure_group_size; /* of MPI_Win_post; -1: none or not known */
    uint32_t reserved;
};
int mpilens_get_window(mqs_process *process, struct mpilens_window_information *ret_window);

struct mpilens_window_lock_information {
    size_t struct_size; /* of every element of the array */
    uint64_t site;      /* return address of MPI_Win_lock */
    uint64_t locked;    /* ticks */
    int32_t target_local;
    int32_t target_world; /* -1: not known */
    uint32_t type;        /* enum mpilens_lock_type (layout.h) */
    uint32_t reserved;
};
/* Gives up to `capacity` of the lock_count locks that this process has. The struct_size of the first element counts
 * for all. */
int mpilens_get_window_locks(mqs_process *process, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                             size_t *ret_count);

/* World ranks of the group of MPI_Win_start (exposure 0) or MPI_Win_post (1): access_group_size or
 * exposure_group_size of them. mqs_no_information: there is none. */
int mpilens_get_window_group(mqs_process *process, int exposure, int *ret_world_ranks);

struct mpilens_file_information {
    size_t struct_size;
    uint64_t id; /* equal at all members */
    uint64_t communicator_id;
    uint32_t amode; /* MPILENS_FILE_* (layout.h) */
    uint32_t atomicity;
    int64_t view_displacement;      /* bytes; -1: not known */
    char view_etype[128];           /* empty: not known */
    char view_filetype[128];        /* empty: not known */
    char view_representation[32];   /* empty: not known */
    char split_collective[48];      /* the call that has begun one, or empty */
    uint64_t split_collective_site; /* its return address */
    uint64_t operations;            /* reads and writes begun on it */
    uint64_t errhandler;            /* handle, 0: not known */
    uint64_t collective_calls;      /* begun on it, nonblocking ones left out */
};
int mpilens_get_file(mqs_process *process, struct mpilens_file_information *ret_file);

/* The last collective calls on the window or file, as those on a communicator (extension_communicators.h). */
int mpilens_setup_object_collective_iterator(mqs_process *process);
int mpilens_next_object_collective(mqs_process *process, struct mpilens_collective_information *ret_collective);

struct mpilens_op_information {
    size_t struct_size;
    uint64_t user_function; /* address, 0: predefined */
    uint32_t commutative;
    uint32_t reserved;
};
int mpilens_get_op(mqs_process *process, struct mpilens_op_information *ret_op);

struct mpilens_errhandler_information {
    size_t struct_size;
    uint64_t user_function; /* address, 0: predefined */
    uint32_t attachable;    /* enum mpilens_attachable (layout.h): kinds of objects that it can be attached to */
    uint32_t reserved;
};
int mpilens_get_errhandler(mqs_process *process, struct mpilens_errhandler_information *ret_errhandler);

struct mpilens_keyval_information {
    size_t struct_size;
    uint64_t copy_function; /* addresses */
    uint64_t delete_function;
    uint64_t extra_state;
    uint32_t attachable; /* enum mpilens_attachable (layout.h) */
    uint32_t reserved;
};
int mpilens_get_keyval(mqs_process *process, struct mpilens_keyval_information *ret_keyval);

struct mpilens_attribute_information {
    size_t struct_size;
    uint64_t value;         /* as the application gave it */
    uint64_t keyval_handle; /* 0: freed or not known */
    uint64_t object_handle; /* of the object with the attribute; 0: freed or not known */
    uint64_t site;          /* return address of the call that set it */
    char keyval_name[32];   /* of predefined ones, else empty */
    uint32_t object_kind;   /* enum mpilens_object_kind */
    uint32_t object_serial;
    uint32_t keyval_serial; /* 0: not known */
    uint32_t reserved;
};
int mpilens_get_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute);

struct mpilens_session_information {
    size_t struct_size;
    uint64_t buffer; /* of MPI_Session_attach_buffer, 0: none */
    uint64_t buffer_bytes;
    uint64_t errhandler;  /* handle, 0: not known */
    int32_t thread_level; /* enum mpilens_thread_level (layout.h), -1: not known */
    uint32_t reserved;
};
int mpilens_get_session(mqs_process *process, struct mpilens_session_information *ret_session);

struct mpilens_datatype_information {
    size_t struct_size;
    int64_t size; /* bytes of data in one element, -1: not known */
    uint32_t committed;
    uint32_t reserved;
};
int mpilens_get_datatype(mqs_process *process, struct mpilens_datatype_information *ret_datatype);

struct mpilens_group_information {
    size_t struct_size;
    int32_t size;
    int32_t rank; /* of this process, -1: not a member */
};
int mpilens_get_group(mqs_process *process, struct mpilens_group_information *ret_group);

#ifdef __cplusplus
}
#endif

#endif
