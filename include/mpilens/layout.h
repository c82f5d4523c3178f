/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The shadow state as C structs. The runtime keeps it inside an MPI process, the DLL reads it from there. A binary
 * contract: layout.def lists the fields, this file gives them types, numbers and meanings.
 *
 *   mpilens_process ── tables[kind] ── directory: chunk, chunk, ... ── records
 *        │                                                              │  references between records are addresses
 *        ├── struct_descriptors, field_descriptors: the offset and size of every field
 *        └── functions: the name and facts of every function number
 *
 * The reader takes every offset and size from the descriptors, never from this header.
 */
#ifndef MPILENS_LAYOUT_H
#define MPILENS_LAYOUT_H

#include <assert.h>
#include <stddef.h>
#include <stdint.h>

#define MPILENS_MAGIC           "MPILENS" /* with its NUL: eight bytes */
#define MPILENS_BYTE_ORDER      0x01020304u
#define MPILENS_LAYOUT_MAJOR    1 /* a reader refuses another one */
#define MPILENS_LAYOUT_MINOR    9 /* a newer one has more fields */
#define MPILENS_PROCESS_SYMBOL  "mpilens_process"
#define MPILENS_PROCESS_SECTION "mpilens"
/* Bytes of mpilens_process that are the same in every layout. */
#define MPILENS_PROCESS_FIXED_SIZE 40

/* Number of every struct, in the order of layout.def. */
enum mpilens_struct {
#define MPILENS_STRUCT(name) MPILENS_STRUCT_##name,
#define MPILENS_FIELD(name, type, field)
#define MPILENS_ARRAY(name, type, field, elements)
#define MPILENS_NESTED(name, nested, field, elements)
#define MPILENS_END(name)
#include "layout.def"
    MPILENS_STRUCT_COUNT
};

/* Number of every field, in the order of layout.def; struct s has the numbers [MPILENS_FIRST_FIELD_s,
 * MPILENS_END_FIELD_s). */
enum mpilens_field {
#define MPILENS_STRUCT(name)                          MPILENS_FIRST_FIELD_##name, MPILENS_BEFORE_FIELD_##name = MPILENS_FIRST_FIELD_##name - 1,
#define MPILENS_FIELD(name, type, field)              MPILENS_FIELD_##name##_##field,
#define MPILENS_ARRAY(name, type, field, elements)    MPILENS_FIELD_##name##_##field,
#define MPILENS_NESTED(name, nested, field, elements) MPILENS_FIELD_##name##_##field,
#define MPILENS_END(name)                             MPILENS_END_FIELD_##name, MPILENS_LAST_FIELD_##name = MPILENS_END_FIELD_##name - 1,
#include "layout.def"
    MPILENS_FIELD_COUNT
};

enum mpilens_table_kind {
    MPILENS_TABLE_OPERATIONS,
    MPILENS_TABLE_COMMUNICATORS,
    MPILENS_TABLE_GROUPS,
    MPILENS_TABLE_DATATYPES,
    MPILENS_TABLE_THREADS,
    MPILENS_TABLE_CHANNELS,
    MPILENS_TABLE_MESSAGES,
    MPILENS_TABLE_OPS,
    MPILENS_TABLE_ERRHANDLERS,
    MPILENS_TABLE_INFOS,
    MPILENS_TABLE_KEYVALS,
    MPILENS_TABLE_ATTRIBUTES,
    MPILENS_TABLE_SESSIONS,
    MPILENS_TABLE_WINDOWS,
    MPILENS_TABLE_FILES,
    MPILENS_TABLE_PARTITIONS,
    MPILENS_TABLE_UNEXPECTED,
    MPILENS_TABLE_FAILED_CALLS,
    MPILENS_TABLE_COUNT
};

enum mpilens_process_state {
    MPILENS_PROCESS_UNUSED,       /* MPI has not been called */
    MPILENS_PROCESS_INITIALIZING, /* MPI has been called; MPI_Init has not returned */
    MPILENS_PROCESS_RUNNING,
    MPILENS_PROCESS_FINALIZING, /* in MPI_Finalize */
    MPILENS_PROCESS_FINALIZED,
    MPILENS_PROCESS_ABORTING, /* in MPI_Abort */
};

enum mpilens_thread_level {
    MPILENS_THREAD_LEVEL_SINGLE,
    MPILENS_THREAD_LEVEL_FUNNELED,
    MPILENS_THREAD_LEVEL_SERIALIZED,
    MPILENS_THREAD_LEVEL_MULTIPLE,
};

/* Source of a process's knowledge of its unexpected messages. */
enum mpilens_unexpected_mode {
    MPILENS_UNEXPECTED_INFERRED, /* it does not: readers infer them */
    MPILENS_UNEXPECTED_EXACT,    /* the table of unexpected messages has them, as of process.unexpected_as_of */
    /* Exact ones were asked for, but ... */
    MPILENS_UNEXPECTED_NO_LEVEL,  /* this MPI does not provide MPI_THREAD_MULTIPLE */
    MPILENS_UNEXPECTED_NO_SYSTEM, /* the kernel has no membarrier(2), or refuses a thread */
};

/* Whether this state is in a file that outlives the process (black_box.h). */
enum mpilens_box_state {
    MPILENS_BOX_NONE,   /* none was asked for */
    MPILENS_BOX_WHOLE,  /* all of it */
    MPILENS_BOX_CUT,    /* disk full: later additions are missing */
    MPILENS_BOX_FAILED, /* the file could not be made */
};

/* Source of the knowledge that a message is unexpected. */
enum mpilens_unexpected_origin {
    MPILENS_ORIGIN_INFERRED, /* it was sent, and neither received nor taken by a receive that waits */
    MPILENS_ORIGIN_EXACT,    /* MPI itself had it, and nobody asked for it */
};

enum mpilens_thread_state { MPILENS_THREAD_ALIVE = 1, MPILENS_THREAD_ENDED };

/* Unit of a tick. */
enum mpilens_clock {
    MPILENS_CLOCK_MONOTONIC, /* one nanosecond of CLOCK_MONOTONIC */
    MPILENS_CLOCK_CYCLES,    /* one step of the processor's time stamp counter */
};

/* State of an object that a handle names. */
enum mpilens_object_state {
    MPILENS_OBJECT_LIVE = 1,
    MPILENS_OBJECT_FREED, /* by the application; something may still refer to it */
};

#define MPILENS_OBJECT_PREDEFINED         0x1u
#define MPILENS_OBJECT_ORIGIN_UNSEEN      0x2u /* made by a call that was not seen */
#define MPILENS_OBJECT_FROM_FORTRAN       0x4u /* made by a statement of Fortran */
#define MPILENS_OBJECT_HAS_FORTRAN_HANDLE 0x8u
#define MPILENS_OBJECT_NULL               0x10u  /* of answers of the DLL only: a null handle */
#define MPILENS_COMMUNICATOR_INTER        0x100u /* intercommunicator */
#define MPILENS_COMMUNICATOR_PENDING      0x200u /* MPI_Comm_idup not completed */
#define MPILENS_COMMUNICATOR_NAME_SET     0x400u /* the application has set the name */
#define MPILENS_COMMUNICATOR_ENDING       0x800u /* MPI_Comm_free or _disconnect has begun; only in exact unexpected mode */
#define MPILENS_DATATYPE_COMMITTED        0x100u
#define MPILENS_KEYVAL_NOT_COPIED         0x100u /* its copy function copies nothing */

/* Kinds of objects that have attributes or error handlers. */
enum mpilens_attachable {
    MPILENS_ATTACHABLE_ANY, /* predefined error handlers */
    MPILENS_ATTACHABLE_COMMUNICATOR,
    MPILENS_ATTACHABLE_DATATYPE,
    MPILENS_ATTACHABLE_WINDOW,
    MPILENS_ATTACHABLE_FILE,
    MPILENS_ATTACHABLE_SESSION,
};

enum mpilens_topology_kind {
    MPILENS_TOPOLOGY_NONE,
    MPILENS_TOPOLOGY_CARTESIAN,
    MPILENS_TOPOLOGY_GRAPH,
    MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH,
};

/* How a datatype was made: MPI_COMBINER_*. */
enum mpilens_combiner {
    MPILENS_COMBINER_UNKNOWN,
    MPILENS_COMBINER_NAMED, /* predefined */
    MPILENS_COMBINER_DUP,
    MPILENS_COMBINER_CONTIGUOUS,
    MPILENS_COMBINER_VECTOR,
    MPILENS_COMBINER_HVECTOR,
    MPILENS_COMBINER_INDEXED,
    MPILENS_COMBINER_HINDEXED,
    MPILENS_COMBINER_INDEXED_BLOCK,
    MPILENS_COMBINER_HINDEXED_BLOCK,
    MPILENS_COMBINER_STRUCT,
    MPILENS_COMBINER_SUBARRAY,
    MPILENS_COMBINER_DARRAY,
    MPILENS_COMBINER_F90_REAL,
    MPILENS_COMBINER_F90_COMPLEX,
    MPILENS_COMBINER_F90_INTEGER,
    MPILENS_COMBINER_RESIZED,
    MPILENS_COMBINER_VALUE_INDEX,
    MPILENS_COMBINER_COUNT
};

/* Values of these constants in the arguments of MPI_COMBINER_SUBARRAY and _DARRAY; each library has its own values. */
enum mpilens_order { MPILENS_ORDER_C, MPILENS_ORDER_FORTRAN };
enum mpilens_distribution { MPILENS_DISTRIBUTE_BLOCK, MPILENS_DISTRIBUTE_CYCLIC, MPILENS_DISTRIBUTE_NONE };
enum mpilens_distribution_argument { MPILENS_DISTRIBUTE_DFLT_DARG = -1 };

/* How a status holds the number of bytes received and whether it was cancelled. */
enum mpilens_status_encoding {
    MPILENS_STATUS_OPAQUE,   /* not known */
    MPILENS_STATUS_SEPARATE, /* uint64_t count; int32_t cancelled */
    MPILENS_STATUS_PACKED,   /* uint32_t: low half of the count; uint32_t behind it: the high half << 1, lowest bit
                                cancelled */
};

enum mpilens_window_flavor {
    MPILENS_WINDOW_CREATE = 1,
    MPILENS_WINDOW_ALLOCATE,
    MPILENS_WINDOW_SHARED,
    MPILENS_WINDOW_DYNAMIC,
};

enum mpilens_epoch {
    MPILENS_EPOCH_NONE,
    MPILENS_EPOCH_FENCE,
    MPILENS_EPOCH_GROUP, /* MPI_Win_start, MPI_Win_post */
    MPILENS_EPOCH_LOCK,
    MPILENS_EPOCH_LOCK_ALL,
};

enum mpilens_lock_type { MPILENS_LOCK_SHARED = 1, MPILENS_LOCK_EXCLUSIVE };

/* How a file was opened. */
#define MPILENS_FILE_CREATE          0x1u
#define MPILENS_FILE_READ_ONLY       0x2u
#define MPILENS_FILE_WRITE_ONLY      0x4u
#define MPILENS_FILE_READ_WRITE      0x8u
#define MPILENS_FILE_EXCLUSIVE       0x10u
#define MPILENS_FILE_DELETE_ON_CLOSE 0x20u
#define MPILENS_FILE_UNIQUE_OPEN     0x40u
#define MPILENS_FILE_SEQUENTIAL      0x80u
#define MPILENS_FILE_APPEND          0x100u

/* State of an operation record. */
enum mpilens_operation_state {
    MPILENS_OPERATION_PENDING = 1, /* started, not known to be complete */
    MPILENS_OPERATION_MATCHED,     /* a receive whose message is known, transfer not known to be complete */
    MPILENS_OPERATION_COMPLETE,    /* known to be complete, not collected by the application */
    MPILENS_OPERATION_PERSISTENT,  /* the arguments of a persistent request; `partner` is the operation that it started
                                      last */
    MPILENS_OPERATION_RELEASED,    /* MPI_Request_free before completion: nobody will learn when it completes */
    MPILENS_OPERATION_RETIRED,     /* collected: an entry of the flight recorder */
    MPILENS_OPERATION_ABANDONED,   /* its call never returned (error handler that jumped away) or failed */
};

/* Flags of an operation: its class (one of the first eight), its mode, and what happened to it. */
#define MPILENS_OPERATION_SEND            0x1u
#define MPILENS_OPERATION_RECEIVE         0x2u
#define MPILENS_OPERATION_COLLECTIVE      0x4u
#define MPILENS_OPERATION_ONE_SIDED       0x8u
#define MPILENS_OPERATION_FILE            0x10u
#define MPILENS_OPERATION_COMMUNICATOR    0x20u /* MPI_Comm_idup */
#define MPILENS_OPERATION_GENERALIZED     0x40u
#define MPILENS_OPERATION_BUFFER          0x80u /* MPI_Buffer_iflush */
#define MPILENS_OPERATION_BLOCKING        0x100u
#define MPILENS_OPERATION_SYNCHRONOUS     0x200u
#define MPILENS_OPERATION_BUFFERED        0x400u
#define MPILENS_OPERATION_READY           0x800u
#define MPILENS_OPERATION_FROM_PERSISTENT 0x1000u
#define MPILENS_OPERATION_PARTITIONED     0x2000u
#define MPILENS_OPERATION_FROM_MESSAGE    0x4000u  /* MPI_Mrecv, MPI_Imrecv */
#define MPILENS_OPERATION_PAIRED          0x8000u  /* its request is persistent or has two operations */
#define MPILENS_OPERATION_SHARES_REQUEST  0x10000u /* another live one had the same request when it was given */
#define MPILENS_OPERATION_CANCEL_CALLED   0x20000u
#define MPILENS_OPERATION_CANCELLED       0x40000u /* the cancel took effect */
#define MPILENS_OPERATION_TRUNCATED       0x80000u /* a receive whose message was longer: it is gone (MPI_ERR_TRUNCATE) */
#define MPILENS_OPERATION_FINISHED        0x100000u /* of other classes than send and receive: known to be over */

/* A message of which the peer's process has the other half. */
#define MPILENS_OPERATION_MESSAGE_CLASSES (MPILENS_OPERATION_SEND | MPILENS_OPERATION_RECEIVE)
#define MPILENS_OPERATION_OTHER_CLASSES                                                                                \
    (MPILENS_OPERATION_COLLECTIVE | MPILENS_OPERATION_ONE_SIDED | MPILENS_OPERATION_FILE |                             \
     MPILENS_OPERATION_COMMUNICATOR | MPILENS_OPERATION_GENERALIZED | MPILENS_OPERATION_BUFFER)

enum mpilens_call_class {
    MPILENS_CALL_OTHER,
    MPILENS_CALL_ENVIRONMENT, /* init, finalize, abort */
    MPILENS_CALL_SESSION,
    MPILENS_CALL_POINT_TO_POINT,
    MPILENS_CALL_PERSISTENT_INIT,
    MPILENS_CALL_START,
    MPILENS_CALL_PARTITION, /* marks partitions */
    MPILENS_CALL_BUFFER,    /* attaches, detaches or flushes a buffer of buffered sends */
    MPILENS_CALL_WAIT,      /* blocks until requests complete */
    MPILENS_CALL_TEST,      /* asks whether requests are complete */
    MPILENS_CALL_REQUEST,   /* cancel, free, status of a request */
    MPILENS_CALL_PROBE,     /* blocks until a message is there */
    MPILENS_CALL_IPROBE,
    MPILENS_CALL_COLLECTIVE,
    MPILENS_CALL_COLLECTIVE_START, /* nonblocking, or makes a persistent request */
    MPILENS_CALL_COMMUNICATOR,     /* makes or frees a communicator */
    MPILENS_CALL_GROUP,
    MPILENS_CALL_DATATYPE,
    MPILENS_CALL_OBJECT,          /* makes, frees or changes an op, error handler, info, keyval or attribute */
    MPILENS_CALL_WINDOW,          /* makes or frees a window */
    MPILENS_CALL_SYNCHRONIZATION, /* of a window: fence, lock, ... */
    MPILENS_CALL_ONE_SIDED,       /* put, get, accumulate */
    MPILENS_CALL_FILE,            /* opens, closes or changes a file */
    MPILENS_CALL_FILE_DATA,       /* reads or writes */
};

/* Purpose of a function, where its class does not tell it. */
enum mpilens_purpose {
    MPILENS_PURPOSE_OTHER, /* none of these */
    MPILENS_PURPOSE_INITIALIZE,
    MPILENS_PURPOSE_FINALIZE,
    MPILENS_PURPOSE_SPAWN,
    MPILENS_PURPOSE_CONNECT, /* meets processes outside of the communicator: accept, connect */
    MPILENS_PURPOSE_GET_PARENT,
    MPILENS_PURPOSE_SPLIT,
    MPILENS_PURPOSE_DUPLICATE,
    MPILENS_PURPOSE_FROM_PROCESS_SET,
    MPILENS_PURPOSE_FREE_COMMON,      /* frees what all members of a communicator, window or file have in common */
    MPILENS_PURPOSE_EXCHANGE,         /* sends and receives at once */
    MPILENS_PURPOSE_COMPLETE_REQUEST, /* makes a request that only the application completes */
    MPILENS_PURPOSE_WINDOW_FENCE,
    MPILENS_PURPOSE_WINDOW_START,
    MPILENS_PURPOSE_WINDOW_COMPLETE,
    MPILENS_PURPOSE_WINDOW_POST,
    MPILENS_PURPOSE_WINDOW_WAIT, /* for the end of accesses, or asks about it */
    MPILENS_PURPOSE_WINDOW_LOCK,
    MPILENS_PURPOSE_WINDOW_LOCK_ALL,
    MPILENS_PURPOSE_WINDOW_UNLOCK, /* one or all */
    MPILENS_PURPOSE_WINDOW_FLUSH,
    MPILENS_PURPOSE_LEADERS,  /* makes an intercommunicator of two groups, whose leaders meet */
    MPILENS_PURPOSE_ABORT,    /* ends the job */
    MPILENS_PURPOSE_OF_GROUP, /* makes a communicator of a group, only whose members call it */
};

/* How many of its requests a call waits for or asks about. */
enum mpilens_completion {
    MPILENS_COMPLETION_NONE, /* it has no requests to complete */
    MPILENS_COMPLETION_ALL,
    MPILENS_COMPLETION_ANY,  /* one */
    MPILENS_COMPLETION_SOME, /* one or more */
};

/* The members whose data a member of a collective call needs. */
enum mpilens_data_flow {
    MPILENS_FLOW_NONE, /* not a collective call of data */
    MPILENS_FLOW_ROOT_TO_ALL,
    MPILENS_FLOW_ALL_TO_ROOT,
    MPILENS_FLOW_ALL_TO_ALL,
    MPILENS_FLOW_PREFIX, /* from all members of lower ranks */
    MPILENS_FLOW_NEIGHBOURS,
};

/* Arguments of a collective call that must agree at all members. */
#define MPILENS_AGREE_SAME_DATA          0x1u /* bytes and types that each gives or takes as one block */
#define MPILENS_AGREE_SAME_COUNT         0x2u /* number of elements, also where the types are made otherwise */
#define MPILENS_AGREE_SAME_ACROSS_GROUPS 0x4u /* that in both groups of an intercommunicator */
#define MPILENS_AGREE_SAME_ARGUMENTS     0x8u /* of a call that moves no data: those in collective_arguments */

/* Freed communicators, windows and files that a process remembers. */
#define MPILENS_FREED_COUNT 32

/* Marks of one communicator: of the calls 32, 64, 128, ..., then of others at regular distances. */
#define MPILENS_DOUBLING_MARKS 32
#define MPILENS_MARK_COUNT     64

/* Copies of arrays of counts: the longest array that is copied, and all copies of one communicator at most. */
#define MPILENS_MOST_COPIED_COUNTS 64
#define MPILENS_COUNT_COPIES_BYTES (UINT64_C(8) * 4 * MPILENS_MOST_COPIED_COUNTS * 8)

/* Records of failed calls. */
#define MPILENS_FIRST_FAILED_CALLS 32
#define MPILENS_LAST_FAILED_CALLS  32

/* Outcome of a failed call. */
enum mpilens_failed_outcome {
    MPILENS_FAILED_RAISED,   /* its error handler has not returned: it ends the job, or is the program's own */
    MPILENS_FAILED_RETURNED, /* the program has got an error code */
};

#define MPILENS_FAILED_HAS_PEER 0x1u
#define MPILENS_FAILED_HAS_TAG  0x2u
#define MPILENS_FAILED_HAS_ROOT 0x4u

/* Collective classes. The first fourteen have the numbers of padb's enum mqs_comm_class. */
enum mpilens_collective_class {
    MPILENS_COLLECTIVE_BARRIER,
    MPILENS_COLLECTIVE_BROADCAST,
    MPILENS_COLLECTIVE_ALLGATHER,
    MPILENS_COLLECTIVE_ALLGATHERV,
    MPILENS_COLLECTIVE_ALLREDUCE,
    MPILENS_COLLECTIVE_ALLTOALL,
    MPILENS_COLLECTIVE_ALLTOALLV,
    MPILENS_COLLECTIVE_REDUCE_SCATTER,
    MPILENS_COLLECTIVE_REDUCE,
    MPILENS_COLLECTIVE_GATHER,
    MPILENS_COLLECTIVE_GATHERV,
    MPILENS_COLLECTIVE_SCAN,
    MPILENS_COLLECTIVE_SCATTER,
    MPILENS_COLLECTIVE_SCATTERV,
    MPILENS_COLLECTIVE_EXSCAN,
    MPILENS_COLLECTIVE_REDUCE_SCATTER_BLOCK,
    MPILENS_COLLECTIVE_ALLTOALLW,
    MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHER,
    MPILENS_COLLECTIVE_NEIGHBOR_ALLGATHERV,
    MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALL,
    MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLV,
    MPILENS_COLLECTIVE_NEIGHBOR_ALLTOALLW,
    MPILENS_COLLECTIVE_CLASS_COUNT
};

/* The structs. */
#define MPILENS_STRUCT(name)             struct mpilens_##name {
#define MPILENS_FIELD(name, type, field) type field;
#define MPILENS_UNION(name, type, field, others)                                                                       \
    union {                                                                                                            \
        type field;                                                                                                    \
        others                                                                                                         \
    };
#define MPILENS_ARRAY(name, type, field, elements)    type field[elements];
#define MPILENS_NESTED(name, nested, field, elements) struct mpilens_##nested field[elements];
#define MPILENS_END(name)                                                                                              \
    }                                                                                                                  \
    ;
#include "layout.def"

/* No implicit padding: the sizes of the fields add up to the size of the struct. */
#define MPILENS_STRUCT(name) static_assert(sizeof(struct mpilens_##name) == (0
#define MPILENS_FIELD(name, type, field)              +sizeof(((struct mpilens_##name *)0)->field)
#define MPILENS_ARRAY(name, type, field, elements)    MPILENS_FIELD(name, type, field)
#define MPILENS_NESTED(name, nested, field, elements) MPILENS_FIELD(name, nested, field)
#define MPILENS_END(name) ), "struct mpilens_" #name " has implicit padding: name it as a field in layout.def");
#include "layout.def"

static_assert(offsetof(struct mpilens_process, struct_descriptors) == MPILENS_PROCESS_FIXED_SIZE,
              "the first fields of mpilens_process must not change");
static_assert(sizeof(((struct mpilens_communicator *)0)->collective_states) / sizeof(struct mpilens_collective_state) >=
                  MPILENS_COLLECTIVE_CLASS_COUNT,
              "communicator.collective_states is too short");
static_assert(sizeof(struct mpilens_operation) == 128, "an operation is two cache lines");

#endif
