/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpihandles_interface.h of 2007 (last changed 2013) as a debugger declares it that has never seen this project's
 * headers.
 */
#ifndef TESTS_ABI_DECLARATIONS_2007_H
#define TESTS_ABI_DECLARATIONS_2007_H

#include "declarations_mqs.h"

enum { SUCCESS, NOT_FOUND, NOT_SUPPORTED, OUT_OF_RANGE, UNAVAILABLE, NO_MEM };

enum {
    COMM_PREDEFINED = 0x01,
    COMM_CARTESIAN = 0x02,
    COMM_GRAPH = 0x04,
    COMM_TOPO_REORDERED = 0x08,
    COMM_INTERCOMM = 0x10,
    COMM_FREED_HANDLE = 0x20,
    COMM_FREED_OBJECT = 0x40,
    COMM_COMM_NULL = 0x80,
    COMM_DIST_GRAPH = 0x400
};
enum {
    ERRH_PREDEFINED = 0x01,
    ERRH_COMMUNICATOR = 0x02,
    ERRH_FILE = 0x04,
    ERRH_WINDOW = 0x08,
    ERRH_C_CALLBACK = 0x10,
    ERRH_FREED_HANDLE = 0x20,
    ERRH_FREED_OBJECT = 0x40
};

struct mpidbg_handle_info_t {
    mqs_type *types[30];
};
struct mpidbg_process_t {
    int mpi_comm_world_rank;
};
struct mpidbg_name_map_t {
    char *map_name;
    mqs_taddr_t map_handle;
};
struct mpidbg_attribute_pair_t {
    int keyval;
    char *keyval_name;
    char *value;
};
struct mpidbg_comm_info_t {
    char comm_name[64];
    int comm_bitflags;
    int comm_rank;
    int comm_size;
    int comm_num_local_procs;
    struct mpidbg_process_t *comm_local_procs;
    int comm_num_remote_procs;
    struct mpidbg_process_t *comm_remote_procs;
    int comm_cart_num_dims;
    int *comm_cart_dims;
    int8_t *comm_cart_periods;
    int comm_graph_num_nodes;
    int *comm_graph_index;
    int *comm_graph_edges;
    mqs_taddr_t comm_c_handle;
    int comm_fortran_handle;
    int comm_num_attrs;
    struct mpidbg_attribute_pair_t *comm_attrs;
    int comm_num_pending_requests;
    mqs_taddr_t *comm_pending_requests;
    int comm_num_derived_windows;
    mqs_taddr_t *comm_derived_windows;
    int comm_num_derived_files;
    mqs_taddr_t *comm_derived_files;
};
struct mpidbg_request_info_t {
    int req_bitflags;
    mqs_taddr_t req_c_handle;
    int req_fortran_handle;
};
struct mpidbg_status_info_t {
    int status_bitflags;
};
struct mpidbg_errhandler_info_t {
    char eh_name[64];
    int eh_bitflags;
    mqs_taddr_t eh_c_handle;
    int eh_fortran_handle;
    int16_t eh_refcount;
    mqs_taddr_t *eh_handles;
    mqs_taddr_t eh_callback_func;
};

#endif
