/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What libmpilens_dll.so tells beyond the message-queue interface. For debuggers that want more than mqs_* can say; the
 * mpilens command uses nothing else. Every function is exported under C linkage and may be looked up by dlsym.
 *
 * Setting up is that of message_queue.h: mqs_setup_basic_callbacks, image, process. mqs_update_communicator_list takes
 * one copy of the state of the process; everything here describes that copy and stays the same until the next call of
 * it. An iterator has one position per process and kind.
 *
 * Results are those of mqs_*: mqs_ok, mqs_end_of_list, mqs_no_information, or a code for mqs_dll_error_string. On
 * anything but mqs_ok the output is untouched. Before the call, the caller sets `struct_size` of an output struct to
 * its sizeof; a DLL fills no more than that, so both sides may be of different versions (later ones only append
 * fields).
 *
 * Integers that are not known are -1 where signed and 0 where they are addresses, handles, serials or times. Ticks are
 * the target's; see mpilens_clock_information. Text is NUL-terminated.
 */
#ifndef MPILENS_EXTENSION_H
#define MPILENS_EXTENSION_H

#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPILENS_EXTENSION_VERSION 1

/* MPILENS_EXTENSION_VERSION of the DLL. */
int mpilens_extension_version(void);

/* --- codes of this DLL, beside the public ones; mqs_dll_error_string has a sentence for each --- */
enum mpilens_code {
    MPILENS_ERROR_NO_CALLBACKS = mqs_first_user_code, /* mqs_setup_basic_callbacks was not called */
    MPILENS_ERROR_NO_MEMORY,
    MPILENS_ERROR_BAD_ARGUMENT,
    MPILENS_ERROR_NOT_SET_UP,         /* the image or process was not set up */
    MPILENS_ERROR_RUNTIME_NOT_LOADED, /* no symbol mpilens_process: the process was started without mpilens run */
    MPILENS_ERROR_NOT_INITIALIZED,    /* the runtime is there; the process has not called MPI */
    MPILENS_ERROR_OTHER_MAJOR,        /* written by a runtime of another layout major */
    MPILENS_ERROR_UNREADABLE,         /* memory of the target could not be read */
    MPILENS_ERROR_CORRUPT,            /* memory of the target makes no sense */
    MPILENS_ERROR_NO_CURRENT,         /* the iterator has no current element */
    MPILENS_ERROR_INCONSISTENT,       /* the state kept changing while it was read */
};

/* --- objects, named by kind and serial: serials count the objects of a kind in the process, from 1 --- */
enum mpilens_object_kind {
    MPILENS_OBJECT_NONE,
    MPILENS_OBJECT_COMMUNICATOR,
    MPILENS_OBJECT_GROUP,
    MPILENS_OBJECT_DATATYPE,
    MPILENS_OBJECT_OP,
    MPILENS_OBJECT_ERRHANDLER,
    MPILENS_OBJECT_INFO,
    MPILENS_OBJECT_KEYVAL,
    MPILENS_OBJECT_SESSION,
    MPILENS_OBJECT_WINDOW,
    MPILENS_OBJECT_FILE,
    MPILENS_OBJECT_MESSAGE,   /* has no serial */
    MPILENS_OBJECT_ATTRIBUTE, /* has no serial and no handle */
    MPILENS_OBJECT_KIND_COUNT
};

/* A moment as ticks, and what is needed to turn ticks into time. */
struct mpilens_clock_information {
    size_t struct_size;
    uint32_t clock; /* enum mpilens_clock (layout.h) */
    uint32_t reserved;
    uint64_t origin_ticks;     /* at the first MPI call of the process ... */
    uint64_t origin_monotonic; /* ... CLOCK_MONOTONIC, nanoseconds */
    uint64_t origin_realtime;  /* ... CLOCK_REALTIME, nanoseconds */
    uint64_t recent_ticks;     /* later; with the origin this gives the length of a tick */
    uint64_t recent_monotonic;
};
int mpilens_get_clock(mqs_process *, struct mpilens_clock_information *ret_clock);

struct mpilens_process_information {
    size_t struct_size;
    uint32_t state;       /* enum mpilens_process_state (layout.h) */
    uint32_t pid;         /* as the process sees it; the parent's if this is a fork without its own MPI */
    int32_t thread_level; /* 0 single, 1 funneled, 2 serialized, 3 multiple */
    int32_t world_rank;
    int32_t world_size;
    uint32_t layout_minor;
    uint64_t untracked_operations; /* not recorded because the memory limit was reached */
    uint64_t untracked_objects;
    uint64_t memory_bytes;     /* mapped by the runtime */
    uint64_t torn_records;     /* left out of this copy because they were being written */
    char library_version[256]; /* what MPI_Get_library_version says, cut */
    char runtime_version[32];
    uint64_t buffer; /* what MPI_Buffer_attach has attached, 0: nothing */
    uint64_t buffer_bytes;
};
int mpilens_get_process(mqs_process *, struct mpilens_process_information *ret_process);

/* --- threads, in the order in which they first called MPI --- */
struct mpilens_thread_information {
    size_t struct_size;
    uint32_t index;
    uint32_t tid;
    uint32_t ended;      /* 1: the thread is gone */
    uint32_t call_class; /* enum mpilens_call_class (layout.h) of `function` */
    char function[48];   /* the MPI call that it is in or polls with; empty: not in MPI */
    uint32_t
        polling; /* 1: `function` is a test or probe that keeps finding nothing; the thread may be between two calls */
    uint32_t reserved;
    uint64_t site;            /* return address of the call */
    uint64_t entered;         /* ticks; when polling, of the first fruitless call */
    uint64_t last_polled;     /* ticks; 0: not polling */
    uint64_t polls;           /* fruitless calls in a row */
    uint64_t communicator_id; /* of a collective, constructor, probe, or call on a window or file; 0: none */
    int32_t peer_local;       /* of a probe, or the target of a one-sided call; -1: any or none */
    int32_t peer_world;
    int32_t tag; /* of a probe, where tag_wild is 0 */
    int32_t tag_wild;
    uint64_t completions;      /* grows whenever the thread completes something */
    uint64_t operation_serial; /* of the last operation that it started */
    uint64_t waiting_count;    /* operations that the call waits for and that are not known to be complete */
    uint32_t object_kind;      /* enum mpilens_object_kind: window or file that the call works on */
    uint32_t object_serial;
    uint64_t object_id; /* its unique_id, equal at all members; 0: none */
    uint32_t lock_type; /* enum mpilens_lock_type (layout.h) of MPI_Win_lock; 0: another call */
    uint32_t reserved_2;
};
int mpilens_setup_thread_iterator(mqs_process *);
int mpilens_next_thread(mqs_process *, struct mpilens_thread_information *ret_thread);
/* Serials of the operations that the thread last delivered waits for: up to `capacity` of its waiting_count. */
int mpilens_get_waiting(mqs_process *, uint64_t *ret_serials, size_t capacity, size_t *ret_count);

/* --- the communicator at which the mqs communicator iterator stands --- */
struct mpilens_communicator_information {
    size_t struct_size;
    uint64_t unique_id;
    uint64_t handle;
    uint64_t parent_id;     /* 0: none */
    uint64_t parent_handle; /* 0: none */
    int32_t rank;
    int32_t size;
    int32_t remote_size; /* 0: intracommunicator */
    uint32_t predefined;
    uint32_t intercommunicator;
    uint32_t freed;  /* by the application; operations still refer to it */
    uint32_t serial; /* counts the communicators of the process */
    uint32_t reserved;
    uint64_t created;          /* ticks */
    uint64_t site;             /* return address of the call that made it, 0: predefined or not seen */
    char function[48];         /* that call, or empty */
    char parent_name[128];     /* of the communicator it was made from; "0x..." if that has no name; empty: none */
    char name[128];            /* of the application or predefined; else empty */
    uint64_t collective_calls; /* begun on it */
    uint64_t errhandler;       /* handle, 0: not known */
};
int mpilens_get_communicator(mqs_process *, struct mpilens_communicator_information *ret_communicator);
/* World ranks of the remote group, remote_size of them; -1: not known. mqs_no_information on an intracommunicator. */
int mpilens_get_comm_remote_group(mqs_process *, int *ret_world_ranks);

struct mpilens_collective_class_information {
    size_t struct_size;
    uint64_t count;  /* calls begun */
    uint32_t active; /* calls begun and not finished */
    uint32_t reserved;
    char name[32]; /* "barrier", "broadcast", "allgather", ... */
};
/* By enum mpilens_collective_class (layout.h); mqs_end_of_list past the last. */
int mpilens_get_collective_class(mqs_process *, int collective_class,
                                 struct mpilens_collective_class_information *ret_class);

/* The last collective calls on the communicator, oldest first. */
struct mpilens_collective_information {
    size_t struct_size;
    uint64_t serial; /* n-th collective call on the communicator, from 1 */
    uint64_t entered;
    uint64_t site;
    char function[48];
    uint32_t active;
    uint32_t has_root;
    int32_t root; /* where has_root; -1: not a rank (intercommunicators) */
    uint32_t reserved;
    int64_t count; /* elements, -1: none or several */
    int64_t bytes; /* -1: not known */
    char datatype[128];
    uint64_t op; /* MPI_Op, 0: none */
    uint64_t buffer;
};
int mpilens_setup_collective_iterator(mqs_process *);
int mpilens_next_collective(mqs_process *, struct mpilens_collective_information *ret_collective);

/* --- operations of that communicator --- */
struct mpilens_operation_information {
    size_t struct_size;
    uint64_t serial;  /* unique in the process */
    uint64_t posted;  /* ticks */
    uint64_t site;    /* return address of the call that started it */
    uint64_t request; /* handle, 0: none (blocking call) or freed */
    uint64_t buffer;
    uint64_t communicator_id;
    char function[48];
    char datatype[128];
    uint64_t datatype_handle;
    uint32_t state; /* enum mpilens_operation_state (layout.h) */
    uint32_t flags; /* MPILENS_OPERATION_* (layout.h): send or receive, mode */
    uint32_t thread_index;
    uint32_t tag_wild;
    int32_t peer_local;   /* -1: any source */
    int32_t peer_world;   /* -1: any source or not known */
    int32_t tag;          /* where tag_wild is 0 */
    int32_t actual_local; /* of what was received; -1: not known */
    int32_t actual_world;
    int32_t actual_tag;
    int64_t actual_bytes; /* -1: not known */
    int64_t count;
    int64_t bytes;             /* -1: not known */
    int64_t partition_count;   /* of a partitioned operation; -1: none or not known */
    int64_t partitions_marked; /* of those, marked ready, or seen to have arrived; -1: none or not known */
};
/* The operation that mqs_next_operation delivered last. */
int mpilens_get_operation(mqs_process *, struct mpilens_operation_information *ret_operation);

/* The flight recorder: sends and receives of this communicator that are over, oldest first. The last
 * `recorder_capacity` (layout.h) of each thread are there for certain, older ones may be. */
int mpilens_setup_completed_iterator(mqs_process *);
int mpilens_next_completed(mqs_process *, struct mpilens_operation_information *ret_operation);

/* Messages between this process and each peer that it has exchanged any with on this communicator. */
struct mpilens_channel_information {
    size_t struct_size;
    int32_t peer_local;
    int32_t peer_world;
    uint64_t sent;     /* sends started */
    uint64_t received; /* receives completed */
};
int mpilens_setup_channel_iterator(mqs_process *);
int mpilens_next_channel(mqs_process *, struct mpilens_channel_information *ret_channel);

/* Messages that a matched probe took and that were not received yet, in the order in which they were matched. */
struct mpilens_message_information {
    size_t struct_size;
    uint64_t handle;
    uint64_t matched; /* ticks */
    uint64_t site;
    char function[48];
    int32_t source_local;
    int32_t source_world;
    int32_t tag;
    int32_t reserved;
    int64_t bytes;
};
int mpilens_setup_message_iterator(mqs_process *);
int mpilens_next_message(mqs_process *, struct mpilens_message_information *ret_message);

/* --- requests of the process that stand in no queue, in the order in which they were made: operations that are neither
 * send nor receive, and persistent requests of every class that are not active --- */
struct mpilens_request_information {
    size_t struct_size;
    uint64_t serial;          /* of the operation, unique in the process */
    uint32_t operation_class; /* the one flag of MPILENS_OPERATION_* (layout.h) that tells the class */
    uint32_t flags;           /* MPILENS_OPERATION_* */
    uint32_t state;           /* enum mpilens_operation_state (layout.h) */
    uint32_t active;          /* 0: a persistent request that was not started, or is collected */
    uint32_t complete;        /* 1: known to be complete, not collected */
    uint32_t persistent;
    uint64_t request; /* handle, 0: freed or not known yet */
    uint64_t posted;  /* ticks */
    uint64_t site;    /* return address of the call that made it */
    char function[48];
    uint64_t communicator_id; /* 0: none or not known */
    uint64_t object_id;       /* unique_id of the object, 0: none */
    uint32_t object_kind;     /* enum mpilens_object_kind: what it works on; of MPI_Comm_idup: what it makes */
    uint32_t object_serial;
    uint32_t thread_index;
    uint32_t has_root;
    uint32_t tag_wild;
    int32_t peer_local; /* root, target, destination or source; -1: any, none or not known */
    int32_t peer_world;
    int32_t tag;         /* of sends and receives, where tag_wild is 0 */
    uint64_t collective; /* n-th collective call on its communicator, 0: not one */
    int64_t offset;      /* in the file; -1: none or not known */
    int64_t count;       /* -1: none or not known */
    int64_t bytes;       /* -1: none or not known */
    char datatype[128];
    uint64_t datatype_handle;
    uint64_t buffer;
    int64_t partition_count; /* of a partitioned request; -1: none or not known */
};
int mpilens_setup_request_iterator(mqs_process *);
int mpilens_next_request(mqs_process *, struct mpilens_request_information *ret_request);

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
};
/* MPILENS_ERROR_BAD_ARGUMENT: no such kind. */
int mpilens_setup_object_iterator(mqs_process *, int kind);
int mpilens_next_object(mqs_process *, struct mpilens_object_information *ret_object);

/* More about the object that mpilens_next_object delivered last. MPILENS_ERROR_NO_CURRENT: it is of another kind, or
 * there is none. */
struct mpilens_window_information {
    size_t struct_size;
    uint64_t unique_id; /* equal at all members */
    uint64_t communicator_id;
    uint32_t flavor;         /* enum mpilens_window_flavor (layout.h) */
    uint32_t access_epoch;   /* enum mpilens_epoch (layout.h) */
    uint32_t exposure_epoch; /* likewise */
    int32_t displacement_unit;
    uint64_t base; /* of the local memory, 0: none or dynamic */
    uint64_t bytes;
    uint64_t operations;       /* one-sided operations begun on it */
    uint64_t operations_since; /* of those, since the last call that completed all */
    uint64_t synchronizations; /* calls begun */
    char synchronization[48];  /* the last of those, or empty */
    uint64_t synchronization_site;
    uint64_t synchronization_time; /* ticks */
    uint32_t lock_count;
    int32_t access_group_size;   /* of MPI_Win_start; -1: none or not known */
    int32_t exposure_group_size; /* of MPI_Win_post; likewise */
    int32_t reserved;
    uint64_t errhandler; /* handle, 0: not known */
};
int mpilens_get_window(mqs_process *, struct mpilens_window_information *ret_window);

struct mpilens_window_lock_information {
    size_t struct_size; /* of every element of the array */
    int32_t target_local;
    int32_t target_world; /* -1: not known */
    uint32_t type;        /* enum mpilens_lock_type (layout.h) */
    uint32_t reserved;
    uint64_t site;   /* return address of MPI_Win_lock */
    uint64_t locked; /* ticks */
};
/* The locks that this process has: up to `capacity` of its lock_count. The struct_size of the first element counts for
 * all. */
int mpilens_get_window_locks(mqs_process *, struct mpilens_window_lock_information *ret_locks, size_t capacity,
                             size_t *ret_count);

/* World ranks of the group of MPI_Win_start (exposure 0) or MPI_Win_post (1): access_group_size or
 * exposure_group_size of them. mqs_no_information: there is none. */
int mpilens_get_window_group(mqs_process *, int exposure, int *ret_world_ranks);

struct mpilens_file_information {
    size_t struct_size;
    uint64_t unique_id; /* equal at all members */
    uint64_t communicator_id;
    uint32_t mode; /* MPILENS_FILE_* (layout.h) */
    uint32_t atomicity;
    int64_t view_displacement;      /* bytes; -1: not known */
    char view_etype[128];           /* empty: not known */
    char view_filetype[128];        /* likewise */
    char view_representation[32];   /* likewise */
    char split_collective[48];      /* the call that has begun one, or empty */
    uint64_t split_collective_site; /* its return address */
    uint64_t operations;            /* reads and writes begun on it */
    uint64_t errhandler;            /* handle, 0: not known */
};
int mpilens_get_file(mqs_process *, struct mpilens_file_information *ret_file);

struct mpilens_op_information {
    size_t struct_size;
    uint64_t user_function; /* address, 0: predefined */
    uint32_t commutative;
    uint32_t reserved;
};
int mpilens_get_op(mqs_process *, struct mpilens_op_information *ret_op);

struct mpilens_errhandler_information {
    size_t struct_size;
    uint64_t user_function; /* address, 0: predefined */
    uint32_t attachable;    /* enum mpilens_attachable (layout.h): what it can be attached to */
    uint32_t reserved;
};
int mpilens_get_errhandler(mqs_process *, struct mpilens_errhandler_information *ret_errhandler);

struct mpilens_keyval_information {
    size_t struct_size;
    uint64_t copy_function; /* addresses */
    uint64_t delete_function;
    uint64_t extra_state;
    uint32_t attachable; /* enum mpilens_attachable (layout.h) */
    uint32_t reserved;
};
int mpilens_get_keyval(mqs_process *, struct mpilens_keyval_information *ret_keyval);

struct mpilens_attribute_information {
    size_t struct_size;
    uint64_t value;         /* as the application gave it */
    uint64_t keyval_handle; /* 0: freed or not known */
    uint64_t object_handle; /* of what has the attribute; likewise */
    uint32_t object_kind;   /* enum mpilens_object_kind */
    uint32_t object_serial;
    uint32_t keyval_serial; /* 0: not known */
    uint32_t reserved;
};
int mpilens_get_attribute(mqs_process *, struct mpilens_attribute_information *ret_attribute);

struct mpilens_session_information {
    size_t struct_size;
    uint64_t buffer; /* of MPI_Session_attach_buffer, 0: none */
    uint64_t buffer_bytes;
    int32_t thread_level; /* 0 single ... 3 multiple, -1: not known */
    int32_t reserved;
    uint64_t errhandler; /* handle, 0: not known */
};
int mpilens_get_session(mqs_process *, struct mpilens_session_information *ret_session);

struct mpilens_datatype_information {
    size_t struct_size;
    int64_t size; /* bytes of data in one element, -1: not known */
    uint32_t committed;
    uint32_t reserved;
};
int mpilens_get_datatype(mqs_process *, struct mpilens_datatype_information *ret_datatype);

struct mpilens_group_information {
    size_t struct_size;
    int32_t size;
    int32_t rank; /* of this process, -1: not a member */
};
int mpilens_get_group(mqs_process *, struct mpilens_group_information *ret_group);

#ifdef __cplusplus
}
#endif

#endif
