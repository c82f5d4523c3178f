/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpidbg.h that is values and types of both generations; mpidbg.h says what collides, and who chooses.
 */
#ifndef MPILENS_MPIDBG_TYPES_H
#define MPILENS_MPIDBG_TYPES_H

#include "mpilens/message_queue.h"

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
    MPIDBG_ERRH_INFO_COMMUNICATOR = 0x02, /* kinds of objects that it can be attached to; predefined ones: all three */
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

#ifdef __cplusplus
}
#endif

#endif
