/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about communicators, and the collective calls, operations and messages on them.
 */
#ifndef MPILENS_EXTENSION_COMMUNICATORS_H
#define MPILENS_EXTENSION_COMMUNICATORS_H

#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- the communicator at which the mqs communicator iterator stands --- */
struct mpilens_communicator_information {
    size_t struct_size;
    uint64_t id; /* equal at all members */
    uint64_t handle;
    uint64_t parent_id; /* 0: none */
    uint64_t parent;    /* handle, 0: none */
    int32_t rank;
    int32_t size;
    int32_t remote_size; /* 0: intracommunicator */
    uint32_t predefined;
    uint32_t intercommunicator;
    uint32_t freed;             /* by the application; operations still refer to it */
    uint32_t serial;            /* counts the communicators of the process */
    uint32_t constructor_calls; /* begun on it, of those that all its members make in the same order */
    uint64_t created;           /* ticks */
    uint64_t site;              /* return address of the call that made it, 0: predefined or not seen */
    char function[48];          /* that call, or empty */
    char parent_name[128];      /* the communicator it was made from, or an ancestor if that has no name;
                                   "a freed communicator" if it is not there any more; empty: none */
    char name[128];             /* of the application or predefined; else empty */
    uint64_t collective_calls;  /* begun on it, constructors among them */
    uint64_t errhandler;        /* handle, 0: not known */
    uint64_t group;             /* handle that the application has of its (local) group, 0: none */
    uint64_t remote_group;      /* handle that the application has of its remote group, 0: none */
    uint32_t group_serial;      /* 0: not known */
    uint32_t remote_group_serial;
    uint64_t root_sum; /* 1 and the roots of all collective_calls that have one, equal at all members of an
                          intracommunicator that have begun as many; 0: not known */
};
int mpilens_get_communicator(mqs_process *process, struct mpilens_communicator_information *ret_communicator);
/* As mpilens_get_communicator, for the current object (extension_handles.h), a communicator that the iterator need not
 * list. */
int mpilens_get_communicator_object(mqs_process *process, struct mpilens_communicator_information *ret_communicator);
/* World ranks of the remote group, remote_size of them; -1: not known. mqs_no_information on an intracommunicator. */
int mpilens_get_comm_remote_group(mqs_process *process, int *ret_world_ranks);

struct mpilens_collective_class_information {
    size_t struct_size;
    uint64_t count;  /* calls begun */
    char name[32];   /* "barrier", "broadcast", "allgather", ... */
    uint32_t active; /* calls begun and not finished */
    uint32_t reserved;
};
/* By enum mpilens_collective_class (layout.h); mqs_end_of_list past the last. */
int mpilens_get_collective_class(mqs_process *process, int collective_class,
                                 struct mpilens_collective_class_information *ret_class);

/* In its own group, the root of a call on an intercommunicator is no rank: it gives MPI_ROOT itself, and all others of
 * that group give MPI_PROC_NULL. */
#define MPILENS_ROOT_ITSELF 1
#define MPILENS_ROOT_BESIDE 2

/* The last collective calls on the communicator, oldest first; those that make or free communicators, windows and files
 * are among them. */
struct mpilens_collective_information {
    size_t struct_size;
    uint64_t serial; /* n-th collective call on the communicator, window or file, from 1 */
    uint64_t entered;
    uint64_t site;
    char function[48];
    uint32_t active;
    uint32_t has_root;
    int32_t root;             /* where has_root; -1: not a rank (intercommunicators), see root_side */
    int32_t collective_class; /* of `function`: enum mpilens_collective_class (layout.h); -1: none */
    int64_t count;            /* elements, -1: none or several */
    int64_t bytes;            /* -1: not known */
    char datatype[128];
    uint64_t op; /* MPI_Op, 0: none */
    uint64_t buffer;
    char op_name[32]; /* of a predefined op; else empty */
    uint64_t
        op_function; /* address of the function of an op that the application has made, 0: predefined or not known */
    /* Identifies the type signature of these elements (MPI 4.1, section 5.1: the basic types in their order). Equal
     * signatures have equal numbers in all processes, whatever the constructors; "no data" also has a number. 0: not
     * comparable, as for MPI_BYTE, MPI_PACKED, or types not fully known. */
    uint64_t signature;
    char small_count[48]; /* function of which `function` is the large-count variant; empty: none */
    uint32_t purpose;     /* of `function`, like the rest: enum mpilens_purpose (layout.h) */
    uint32_t data_flow;   /* enum mpilens_data_flow (layout.h) */
    uint32_t agreement;   /* MPILENS_AGREE_* (layout.h) */
    uint32_t root_side;   /* MPILENS_ROOT_*, where the root is not a rank; 0: elsewhere, or not known */
    char arguments[120];  /* for MPILENS_AGREE_SAME_ARGUMENTS, as the process gave them: "size 4096", "mode RDONLY; file
                             a.dat". Text after a semicolon may differ and mean the same; cut text ends in a number that
                             identifies all of it. Empty: none, or not known */
    uint32_t counts_are_kept; /* 1: arrays of counts, if any, are as the call got them, even when it is over */
    uint32_t reserved;
};
int mpilens_setup_collective_iterator(mqs_process *process);
int mpilens_next_collective(mqs_process *process, struct mpilens_collective_information *ret_collective);
/* Bytes that the process gives to each other member in the call delivered last (`is_expected` 0), or expects from it
 * (1), for calls with arrays of counts: bytes[count], starting with member `first`; -1: not known. The order is
 * MPI_Alltoallv's: ranks of the communicator, or neighbours in its topology. Long arrays are read from the
 * application's memory, which holds them only while the call is active. mqs_no_information: no such array, its address
 * is not known, or the data is in place; or a code of reading. */
int mpilens_get_collective_amounts(mqs_process *process, int is_expected, size_t first, size_t count,
                                   int64_t *ret_bytes);

/* Samples of old collective calls on the communicator: calls whose numbers are powers of two, and others at regular
 * distances from the first to the last. Up to MPILENS_MARK_COUNT (layout.h), oldest first, without calls that make or
 * free objects. */
struct mpilens_collective_mark_information {
    size_t struct_size; /* of every element of the array */
    uint64_t serial;
    uint64_t site;
    char function[48];
    int32_t root; /* -1: none, or not a rank */
    uint32_t reserved;
    char small_count[48]; /* function of which `function` is the large-count variant; empty: none */
    uint64_t begun;       /* calls begun on the communicator when this one ended */
    uint64_t root_sum;    /* the communicator's root_sum when this call ended; 0: not known */
};
/* Gives up to `capacity` of them. The struct_size of the first element counts for all. */
int mpilens_get_collective_marks(mqs_process *process, struct mpilens_collective_mark_information *ret_marks,
                                 size_t capacity, size_t *ret_count);

/* --- operations of that communicator, and requests (extension_requests.h) --- */
struct mpilens_operation_information {
    size_t struct_size;
    uint64_t serial;  /* unique in the process */
    uint64_t posted;  /* ticks */
    uint64_t site;    /* return address of the call that started or made it */
    uint64_t request; /* handle, 0: none (blocking call), freed or not known yet */
    uint64_t buffer;
    uint64_t communicator_id; /* 0: none or not known */
    char function[48];
    char datatype[128];
    uint64_t datatype_handle;
    uint32_t state;           /* enum mpilens_operation_state (layout.h) */
    uint32_t flags;           /* MPILENS_OPERATION_* (layout.h): class, mode */
    uint32_t operation_class; /* the one flag of these that tells the class */
    uint32_t active;          /* 0: a persistent request that was not started, or is collected */
    uint32_t complete;        /* 1: known to be complete */
    uint32_t persistent;
    uint32_t thread_index;
    uint32_t tag_wild;
    int32_t peer_local;   /* of a receive -1: any source; of other classes: root or target, -1: none or not known */
    int32_t peer_world;   /* -1: any, none or not known */
    int32_t tag;          /* of messages, where tag_wild is 0 */
    int32_t actual_local; /* of what was received; -1: not known */
    int32_t actual_world;
    int32_t actual_tag;
    int64_t actual_bytes;      /* -1: not known */
    int64_t count;             /* -1: none or not known */
    int64_t bytes;             /* -1: none or not known */
    int64_t partition_count;   /* of a partitioned operation; -1: none or not known */
    int64_t partitions_marked; /* of those, marked ready, or seen to have arrived; -1: none or not known */
    uint32_t purpose;          /* of `function`: enum mpilens_purpose (layout.h) */
    uint32_t has_root;
    uint32_t object_kind; /* enum mpilens_object_kind: the object that it works on, or that MPI_Comm_idup makes */
    uint32_t object_serial;
    uint64_t object_id;          /* id of the object, 0: none */
    uint64_t collective;         /* n-th collective call on its communicator, 0: not one */
    int64_t offset;              /* in the file; -1: none or not known */
    int64_t fortran_handle;      /* of the request, an int of Fortran; meaningless where has_fortran_handle is 0 */
    uint32_t has_fortran_handle; /* of an iterator only where that int is the C handle */
    uint32_t sharers;   /* operations under way with this handle, which MPI may give to several that are complete
                           at once; of an iterator 0: not counted */
    uint32_t to_nobody; /* 1: its peer is MPI_PROC_NULL */
    int32_t status;     /* enum mqs_status */
};
/* The operation that mqs_next_operation delivered last. */
int mpilens_get_operation(mqs_process *process, struct mpilens_operation_information *ret_operation);

/* The flight recorder: completed sends and receives of this communicator, oldest first. It has at least the last
 * `recorder_capacity` (layout.h) of each thread, sometimes older ones. */
int mpilens_setup_completed_iterator(mqs_process *process);
int mpilens_next_completed(mqs_process *process, struct mpilens_operation_information *ret_operation);

/* Messages between this process and each peer that it has exchanged any with on this communicator. */
struct mpilens_channel_information {
    size_t struct_size;
    int32_t peer_local;
    int32_t peer_world;
    uint64_t sent;     /* sends started */
    uint64_t received; /* receives completed */
};
int mpilens_setup_channel_iterator(mqs_process *process);
int mpilens_next_channel(mqs_process *process, struct mpilens_channel_information *ret_channel);

/* Messages that a matched probe took and that were not received yet, in the order of matching. */
struct mpilens_message_information {
    size_t struct_size;
    uint64_t handle;
    uint64_t matched; /* ticks */
    uint64_t site;
    char function[48];
    int64_t bytes;
    int32_t peer_local;
    int32_t peer_world;
    int32_t tag;
    uint32_t reserved;
};
int mpilens_setup_message_iterator(mqs_process *process);
int mpilens_next_message(mqs_process *process, struct mpilens_message_information *ret_message);

/* --- unexpected messages of that communicator --- */

/* Where the knowledge of a message comes from (layout.h: enum mpilens_unexpected_origin). MPILENS_ORIGIN_INFERRED:
 * computed from the sends and receives of this and the other processes that the debugger has set up
 * (mpilens_match_messages). */
struct mpilens_unexpected_information {
    size_t struct_size;
    uint64_t count;     /* 1; more if `is_counted`: number of messages of which only number and sender are known */
    uint64_t serial;    /* of the send, unique in the sender; 0: not known */
    uint64_t posted;    /* ticks of the sender */
    uint64_t site;      /* in the sender: return address of the call that sent it; 0: not known */
    uint64_t taken;     /* ticks of this process at which its runtime took the message out of MPI; 0: it did not */
    uint64_t left_out;  /* processes of the job that could not be read; their messages are missing here */
    char function[48];  /* that sent it; empty: not known */
    char datatype[128]; /* empty: not known */
    int64_t elements;   /* of that datatype, -1: not known */
    int64_t bytes;      /* -1: not known */
    uint32_t flags;     /* of the send: MPILENS_OPERATION_* (layout.h) */
    uint32_t origin;    /* enum mpilens_unexpected_origin */
    int32_t peer_local;
    int32_t peer_world; /* -1: not known */
    int32_t tag;        /* -1 where is_counted */
    int32_t is_counted;
    int32_t when; /* the sender was read earlier than this process (-1), at the same time (0), or later (1) */
    int32_t reserved;
};
/* The unexpected message that mqs_next_operation delivered last. */
int mpilens_get_unexpected(mqs_process *process, struct mpilens_unexpected_information *ret_unexpected);

#ifdef __cplusplus
}
#endif

#endif
