/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The handle debugging interface of Open MPI (mpihandles_interface.h, interface version 1): what an MPI handle of a
 * process names. It was published in two generations that use the same names and say the same version:
 *
 *   2007 (last changed 2013)  mpidbg_comm_query gives a struct mpidbg_comm_info_t with everything in it
 *   2009 (last changed 2014)  mpidbg_comm_query gives a handle, which mpidbg_comm_query_basic and others ask
 *
 * libmpilens_dll.so serves both: what its mpidbg_X_query gives begins with the struct of 2007 and holds behind it what
 * the functions of 2009 need. So the members of the handles of 2009 cannot be read by the debugger (image, process,
 * c_comm: it passed them itself), and all functions of both generations are there.
 *
 * Most declarations are the same in both. Where they collide, this header declares those of 2007; of 2009 where
 * MPIDBG_GENERATION is defined as 2009 before it is included. What collides: the last parameter of mpidbg_X_query, the
 * bits 0x400 of communicators and 0x20 to 0x100 of error handlers, and struct mpidbg_attribute_pair_t. As the DLL does
 * not know who asks, the bits of the struct are those of 2007, those of mpidbg_X_query_basic of 2009; likewise
 * the pairs.
 *
 * Order of calls: mpidbg_init_once, mpidbg_init_per_image, mpidbg_init_per_process, then anything; at the end
 * mpidbg_finalize_per_process and mpidbg_finalize_per_image. A debugger may use message_queue.h on the same images and
 * processes, before, after or never: what hangs on them (mqs_put_process_info) is shared, and neither moves the
 * iterators of the other. The tables of callbacks may be the same or not. Before the process has called MPI, queries
 * give MPIDBG_ERR_UNAVAILABLE.
 *
 * Memory. All is the debugger's, by mqs_malloc:
 *   - debuggers of 2007 give back what a query gave with mqs_free: every array of the struct that is not NULL, then the
 *     struct. Strings of an array stand in the block of the array.
 *   - debuggers of 2009 call mpidbg_X_handle_free, which frees all of that, and give back arrays that the query_
 *     functions gave with mqs_free.
 *   - what only this header has (mpidbg_datatype_query and further): mpidbg_X_handle_free and nothing else.
 * Answers describe the process as it was at the query.
 *
 * Results are enum mpidbg_return_codes_t; outputs are untouched on anything but MPIDBG_SUCCESS.
 */
#ifndef MPILENS_MPIDBG_H
#define MPILENS_MPIDBG_H

#include "mpilens/message_queue.h"
#include "mpilens/object_kind.h"

#include <stdint.h>

#ifndef MPIDBG_GENERATION
#define MPIDBG_GENERATION 2007
#endif
#if MPIDBG_GENERATION != 2007 && MPIDBG_GENERATION != 2009
#error "MPIDBG_GENERATION is 2007 or 2009"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* --- what both generations have --- */

/* Longer names are cut; a name is always terminated. MPI libraries with other limits are built with other numbers,
 * which moves what stands behind a name: this DLL has Open MPI's default. */
#define MPIDBG_MAX_OBJECT_NAME 64
#define MPIDBG_MAX_FILENAME    1024

enum { MPIDBG_INTERFACE_VERSION = 1 };

enum mpidbg_return_codes_t {
    MPIDBG_SUCCESS,
    MPIDBG_ERR_NOT_FOUND, /* the handle names nothing that is known, or an argument cannot be one */
    MPIDBG_ERR_NOT_SUPPORTED,
    MPIDBG_ERR_OUT_OF_RANGE,
    MPIDBG_ERR_UNAVAILABLE, /* the process has no MPI (yet, or no runtime of mpilens), or it cannot be read */
    MPIDBG_ERR_NO_MEM,
    MPIDBG_MAX_RETURN_CODE
};

/* Types of the program, NULL where the debugger finds none. Filled by mpidbg_init_per_image by mqs_find_type. */
struct mpidbg_handle_info_t {
    mqs_type *hi_c_aint;
    mqs_type *hi_c_comm;
    mqs_type *hi_c_datatype;
    mqs_type *hi_c_errhandler;
    mqs_type *hi_c_file;
    mqs_type *hi_c_group;
    mqs_type *hi_c_info;
    mqs_type *hi_c_offset;
    mqs_type *hi_c_op;
    mqs_type *hi_c_request;
    mqs_type *hi_c_status;
    mqs_type *hi_c_win;
    mqs_type *hi_cxx_aint;
    mqs_type *hi_cxx_comm;
    mqs_type *hi_cxx_intracomm;
    mqs_type *hi_cxx_intercomm;
    mqs_type *hi_cxx_graphcomm;
    mqs_type *hi_cxx_cartcomm;
    mqs_type *hi_cxx_datatype;
    mqs_type *hi_cxx_errhandler;
    mqs_type *hi_cxx_file;
    mqs_type *hi_cxx_group;
    mqs_type *hi_cxx_info;
    mqs_type *hi_cxx_offset;
    mqs_type *hi_cxx_op;
    mqs_type *hi_cxx_request;
    mqs_type *hi_cxx_prequest;
    mqs_type *hi_cxx_grequest;
    mqs_type *hi_cxx_status;
    mqs_type *hi_cxx_win;
};

struct mpidbg_process_t {
    int mpi_comm_world_rank; /* -1: of another world */
};

enum mpidbg_comm_capabilities_t {
    MPIDBG_COMM_CAP_BASIC = 0x01,
    MPIDBG_COMM_CAP_STRING_NAMES = 0x02,
    MPIDBG_COMM_CAP_FREED_HANDLE = 0x04,
    MPIDBG_COMM_CAP_FREED_OBJECT = 0x08,
    MPIDBG_COMM_CAP_REQUEST_LIST = 0x10,
    MPIDBG_COMM_CAP_WINDOW_LIST = 0x20,
    MPIDBG_COMM_CAP_FILE_LIST = 0x40,
    MPIDBG_COMM_CAP_MAX
};

enum mpidbg_errhandler_capabilities_t {
    MPIDBG_ERRH_CAP_BASIC = 0x01,
    MPIDBG_ERRH_CAP_STRING_NAMES = 0x02,
    MPIDBG_ERRH_CAP_FREED_HANDLE = 0x04,
    MPIDBG_ERRH_CAP_FREED_OBJECT = 0x08,
    MPIDBG_ERRH_CAP_HANDLE_LIST = 0x10,
    MPIDBG_ERRH_CAP_MAX
};

enum mpidbg_request_capabilities_t { MPIDBG_REQUEST_CAP_BASIC = 0x01, MPIDBG_REQUEST_CAP_MAX };
enum mpidbg_request_info_bitmap_t { MPIDBG_REQUEST_INFO_PREDEFINED = 0x01, MPIDBG_REQUEST_INFO_MAX };
enum mpidbg_status_capabilities_t { MPIDBG_STATUS_CAP_BASIC = 0x01, MPIDBG_STATUS_CAP_MAX };
enum mpidbg_status_info_bitmap_t { MPIDBG_STATUS_INFO_PREDEFINED = 0x01, MPIDBG_STATUS_INFO_MAX };

/* Bits that the generations share: PREDEFINED also of null handles; FREED_HANDLE: the application has freed it;
 * FREED_OBJECT: and nothing that the runtime knows of refers to it any more, so MPI has let it go. */
enum mpidbg_comm_info_bitmap_t {
    MPIDBG_COMM_INFO_PREDEFINED = 0x01,
    MPIDBG_COMM_INFO_CARTESIAN = 0x02,
    MPIDBG_COMM_INFO_GRAPH = 0x04,
    MPIDBG_COMM_INFO_TOPO_REORDERED = 0x08,
    MPIDBG_COMM_INFO_INTERCOMM = 0x10,
    MPIDBG_COMM_INFO_FREED_HANDLE = 0x20,
    MPIDBG_COMM_INFO_FREED_OBJECT = 0x40,
    MPIDBG_COMM_INFO_COMM_NULL = 0x80,
#if MPIDBG_GENERATION == 2007
    MPIDBG_COMM_INFO_DIST_GRAPH = 0x400,
#else
    MPIDBG_COMM_INFO_HANDLE_C = 0x100, /* set: it is asked for by its C handle */
    MPIDBG_COMM_INFO_HANDLE_CXX = 0x200,
    MPIDBG_COMM_INFO_HANDLE_FINT = 0x400,
#endif
    MPIDBG_COMM_INFO_MAX
};

enum mpidbg_errhandler_info_bitmap_t {
    MPIDBG_ERRH_INFO_PREDEFINED = 0x01,
    MPIDBG_ERRH_INFO_COMMUNICATOR = 0x02, /* what it can be attached to; predefined ones: all three */
    MPIDBG_ERRH_INFO_FILE = 0x04,
    MPIDBG_ERRH_INFO_WINDOW = 0x08,
    MPIDBG_ERRH_INFO_C_CALLBACK = 0x10,
#if MPIDBG_GENERATION == 2007
    MPIDBG_ERRH_INFO_FREED_HANDLE = 0x20,
    MPIDBG_ERRH_INFO_FREED_OBJECT = 0x40,
#else
    MPIDBG_ERRH_INFO_FORTRAN_CALLBACK = 0x20,
    MPIDBG_ERRH_INFO_CXX_CALLBACK = 0x40,
    MPIDBG_ERRH_INFO_FREED_HANDLE = 0x80,
    MPIDBG_ERRH_INFO_FREED_OBJECT = 0x100,
#endif
    MPIDBG_ERRH_INFO_MAX
};

/* keyval_name: of predefined keys, else NULL. value: as the application gave it, "0x1234". */
struct mpidbg_attribute_pair_t {
#if MPIDBG_GENERATION == 2007
    int keyval;
    char *keyval_name;
    char *value;
#else
    char *keyval_name;
    char *value;
    int keyval;
#endif
};

/* In the MPI process, not in the DLL: paths of DLLs, ended by NULL; NULL until it is complete. */
extern char **mpidbg_dll_locations;

/* In the DLL. */
extern enum mpidbg_comm_capabilities_t mpidbg_comm_capabilities;
extern enum mpidbg_errhandler_capabilities_t mpidbg_errhandler_capabilities;
extern enum mpidbg_request_capabilities_t mpidbg_request_capabilities;
extern enum mpidbg_status_capabilities_t mpidbg_status_capabilities;

/* The callbacks stay valid and the debugger's. */
int mpidbg_init_once(const mqs_basic_callbacks *);
int mpidbg_interface_version_compatibility(void);
char *mpidbg_version_string(void);
int mpidbg_dll_taddr_width(void);

/* Every image passes: the runtime may be in a shared library that is not loaded yet. `types` may be NULL. */
int mpidbg_init_per_image(mqs_image *, const mqs_image_callbacks *, struct mpidbg_handle_info_t *types);
void mpidbg_finalize_per_image(mqs_image *, mqs_image_info *);
/* MPIDBG_ERR_NOT_SUPPORTED: its image was not set up. A process that has not called MPI yet passes. */
int mpidbg_init_per_process(mqs_process *, const mqs_process_callbacks *, struct mpidbg_handle_info_t *types);
void mpidbg_finalize_per_process(mqs_process *, mqs_process_info *);

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

/* What a query is told: the image and process, and what hangs on them. */
#define MPIDBG_CONTEXT                                                                                                 \
    mqs_image *image, mqs_image_info *image_info, mqs_process *process, mqs_process_info *process_info

/* From a handle of Fortran, zero-extended, to that of C. MPIDBG_ERR_NOT_FOUND: it names nothing that is known. The
 * integer of a status is its address. */
int mpidbg_comm_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_errhandler_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_request_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_status_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
/* From the address of an object of the C++ bindings (which have a table of virtual functions and then the handle, in
 * every MPI that had them) to the C handle in it; of a status, to the address of the MPI_Status in it. */
int mpidbg_comm_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_comm_info_bitmap_t, mqs_taddr_t *ret_handle);
int mpidbg_errhandler_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_request_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, enum mpidbg_request_info_bitmap_t,
                         mqs_taddr_t *ret_handle);
int mpidbg_status_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);

#if MPIDBG_GENERATION == 2007
int mpidbg_comm_query(MPIDBG_CONTEXT, mqs_taddr_t comm, struct mpidbg_comm_info_t **ret_info);
int mpidbg_errhandler_query(MPIDBG_CONTEXT, mqs_taddr_t errhandler, struct mpidbg_errhandler_info_t **ret_info);
int mpidbg_request_query(MPIDBG_CONTEXT, mqs_taddr_t request, struct mpidbg_request_info_t **ret_info);
int mpidbg_status_query(MPIDBG_CONTEXT, mqs_taddr_t status, struct mpidbg_status_info_t **ret_info);
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
int mpidbg_request_query(MPIDBG_CONTEXT, mqs_taddr_t request, struct mpidbg_request_handle_t **ret_handle);
int mpidbg_status_query(MPIDBG_CONTEXT, mqs_taddr_t status, struct mpidbg_status_handle_t **ret_handle);
#endif

int mpidbg_comm_handle_free(struct mpidbg_comm_handle_t *);
int mpidbg_errhandler_handle_free(struct mpidbg_errhandler_handle_t *);
int mpidbg_request_handle_free(struct mpidbg_request_handle_t *);
int mpidbg_status_handle_free(struct mpidbg_status_handle_t *);

/* ret_name: MPIDBG_MAX_OBJECT_NAME characters. Fortran handle: or MPIDBG_ERR_UNAVAILABLE. C++ handle: always
 * MPIDBG_ERR_UNAVAILABLE, an object has no one address there. */
int mpidbg_comm_query_basic(struct mpidbg_comm_handle_t *, char *ret_name, enum mpidbg_comm_info_bitmap_t *ret_flags,
                            int *ret_rank, int *ret_size, int *ret_fortran_handle, mqs_taddr_t *ret_cxx_handle);
/* Arrays are new copies, NULL where there are no elements. */
int mpidbg_comm_query_procs(struct mpidbg_comm_handle_t *, int *ret_local_count, struct mpidbg_process_t **ret_local,
                            int *ret_remote_count, struct mpidbg_process_t **ret_remote);
/* Length 0: neither cartesian nor graph. Of a graph, the length of the edges is the last of the indexes. */
int mpidbg_comm_query_topo(struct mpidbg_comm_handle_t *, int *ret_length, int **ret_dims_or_indexes,
                           int **ret_periods_or_edges);
/* The declaration of 2009 has one star too few for an array of the DLL, which it promises: what is passed here is the
 * address of a pointer, cast. The pairs are those of 2009. */
int mpidbg_comm_query_attrs(struct mpidbg_comm_handle_t *, int *ret_count, struct mpidbg_attribute_pair_t *ret_pairs);
int mpidbg_comm_query_requests(struct mpidbg_comm_handle_t *, int *ret_count, mqs_taddr_t **ret_requests);
int mpidbg_comm_query_derived(struct mpidbg_comm_handle_t *, int *ret_file_count, mqs_taddr_t **ret_files,
                              int *ret_window_count, mqs_taddr_t **ret_windows);

int mpidbg_errhandler_query_basic(struct mpidbg_errhandler_handle_t *, char *ret_name,
                                  enum mpidbg_errhandler_info_bitmap_t *ret_flags, int *ret_fortran_handle,
                                  mqs_taddr_t *ret_cxx_handle);
int mpidbg_errhandler_query_handles(struct mpidbg_errhandler_handle_t *, int *ret_count, mqs_taddr_t **ret_handles);
int mpidbg_errhandler_query_callback(struct mpidbg_errhandler_handle_t *, mqs_taddr_t *ret_function);

#ifdef __cplusplus
}
#endif

#include "mpilens/mpidbg_objects.h"

#endif
