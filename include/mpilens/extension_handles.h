/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of extension.h about one handle and the object that it names.
 *
 * mpilens_find_object makes what it finds the current object, as mpilens_next_object does: mpilens_get_window and its
 * like answer about it. So do the other functions of this part that say "of the current object".
 *
 * After mqs_update_communicator_list they answer from the copy that it took. A debugger that wants one handle only need
 * not call it: every find then reads the process as it is, and MPI must not run meanwhile. That takes three reads
 * (root, directory and records of one table; more if they are large, and a few more the first time), or five for
 * windows, files and messages. Parts of the object are read on demand. A request and the users of an object need a
 * whole copy, which is taken then.
 */
#ifndef MPILENS_EXTENSION_HANDLES_H
#define MPILENS_EXTENSION_HANDLES_H

#include "mpilens/extension_objects.h"
#include "mpilens/extension_requests.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Form of a handle: the value in C, or the integer in Fortran (also type(MPI_Comm)%MPI_VAL). */
enum mpilens_handle_language { MPILENS_HANDLE_C, MPILENS_HANDLE_FORTRAN };

/* The value of a C handle of that kind, or an integer of Fortran, sign-extended. `kind` is any but MPILENS_OBJECT_NONE,
 * _ATTRIBUTE, _REQUEST and _STATUS. If a handle was reused, finds the object that it names now; if that is freed and
 * its record is still there, the one that it named last (then `freed` is 1).
 *   mqs_ok
 *   mqs_no_information            it names nothing that is known, *ret_object is untouched
 *   MPILENS_ERROR_BAD_ARGUMENT    no such kind
 * A null handle (MPI_COMM_NULL) is found: its `flags` have MPILENS_OBJECT_NULL, its serial is 0, its name is the
 * constant's, and there is no current object then. */
int mpilens_find_object(mqs_process *process, int kind, enum mpilens_handle_language language, uint64_t handle,
                        struct mpilens_object_information *ret_object);

/* As mpilens_find_object, by kind and serial, as other answers of this interface name objects. */
int mpilens_find_object_by_serial(mqs_process *process, int kind, uint32_t serial,
                                  struct mpilens_object_information *ret_object);

/* The request that a handle names: of several that share it, the oldest. Also one in a queue, and an inactive
 * persistent one. If it names none, the active one that was freed under this handle last, unless a later one with the
 * same handle is known to be over: its `request` is 0, its state MPILENS_OPERATION_RELEASED. mqs_no_information: none;
 * of the null handle `flags` is 0, serial 0, function "MPI_REQUEST_NULL". */
int mpilens_find_request(mqs_process *process, enum mpilens_handle_language language, uint64_t handle,
                         struct mpilens_operation_information *ret_request);

/* How many bytes a C handle of that kind has in this process, 0: not known. */
int mpilens_handle_bytes(mqs_process *process, int kind);

/* --- more of the common fields of the current object --- */
struct mpilens_handle_information {
    size_t struct_size;
    int64_t fortran_handle; /* an int of Fortran; meaningless where has_fortran_handle is 0 */
    uint32_t has_fortran_handle;
    uint32_t from_fortran;   /* the call that made it was a Fortran statement; then so are its callback functions */
    uint64_t freed_site;     /* return address of the call that freed it, 0: not freed or not seen */
    char freed_function[48]; /* that call, or empty */
};
int mpilens_get_handle(mqs_process *process, struct mpilens_handle_information *ret_handle);

/* The current object in one sentence, cut to fit, NUL-terminated; `bytes` > 0, 512 are enough for most:
 *   communicator row (0x84000002): rank 1 of 2, intracommunicator, cartesian 2 x 1, periodic in dimension 0, made by
 *   MPI_Cart_sub of grid
 * The call that made it comes last, so that a debugger can go on with " at " and the place of `site`.
 * MPILENS_ERROR_NO_CURRENT: there is none. */
int mpilens_summarize_object(mqs_process *process, char *ret_text, size_t bytes);

/* The same sentence, and where a debugger has more to say: the DLL knows functions of the application by address only.
 */
struct mpilens_summary_information {
    size_t struct_size;
    uint64_t user_function;   /* its address, which the sentence says in hexadecimal; 0: it says none */
    uint32_t function_offset; /* first byte of this address in the text ... */
    uint32_t function_bytes;  /* ... and its length, up to the cut */
    char text[1024];
};
int mpilens_get_summary(mqs_process *process, struct mpilens_summary_information *ret_summary);

/* As mpilens_summarize_object, for an answer of mpilens_next_request or mpilens_find_request:
 *   request 0x98000000: pending receive, 16 x MPI_DOUBLE, from rank 1, tag 8, on MPI_COMM_WORLD, made by MPI_Irecv */
int mpilens_summarize_request(mqs_process *process, const struct mpilens_operation_information *request, char *ret_text,
                              size_t bytes);

/* --- users: live objects that refer to the current object, by kind and then serial ---
 * Of a communicator: requests, messages, windows, files, attributes (as keyvals). Of a group: communicators, windows
 * (epochs). Of a datatype: datatypes (those among the first 16384 that have arguments), requests, files (views), the
 * collective calls under way (as communicators), attributes. Of an error handler: communicators, windows, files,
 * sessions. Of an op: requests, and the collective calls under way (as communicators). Of an info: windows, files,
 * communicators that were made with it. Of a window: requests, attributes. Of a file: requests. Of a session: groups,
 * communicators. Of a keyval: objects with such an attribute. Blocking calls that wait for messages are requests
 * here. */
struct mpilens_user_information {
    size_t struct_size;
    uint32_t kind;             /* enum mpilens_object_kind */
    uint32_t serial;           /* 0: a request or message, which have none */
    uint64_t handle;           /* 0: not known, or a blocking call */
    uint64_t operation_serial; /* of requests; else 0 */
    char name[256];            /* of the object, or the function of the request; may be empty */
};
int mpilens_setup_user_iterator(mqs_process *process);
int mpilens_next_user(mqs_process *process, struct mpilens_user_information *ret_user);

/* --- communicators and groups --- */

/* Ranks of MPI_COMM_WORLD: first, first + stride, ..., count of them; first -1: of another world, not known. */
struct mpilens_rank_range {
    int32_t first;
    int32_t stride;
    int32_t count;
};
/* Members of the current group, or of the local (`remote` 0) or remote group of the current communicator, in the order
 * of their ranks: up to `capacity` of the *ret_count ranges that there are. mqs_no_information: not known, or no remote
 * group. */
int mpilens_get_members(mqs_process *process, int remote, struct mpilens_rank_range *ret_ranges, size_t capacity,
                        size_t *ret_count);

/* Topology of the current communicator; kind 0: none. `values` int32:
 *   cartesian          dims[first_count], periods[first_count], coordinates[first_count]
 *   graph              index[first_count], edges[second_count]
 *   distributed graph  sources[first_count], destinations[second_count], and where weighted
 *                      source weights[first_count], destination weights[second_count] */
struct mpilens_topology_information {
    size_t struct_size;
    uint32_t kind; /* enum mpilens_topology_kind (layout.h) */
    uint32_t reordered;
    uint32_t weighted;
    int32_t first_count;
    int32_t second_count;
    uint32_t value_count;
};
int mpilens_get_topology(mqs_process *process, struct mpilens_topology_information *ret_topology);
/* Up to `capacity` of its value_count; *ret_count: how many were given. mqs_no_information: none, or not known. */
int mpilens_get_topology_values(mqs_process *process, int32_t *ret_values, size_t capacity, size_t *ret_count);

/* --- attributes of the current communicator, datatype or window, in the order in which they were set unless records
 * were used again --- */
int mpilens_setup_attribute_iterator(mqs_process *process);
int mpilens_next_attribute(mqs_process *process, struct mpilens_attribute_information *ret_attribute);

/* --- texts --- */
/* The n-th pair (from 0) of the current object: the entries of an info; the hints that a communicator, window or file
 * was made with; of a session the names of its process sets (value empty). mqs_end_of_list past the last. The texts are
 * cut to fit, NUL-terminated. mqs_no_information: not known. */
int mpilens_get_text_pair(mqs_process *process, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                          size_t value_bytes);

/* --- datatypes --- */
struct mpilens_datatype_contents {
    size_t struct_size;
    uint32_t combiner;      /* enum mpilens_combiner (layout.h) */
    uint32_t integer_count; /* arguments of the constructor, as MPI_Type_get_contents would give them (MPI 4.1, */
    uint32_t address_count; /* section 5.1.13), also where a large-count function was called */
    uint32_t datatype_count;
    int64_t lower_bound;
    int64_t extent;
    int64_t true_lower_bound;
    int64_t true_extent;
    uint32_t cut; /* 1: there are more than are kept; the counts are the true ones */
    uint32_t reserved;
};
int mpilens_get_datatype_contents(mqs_process *process, struct mpilens_datatype_contents *ret_contents);
/* Gives up to `capacity` of the integers followed by the addresses; *ret_count: how many were given.
 * mqs_no_information: they were not kept. Orders and distributions have the values of layout.h (enum mpilens_order,
 * enum mpilens_distribution), not the library's. */
int mpilens_get_datatype_arguments(mqs_process *process, int64_t *ret_arguments, size_t capacity, size_t *ret_count);
/* The n-th datatype among the arguments, 0 based, without making it the current object. mqs_end_of_list past the last;
 * mqs_no_information: not known. */
int mpilens_get_datatype_argument(mqs_process *process, size_t n, struct mpilens_object_information *ret_object);

/* Name of a combiner, in words of the standard: "vector", "struct"; never NULL. */
const char *mpilens_combiner_name(uint32_t combiner);

/* The type map of one element of the current datatype in the order of the constructor: runs of one basic type.
 * A run stands for count elements, the k-th at displacement + k * stride. The map is expanded as far as the debugger
 * asks; a regular repetition of whole runs is given as `repeat` > 1 with `repeat_stride` where that is possible, so
 * that a vector of a billion blocks is one entry. */
struct mpilens_type_map_entry {
    size_t struct_size;
    char basic[128];       /* name of a predefined datatype */
    int64_t basic_size;    /* bytes */
    int64_t displacement;  /* bytes from the address of the element */
    int64_t count;         /* elements in a row, `stride` bytes apart */
    int64_t stride;        /* bytes; basic_size: contiguous */
    int64_t repeat;        /* how often the whole run stands there; 1: once */
    int64_t repeat_stride; /* bytes between two of these */
};
int mpilens_setup_type_map_iterator(mqs_process *process);
/* mqs_no_information: the next part is not known, or nested too deeply (64 datatypes in each other are not). On
 * anything but mqs_ok the map ends there: the following calls give mqs_end_of_list. */
int mpilens_next_type_map_entry(mqs_process *process, struct mpilens_type_map_entry *ret_entry);

/* The same written out: elements of one basic datatype that stand side by side. Up to `capacity` of them, in the order
 * of the type map; *ret_is_cut 1: there are more. mqs_no_information: not all of the type map is known. */
struct mpilens_element_run {
    char basic[128];      /* as in the type map */
    int64_t displacement; /* bytes */
    int64_t count;        /* elements */
};
int mpilens_get_element_runs(mqs_process *process, struct mpilens_element_run *ret_runs, size_t capacity,
                             size_t *ret_count, int *ret_is_cut);

/* The bytes between lower and upper bound that no element covers, by displacement, up to `capacity`; *ret_is_cut 1:
 * there may be more behind the last one. mqs_no_information: type map or bounds are not known. */
struct mpilens_type_hole {
    int64_t displacement; /* bytes, as is `bytes` */
    int64_t bytes;
};
int mpilens_get_type_holes(mqs_process *process, struct mpilens_type_hole *ret_holes, size_t capacity,
                           size_t *ret_count, int *ret_is_cut);

/* --- statuses --- */
struct mpilens_status_information {
    size_t struct_size;
    int32_t source;
    int32_t tag;
    int32_t error;
    uint32_t ignored;  /* the address is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE: the other fields mean nothing */
    int64_t bytes;     /* -1: not known */
    int32_t cancelled; /* -1: not known */
    uint32_t reserved;
};
/* The MPI_Status (of C, or Fortran's in the same layout) at this address of the target. */
int mpilens_get_status(mqs_process *process, mqs_taddr_t address, struct mpilens_status_information *ret_status);
/* One sentence of it: "status: source 1, tag 8, 128 bytes". */
int mpilens_summarize_status(const struct mpilens_status_information *status, char *ret_text, size_t bytes);
/* Bytes of an MPI_Status, 0: not known. */
int mpilens_status_bytes(mqs_process *process);

#ifdef __cplusplus
}
#endif

#endif
