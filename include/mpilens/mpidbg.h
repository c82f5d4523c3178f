/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handle debugging interface of Open MPI (mpihandles_interface.h, interface version 1): it tells about the object
 * that an MPI handle names. It was published in two generations that use the same names and say the same version:
 *
 *   2007 (last changed 2013)  mpidbg_comm_query gives a struct mpidbg_comm_info_t with everything in it
 *   2009 (last changed 2014)  mpidbg_comm_query gives a handle, which mpidbg_comm_query_basic and others ask
 *
 * libmpilens_dll.so serves both: the result of its mpidbg_X_query begins with the struct of 2007, followed by private
 * data for the functions of 2009. So the members of the handles of 2009 cannot be read by the debugger (image, process,
 * c_comm: it passed them itself), and all functions of both generations are there.
 *
 * Most declarations are the same in both. Where they collide, this header declares the form of 2007, or of 2009 where
 * MPIDBG_GENERATION is defined as 2009 before it is included. They collide in the last parameter of mpidbg_X_query, the
 * bits 0x400 of communicators and 0x20 to 0x100 of error handlers, and struct mpidbg_attribute_pair_t. As the DLL does
 * not know which generation asks, the struct and its pairs have the bits of 2007, and mpidbg_X_query_basic and its
 * pairs have those from 2009.
 *
 * Order of calls: mpidbg_init_once, mpidbg_init_per_image, mpidbg_init_per_process, then anything; at the end
 * mpidbg_finalize_per_process and mpidbg_finalize_per_image. A debugger may use message_queue.h on the same images and
 * processes, before, after or never: the information attached to them (mqs_put_process_info) is shared, and neither
 * moves the iterators of the other. The tables of callbacks may be the same or not. Before the process has called MPI,
 * queries give MPIDBG_ERR_UNAVAILABLE.
 *
 * Memory. All is the debugger's, by mqs_malloc:
 *   - debuggers of 2007 give back what a query gave with mqs_free: every array of the struct that is not NULL, then the
 *     struct. Strings of an array stand in the block of the array.
 *   - debuggers of 2009 call mpidbg_X_handle_free, which frees all of that, and give back arrays that the query_
 *     functions gave with mqs_free.
 *   - for functions that only this header has (mpidbg_datatype_query and further): mpidbg_X_handle_free and nothing
 *     else.
 * Answers describe the process as it was at the query. It should be stopped then: one that runs all the same is noticed
 * by its threads and read with more care, which takes many more reads than the three or fewer of one that is stopped
 * (the first query on a process also takes many, the first after its tables have grown a few more).
 *
 * Results are enum mpidbg_return_codes_t; outputs are untouched on anything but MPIDBG_SUCCESS.
 */
#ifndef MPILENS_MPIDBG_H
#define MPILENS_MPIDBG_H

#include "mpilens/message_queue.h"
#include "mpilens/mpidbg_types.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- what both generations have --- */

/* In the MPI process, not in the DLL: paths of DLLs, ended by NULL; NULL until it is complete. */
extern char **mpidbg_dll_locations;

/* In the DLL. */
extern enum mpidbg_comm_capabilities_t mpidbg_comm_capabilities;
extern enum mpidbg_errhandler_capabilities_t mpidbg_errhandler_capabilities;
extern enum mpidbg_request_capabilities_t mpidbg_request_capabilities;
extern enum mpidbg_status_capabilities_t mpidbg_status_capabilities;

/* The callbacks stay valid and the debugger's. */
int mpidbg_init_once(const mqs_basic_callbacks *given);
int mpidbg_interface_version_compatibility(void);
char *mpidbg_version_string(void);
int mpidbg_dll_taddr_width(void);

/* Every image passes: the runtime may be in a shared library that is not loaded yet. `types` may be NULL. */
int mpidbg_init_per_image(mqs_image *image, const mqs_image_callbacks *given, struct mpidbg_handle_info_t *types);
void mpidbg_finalize_per_image(mqs_image *image, mqs_image_info *given);
/* MPIDBG_ERR_NOT_SUPPORTED: its image was not set up. A process that has not called MPI yet passes. */
int mpidbg_init_per_process(mqs_process *process, const mqs_process_callbacks *given,
                            struct mpidbg_handle_info_t *types);
void mpidbg_finalize_per_process(mqs_process *process, mqs_process_info *given);

/* --- the generation of 2007 --- */

/* In the DLL: byte order (1: big endian) and width of what this DLL is built for. */
extern char mpidbg_dll_is_big_endian;
extern char mpidbg_dll_bitness;

struct mpidbg_name_map_t {
    char *map_name;
    mqs_taddr_t map_handle;
};

/* In the DLL: names of predefined handles, ended by a NULL name; NULL: not known yet. Of the process that was set up
 * last, from mpidbg_init_per_process on if MPI is initialized then, else from the first query on; until it is
 * finalized. */
extern struct mpidbg_name_map_t *mpidbg_comm_name_map;
extern struct mpidbg_name_map_t *mpidbg_errhandler_name_map;
extern struct mpidbg_name_map_t *mpidbg_request_name_map;
extern struct mpidbg_name_map_t *mpidbg_status_name_map; /* handle: address */

/* Numbers that are not known are MPIDBG_ERR_UNAVAILABLE where the comment says so; arrays of no elements are NULL. */
struct mpidbg_comm_info_t {
    char comm_name[MPIDBG_MAX_OBJECT_NAME];
    enum mpidbg_comm_info_bitmap_t comm_bitflags; /* as of 2007 */
    int comm_rank;                                /* -1: not a member */
    int comm_size;                                /* of the local group */
    int comm_num_local_procs;
    struct mpidbg_process_t *comm_local_procs; /* by rank */
    int comm_num_remote_procs;                 /* of intercommunicators */
    struct mpidbg_process_t *comm_remote_procs;
    int comm_cart_num_dims;
    int *comm_cart_dims;
    int8_t *comm_cart_periods;
    int comm_graph_num_nodes;
    int *comm_graph_index; /* of the nodes: ends of their neighbours in edges, as MPI_Graph_create has it */
    int *comm_graph_edges; /* comm_graph_index[comm_graph_num_nodes - 1] of them */
    mqs_taddr_t comm_c_handle;
    int comm_fortran_handle; /* or MPIDBG_ERR_UNAVAILABLE */
    int comm_num_attrs;
    struct mpidbg_attribute_pair_t *comm_attrs; /* as of 2007 */
    int comm_num_pending_requests;
    mqs_taddr_t *comm_pending_requests; /* C handles; blocking calls have none */
    int comm_num_derived_windows;
    mqs_taddr_t *comm_derived_windows;
    int comm_num_derived_files;
    mqs_taddr_t *comm_derived_files;
};

struct mpidbg_request_info_t {
    enum mpidbg_request_info_bitmap_t req_bitflags;
    mqs_taddr_t req_c_handle;
    int req_fortran_handle; /* or MPIDBG_ERR_UNAVAILABLE */
};

struct mpidbg_status_info_t {
    enum mpidbg_status_info_bitmap_t status_bitflags; /* PREDEFINED: MPI_STATUS_IGNORE, MPI_STATUSES_IGNORE */
};

struct mpidbg_errhandler_info_t {
    char eh_name[MPIDBG_MAX_OBJECT_NAME]; /* of predefined ones */
    enum mpidbg_errhandler_info_bitmap_t eh_bitflags;
    mqs_taddr_t eh_c_handle;
    int eh_fortran_handle; /* or MPIDBG_ERR_UNAVAILABLE */
    int16_t eh_refcount;   /* elements of eh_handles, at most INT16_MAX */
    mqs_taddr_t *eh_handles;
    mqs_taddr_t eh_callback_func; /* 0: predefined */
};

/* Arguments of every query: the image, the process, and the information attached to them. */
#define MPIDBG_CONTEXT                                                                                                 \
    mqs_image *image, mqs_image_info *image_info, mqs_process *process, mqs_process_info *process_info

/* Converts a Fortran handle, zero-extended, to the C handle. MPIDBG_ERR_NOT_FOUND: it names nothing known. The integer
 * of a status is its address. */
int mpidbg_comm_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_errhandler_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_request_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_status_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
/* From the address of an object of the C++ bindings (which have a table of virtual functions and then the handle, in
 * every MPI that had them) to the C handle in it; of a status, to the address of the MPI_Status in it. */
int mpidbg_comm_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_comm_info_bitmap_t type, mqs_taddr_t *ret_handle);
int mpidbg_errhandler_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_request_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_request_info_bitmap_t type,
                         mqs_taddr_t *ret_handle);
int mpidbg_status_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);

#if MPIDBG_GENERATION == 2007
int mpidbg_comm_query(MPIDBG_CONTEXT, mqs_taddr_t comm, struct mpidbg_comm_info_t **ret_info);
int mpidbg_errhandler_query(MPIDBG_CONTEXT, mqs_taddr_t errhandler, struct mpidbg_errhandler_info_t **ret_info);
int mpidbg_request_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_request_info_t **ret_info);
int mpidbg_status_query(MPIDBG_CONTEXT, mqs_taddr_t address, struct mpidbg_status_info_t **ret_info);
#endif

/* --- the generation of 2009 --- */

enum mpidbg_predefined_comm_t {
    MPIDBG_COMM_WORLD,
    MPIDBG_COMM_SELF,
    MPIDBG_COMM_PARENT, /* the null handle where the process was not spawned, or has not asked */
    MPIDBG_COMM_NULL,
    MPIDBG_COMM_MAX
};
enum mpidbg_predefined_errhandler_t {
    MPIDBG_ERRHANDLER_ARE_FATAL,
    MPIDBG_ERRHANDLER_RETURN,
    MPIDBG_ERRHANDLER_THROW_EXCEPTIONS, /* of the C++ bindings: always 0 */
    MPIDBG_ERRHANDLER_NULL,
    MPIDBG_ERRHANDLER_MAX
};
/* In the DLL: handles, 0: not known. When they are valid: as the name maps. */
extern mqs_taddr_t mpidbg_predefined_comm_map[MPIDBG_COMM_MAX];
extern mqs_taddr_t mpidbg_predefined_errhandler_map[MPIDBG_ERRHANDLER_MAX];

struct mpidbg_comm_handle_t;
struct mpidbg_errhandler_handle_t;
struct mpidbg_request_handle_t;
struct mpidbg_status_handle_t;

#if MPIDBG_GENERATION == 2009
int mpidbg_comm_query(MPIDBG_CONTEXT, mqs_taddr_t comm, struct mpidbg_comm_handle_t **ret_handle);
int mpidbg_errhandler_query(MPIDBG_CONTEXT, mqs_taddr_t errhandler, struct mpidbg_errhandler_handle_t **ret_handle);
int mpidbg_request_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_request_handle_t **ret_handle);
int mpidbg_status_query(MPIDBG_CONTEXT, mqs_taddr_t address, struct mpidbg_status_handle_t **ret_handle);
#endif

int mpidbg_comm_handle_free(struct mpidbg_comm_handle_t *handle);
int mpidbg_errhandler_handle_free(struct mpidbg_errhandler_handle_t *handle);
int mpidbg_request_handle_free(struct mpidbg_request_handle_t *handle);
int mpidbg_status_handle_free(struct mpidbg_status_handle_t *handle);

/* ret_name: MPIDBG_MAX_OBJECT_NAME characters. Fortran handle: or MPIDBG_ERR_UNAVAILABLE. C++ handle: always
 * MPIDBG_ERR_UNAVAILABLE, an object has no one address there. */
int mpidbg_comm_query_basic(struct mpidbg_comm_handle_t *handle, char *ret_name,
                            enum mpidbg_comm_info_bitmap_t *ret_flags, int *ret_rank, int *ret_size,
                            int *ret_fortran_handle, mqs_taddr_t *ret_cxx_handle);
/* Arrays are new copies, NULL where there are no elements. */
int mpidbg_comm_query_procs(struct mpidbg_comm_handle_t *handle, int *ret_local_count,
                            struct mpidbg_process_t **ret_local, int *ret_remote_count,
                            struct mpidbg_process_t **ret_remote);
/* Length 0: neither cartesian nor graph. Of a graph, the length of the edges is the last of the indexes. */
int mpidbg_comm_query_topo(struct mpidbg_comm_handle_t *handle, int *ret_length, int **ret_dims_or_indexes,
                           int **ret_periods_or_edges);
/* The declaration of 2009 lacks one star for the array that it promises: pass the address of a pointer, cast. The
 * pairs have the form of 2009. */
int mpidbg_comm_query_attrs(struct mpidbg_comm_handle_t *handle, int *ret_count,
                            struct mpidbg_attribute_pair_t *ret_pairs);
int mpidbg_comm_query_requests(struct mpidbg_comm_handle_t *handle, int *ret_count, mqs_taddr_t **ret_requests);
int mpidbg_comm_query_derived(struct mpidbg_comm_handle_t *handle, int *ret_file_count, mqs_taddr_t **ret_files,
                              int *ret_window_count, mqs_taddr_t **ret_windows);

int mpidbg_errhandler_query_basic(struct mpidbg_errhandler_handle_t *handle, char *ret_name,
                                  enum mpidbg_errhandler_info_bitmap_t *ret_flags, int *ret_fortran_handle,
                                  mqs_taddr_t *ret_cxx_handle);
int mpidbg_errhandler_query_handles(struct mpidbg_errhandler_handle_t *handle, int *ret_count,
                                    mqs_taddr_t **ret_handles);
int mpidbg_errhandler_query_callback(struct mpidbg_errhandler_handle_t *handle, mqs_taddr_t *ret_function);

#ifdef __cplusplus
}
#endif

#include "mpilens/mpidbg_objects.h"

#endif
