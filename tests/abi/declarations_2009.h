/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpihandles_interface.h of 2009 (last changed 2014) as a debugger declares it that has never seen this project's
 * headers.
 */
#ifndef TESTS_ABI_DECLARATIONS_2009_H
#define TESTS_ABI_DECLARATIONS_2009_H

#include "declarations_mqs.h"

enum { SUCCESS, NOT_FOUND, NOT_SUPPORTED, OUT_OF_RANGE, UNAVAILABLE, NO_MEM };

enum {
    COMM_PREDEFINED = 0x001,
    COMM_CARTESIAN = 0x002,
    COMM_GRAPH = 0x004,
    COMM_TOPO_REORDERED = 0x008,
    COMM_INTERCOMM = 0x010,
    COMM_FREED_HANDLE = 0x020,
    COMM_FREED_OBJECT = 0x040,
    COMM_COMM_NULL = 0x080,
    COMM_HANDLE_C = 0x100,
    COMM_HANDLE_CXX = 0x200,
    COMM_HANDLE_FINT = 0x400
};
enum {
    ERRH_PREDEFINED = 0x01,
    ERRH_COMMUNICATOR = 0x02,
    ERRH_FILE = 0x04,
    ERRH_WINDOW = 0x08,
    ERRH_C_CALLBACK = 0x10,
    ERRH_FORTRAN_CALLBACK = 0x20,
    ERRH_CXX_CALLBACK = 0x40,
    ERRH_FREED_HANDLE = 0x80,
    ERRH_FREED_OBJECT = 0x100
};
enum { MAP_WORLD, MAP_SELF, MAP_PARENT, MAP_NULL, MAP_MAX };
enum { MAP_ARE_FATAL, MAP_RETURN, MAP_THROW_EXCEPTIONS, MAP_ERRHANDLER_NULL, MAP_ERRHANDLER_MAX };

struct mpidbg_handle_info_t {
    mqs_type *types[30];
};
struct mpidbg_process_t {
    int mpi_comm_world_rank;
};
struct mpidbg_attribute_pair_t {
    char *keyval_name;
    char *value;
    int keyval;
};
struct mpidbg_comm_handle_t;
struct mpidbg_errhandler_handle_t;
struct mpidbg_request_handle_t;
struct mpidbg_status_handle_t;

#endif
