/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fake MPI library: every PMPI_ function that the runtime calls, with results that a test chooses. It moves no data
 * and never blocks; a hook runs inside a call where the real library would wait or call the user back.
 */
#ifndef TESTS_RUNTIME_FAKE_MPI_H
#define TESTS_RUNTIME_FAKE_MPI_H

#include <mpi.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in MPICH, an error code is not its class. */
#define FAKE_ERROR(error_class) (0x08000000 | (error_class))

/* The request that stands for many sends which are complete at once. */
#define FAKE_COMPLETE_REQUEST ((MPI_Request)0x6c000001)

enum { FAKE_ARRAY = 64 };

/* A call as it arrives. Arguments that a function does not have are NULL or 0. */
struct fake_call {
    const char *name; /* "MPI_Send" */
    const char *kind; /* its template */
    const uint64_t *arguments;
    size_t argument_count;
    MPI_Request *requests; /* one or an array */
    int count;             /* of the array */
    MPI_Status *statuses;
    MPI_Message *message;
    MPI_Comm *communicator;
    MPI_Datatype *datatype;
    int *object; /* group, op, error handler, info or keyval: all of them numbers */
    MPI_Win *window;
    MPI_File *file;
    void **base; /* of the memory of a window */
    int *flag;
    int *outcount;
    int *indices;
};

/* Values as in struct mpilens_topology. */
struct fake_topology {
    int kind; /* MPI_CART, ..., 0: none */
    int first;
    int second;
    int weighted;
    const int *values;
};

/* The test's choices. */
struct fake_mpi {
    int error;                   /* of the next call; MPI_SUCCESS again after it */
    bool error_is_early;         /* then that call writes nothing */
    int started_before_error;    /* requests that an MPI_Startall starts that fails */
    bool error_frees_persistent; /* a persistent request that completes with an error is freed */
    MPI_Request request;         /* that the next nonblocking call gives, 0: one never seen before */
    MPI_Status status;           /* of receives, waits and probes of one */
    int flag;                    /* of tests and probes of one */
    bool done[FAKE_ARRAY];       /* by place in the array of requests: it is complete */
    MPI_Status
        statuses[FAKE_ARRAY]; /* by the same places; MPI_ERROR is used where `error` is of class MPI_ERR_IN_STATUS */
    MPI_Message message;      /* that a matched probe gives */
    MPI_Comm communicator;    /* that a constructor gives */
    MPI_Datatype datatype;
    int object;                /* that a constructor of these kinds gives */
    const uint64_t *attribute; /* the value that an object has, NULL: none */
    MPI_Win window;
    void *base; /* of the memory of that window */
    MPI_File file;
    MPI_Count datatype_size; /* of all datatypes that are not built in */
    int rank;
    int size;
    int thread_level;              /* provided */
    bool no_world;                 /* MPI_COMM_WORLD and MPI_COMM_SELF must not be used */
    const char *info_value;        /* of every key of every info object, NULL: none */
    int info_keys;                 /* how many every info object has: "key 0", ... */
    struct fake_topology topology; /* of every intracommunicator */
    int combiner;                  /* of datatypes that are not built in, 0: MPI_COMBINER_CONTIGUOUS */
    int contents;                  /* datatypes that each of those was made of */
    int contents_integers;         /* of such datatypes: values of these kinds ... */
    int contents_addresses;
    int contents_large;
    const int64_t *contents_values;             /* ... in a row */
    const MPI_Datatype *contents_datatypes;     /* NULL: as `datatype` */
    void (*hook)(const struct fake_call *call); /* runs inside the next call, once */
    void *hook_context;
    int (*handler)(const struct fake_call *call); /* does everything instead, if not NULL */
    /* Calls so far. */
    unsigned calls;
    const char *last_name;
    uint64_t last_arguments[16];
    unsigned type_size_calls;
    unsigned attribute_calls;
    unsigned type_frees;      /* calls of MPI_Type_free */
    int contents_given;       /* datatypes that MPI_Type_get_contents has given */
    unsigned topology_calls;  /* questions whether a communicator has one */
    unsigned info_calls;      /* questions what an info object has */
    int group_error;          /* of the next call that gives the application a group of a communicator or frees one */
    bool frees_despite_error; /* that call, where it frees one */
    int groups_open;          /* handles that the runtime has not freed */
    int process_sets;         /* of every session, named as fake_process_set says */
};

extern struct fake_mpi fake;

/* Arrives here after a PMPI_ function has packed its arguments. */
int fake_mpi_call(struct fake_call *call);

/* A status as a receive of the library makes it. */
MPI_Status fake_status(int source, int tag, uint64_t bytes, bool cancelled);

/* The communicator `handle` has these world ranks [count]; `remote` NULL: an intracommunicator. The arrays stay the
 * caller's and must live on. Rank MPI_UNDEFINED: a process of another MPI_COMM_WORLD. NULL `ranks`: 0, 1, ... */
void fake_communicator_define(MPI_Comm handle, const int *ranks, int count, const int *remote, int remote_count);

/* The integer of MPI_File_c2f for a file: its address, a short one, plus 1000. */
static inline MPI_Fint fake_file_in_fortran(MPI_File file)
{
    return (MPI_Fint)((uintptr_t)file & 0xffff) + 1000;
}

/* "mpi://SET0", ... The text stays until the next call. */
const char *fake_process_set(int n);

/* The group of that communicator, as from MPI_Comm_group. */
MPI_Group fake_group_of(MPI_Comm handle);

/* MPI_COMM_NULL_COPY_FN of libraries where it is a function. */
int FAKE_COMM_NULL_COPY_FN(MPI_Comm communicator, int keyval, void *state, void *in, void *out, int *flag);

/* Gives the test's contents as the answer of MPI_Type_get_contents. */
void fake_give_contents(const struct fake_call *call);

/* Calls as the library calls itself: the return address lies in it. */
int fake_library_sends(int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm), int peer, int tag);
int fake_library_duplicates(int (*duplicate)(MPI_Comm, MPI_Comm *), MPI_Comm communicator, MPI_Comm *ret_duplicate);

#endif
