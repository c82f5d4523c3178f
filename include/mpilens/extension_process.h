/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about the process, its clock and its threads.
 */
#ifndef MPILENS_EXTENSION_PROCESS_H
#define MPILENS_EXTENSION_PROCESS_H

#include "mpilens/message_queue.h"

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A moment in ticks, and the numbers that convert ticks to time. */
struct mpilens_clock_information {
    size_t struct_size;
    uint64_t origin_ticks;     /* at the first MPI call of the process ... */
    uint64_t origin_monotonic; /* ... CLOCK_MONOTONIC, nanoseconds */
    uint64_t origin_realtime;  /* ... CLOCK_REALTIME, nanoseconds */
    uint64_t recent_ticks;     /* later; with the origin this gives the length of a tick */
    uint64_t recent_monotonic;
    uint32_t clock; /* enum mpilens_clock (layout.h) */
    uint32_t reserved;
};
int mpilens_get_clock(mqs_process *process, struct mpilens_clock_information *ret_clock);

struct mpilens_process_information {
    size_t struct_size;
    uint32_t state;       /* enum mpilens_process_state (layout.h) */
    uint32_t pid;         /* as the process sees it; the parent's if this is a fork without its own MPI */
    int32_t thread_level; /* enum mpilens_thread_level (layout.h) */
    int32_t world_rank;
    int32_t world_size;
    uint32_t layout_minor;
    uint64_t untracked_operations; /* not recorded because the memory limit was reached */
    uint64_t untracked_objects;
    uint64_t memory_bytes;     /* mapped by the runtime */
    uint64_t torn_records;     /* left out of this copy because they were being written */
    char library_version[256]; /* MPI_Get_library_version, cut */
    char runtime_version[32];
    uint64_t buffer; /* attached by MPI_Buffer_attach, 0: nothing */
    uint64_t buffer_bytes;
    char job_identity[160];     /* of the job, as layout.def says; empty: not known */
    uint32_t synchronous_sends; /* 1: it makes standard sends as synchronous ones, so that it cannot rely on MPI
                                   buffering messages */
    uint32_t unexpected_mode;   /* enum mpilens_unexpected_mode (layout.h) */
    uint64_t unexpected_as_of;  /* ticks: when it took all that nobody had asked for; 0: never */
    uint32_t senders_in_turn; /* 1: its MPI looks for messages of any source one sender after the other (layout.def) */
    uint32_t exit_status;     /* 1 and the status (0 to 255) that it has called exit() with; 0: it has not */
    uint32_t box_state;       /* enum mpilens_box_state (layout.h) of its black box */
    int32_t box_error;        /* errno of what cut it short or kept it from being made; 0: none */
};
int mpilens_get_process(mqs_process *process, struct mpilens_process_information *ret_process);
/* As mpilens_get_process, for the process as it is now, without a copy; fetches less than a kilobyte if the
 * process has the layout that this library was made for. Fields that need a copy are 0: torn_records,
 * untracked_operations and untracked_objects. For debuggers that sort processes into jobs; needs mqs_setup_process
 * only. */
int mpilens_identify_process(mqs_process *process, struct mpilens_process_information *ret_process);

/* --- threads, in the order in which they first called MPI --- */
struct mpilens_thread_information {
    size_t struct_size;
    uint32_t index;
    uint32_t tid;
    uint32_t ended;       /* 1: the thread is gone */
    uint32_t call_class;  /* enum mpilens_call_class (layout.h) of `function` */
    char function[48];    /* the MPI call that it is in or polls with (first); empty: not in MPI */
    uint32_t polling;     /* 1: `function` is a test or probe that keeps finding nothing; the thread may be between two
                             calls */
    uint32_t loop_polls;  /* when polling: known polls that differ in function, place or arguments and that the thread
                             makes in turn; the first of them is described here */
    uint32_t more_polls;  /* 1: and it makes others, which are not known */
    uint32_t lock_type;   /* enum mpilens_lock_type (layout.h) of MPI_Win_lock; 0: another call */
    uint64_t site;        /* return address of the call */
    uint64_t entered;     /* ticks; when polling, of the first fruitless call of this kind; not in MPI: of the last
                             call that started no operation */
    uint64_t last_polled; /* ticks, of one of the last polls where they follow each other quickly; 0: not polling */
    uint64_t polls;       /* fruitless calls in a row */
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
    uint64_t object_id;       /* its id, equal at all members; 0: none */
    uint32_t purpose;         /* of `function`, like the next two: enum mpilens_purpose (layout.h) */
    uint32_t completion;      /* enum mpilens_completion (layout.h) */
    int32_t collective_class; /* enum mpilens_collective_class (layout.h); -1: none */
    uint32_t group_serial;    /* of the group in MPI_Comm_create_group, whose tag is `tag`; 0: none */
    /* For the leader in MPI_Intercomm_create, with the other leader as peer_... and the tag; 0: for others. */
    uint64_t peer_communicator_id;
};
int mpilens_setup_thread_iterator(mqs_process *process);
int mpilens_next_thread(mqs_process *process, struct mpilens_thread_information *ret_thread);
/* The other polls that the thread delivered last makes in turn, each as if it made only that one. There is nothing to
 * set up. */
int mpilens_next_poll(mqs_process *process, struct mpilens_thread_information *ret_poll);
/* Serials of the operations that the thread or poll delivered last waits for: up to `capacity` of its waiting_count. */
int mpilens_get_waiting(mqs_process *process, uint64_t *ret_serials, size_t capacity, size_t *ret_count);

/* --- failed calls, and MPI_Abort: the last call for each place, function and error class --- */
struct mpilens_failed_call_information {
    size_t struct_size;
    uint64_t serial;     /* n-th failed call of the process; of the last one */
    uint64_t times;      /* such calls */
    uint64_t first_time; /* ticks */
    uint64_t last_time;
    uint64_t site;            /* return address of the call; 0: not known */
    uint64_t started_at;      /* return address of the call that started what it waited for; 0: none */
    uint64_t communicator_id; /* its id; 0: none, or not known */
    uint64_t collective;      /* serial of the call on that communicator; 0: no collective call */
    int64_t elements;         /* -1: not known */
    int64_t bytes;            /* that it sends, or has room for; -1: not known */
    int64_t actual_bytes;     /* of a message that was too long for its receive; -1: not known */
    uint32_t outcome;         /* enum mpilens_failed_outcome (layout.h) */
    uint32_t is_under_way;    /* 1: its error handler has not returned, and the thread is in the call */
    uint32_t call_class;      /* enum mpilens_call_class (layout.h) of `function` */
    uint32_t purpose;         /* enum mpilens_purpose (layout.h) */
    uint32_t operation; /* MPILENS_OPERATION_* (layout.h): operation that it started or waited for; 0: not known */
    uint32_t has_peer;  /* 1: of the next two; -1: any, or not known */
    int32_t peer_local; /* as the program gave it */
    int32_t peer_world;
    uint32_t has_tag;
    int32_t tag; /* as the program gave it */
    uint32_t tag_wild;
    uint32_t has_root;
    int32_t root;
    int32_t error;        /* code as MPI gave it; of MPI_Abort: as the program did */
    char function[48];    /* also one that the runtime does not wrap */
    char started_by[48];  /* the function that started what it waited for; empty: none */
    char error_class[32]; /* "MPI_ERR_TRUNCATE"; empty: not known, or MPI_Abort */
    char datatype[64];    /* its name; empty: none, or not known */
    char text[512];       /* MPI's text for the error code, cut */
    char small_count[48]; /* function of which `function` is the large-count variant; empty: none */
};
/* Gives up to `capacity` of them, in the order in which the places first failed. At most MPILENS_FIRST_FAILED_CALLS +
 * MPILENS_LAST_FAILED_CALLS are kept. */
int mpilens_get_failed_calls(mqs_process *process, struct mpilens_failed_call_information *ret_calls, size_t capacity,
                             size_t *ret_count);

/* --- the last communicators, windows and files of several processes that this one has freed --- */
struct mpilens_freed_object_information {
    size_t struct_size;        /* of every element of the array */
    uint64_t serial;           /* n-th that was freed, from 1 */
    uint64_t id;               /* equal at all members */
    uint64_t collective_calls; /* begun on it, the one that freed it among them */
    uint64_t freed;            /* ticks */
    uint64_t site;             /* return address of the call that freed it, 0: not seen */
    uint64_t last_site;        /* of the collective call before that; 0: none, or not known */
    char function[48];         /* that freed it; empty: not seen */
    char last_function[48];    /* of the call before; empty: none, or not known */
    uint32_t kind;             /* enum mpilens_object_kind */
    uint32_t reserved;
};
/* Gives up to `capacity` of them, oldest first, at most MPILENS_FREED_COUNT (layout.h). The struct_size of the first
 * element counts for all. */
int mpilens_get_freed_objects(mqs_process *process, struct mpilens_freed_object_information *ret_objects,
                              size_t capacity, size_t *ret_count);

#ifdef __cplusplus
}
#endif

#endif
