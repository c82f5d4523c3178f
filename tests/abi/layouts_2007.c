/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Public structs have the sizes and offsets of the documents, where pointers have 8 bytes. Numbers: the MPI Message
 * Queue Dumping Interface 1.0; Open MPI's mpihandles_interface.h of 2013.
 */
#include "mpilens/message_queue.h"
#include "mpilens/mpidbg.h"

#include <assert.h>

static_assert(sizeof(void *) != 8 || sizeof(long) == 8, "LP64");

#define SIZE(type, bytes) static_assert(sizeof(void *) != 8 || sizeof(type) == (bytes), #type)
#define OFFSET(type, member, bytes)                                                                                    \
    static_assert(sizeof(void *) != 8 || offsetof(type, member) == (bytes), #type "." #member)

SIZE(mqs_communicator, 88);
OFFSET(mqs_communicator, unique_id, 0);
OFFSET(mqs_communicator, local_rank, 8);
OFFSET(mqs_communicator, size, 16);
OFFSET(mqs_communicator, name, 24);

SIZE(mqs_pending_operation, 416);
OFFSET(mqs_pending_operation, status, 0);
OFFSET(mqs_pending_operation, desired_local_rank, 8);
OFFSET(mqs_pending_operation, desired_global_rank, 16);
OFFSET(mqs_pending_operation, tag_wild, 24);
OFFSET(mqs_pending_operation, desired_tag, 32);
OFFSET(mqs_pending_operation, desired_length, 40);
OFFSET(mqs_pending_operation, system_buffer, 48);
OFFSET(mqs_pending_operation, buffer, 56);
OFFSET(mqs_pending_operation, actual_local_rank, 64);
OFFSET(mqs_pending_operation, actual_global_rank, 72);
OFFSET(mqs_pending_operation, actual_tag, 80);
OFFSET(mqs_pending_operation, actual_length, 88);
OFFSET(mqs_pending_operation, extra_text, 96);

SIZE(mqs_target_type_sizes, 20);
OFFSET(mqs_target_type_sizes, pointer_size, 16);

SIZE(struct mpidbg_handle_info_t, 240);
OFFSET(struct mpidbg_handle_info_t, hi_c_aint, 0);
OFFSET(struct mpidbg_handle_info_t, hi_c_comm, 8);
OFFSET(struct mpidbg_handle_info_t, hi_c_win, 88);
OFFSET(struct mpidbg_handle_info_t, hi_cxx_aint, 96);
OFFSET(struct mpidbg_handle_info_t, hi_cxx_cartcomm, 136);
OFFSET(struct mpidbg_handle_info_t, hi_cxx_request, 200);
OFFSET(struct mpidbg_handle_info_t, hi_cxx_win, 232);

SIZE(struct mpidbg_process_t, 4);
SIZE(struct mpidbg_name_map_t, 16);
OFFSET(struct mpidbg_name_map_t, map_handle, 8);
SIZE(struct mpidbg_attribute_pair_t, 24);
OFFSET(struct mpidbg_attribute_pair_t, keyval, 0);
OFFSET(struct mpidbg_attribute_pair_t, keyval_name, 8);
OFFSET(struct mpidbg_attribute_pair_t, value, 16);

SIZE(struct mpidbg_comm_info_t, 224);
OFFSET(struct mpidbg_comm_info_t, comm_name, 0);
OFFSET(struct mpidbg_comm_info_t, comm_bitflags, 64);
OFFSET(struct mpidbg_comm_info_t, comm_rank, 68);
OFFSET(struct mpidbg_comm_info_t, comm_size, 72);
OFFSET(struct mpidbg_comm_info_t, comm_num_local_procs, 76);
OFFSET(struct mpidbg_comm_info_t, comm_local_procs, 80);
OFFSET(struct mpidbg_comm_info_t, comm_num_remote_procs, 88);
OFFSET(struct mpidbg_comm_info_t, comm_remote_procs, 96);
OFFSET(struct mpidbg_comm_info_t, comm_cart_num_dims, 104);
OFFSET(struct mpidbg_comm_info_t, comm_cart_dims, 112);
OFFSET(struct mpidbg_comm_info_t, comm_cart_periods, 120);
OFFSET(struct mpidbg_comm_info_t, comm_graph_num_nodes, 128);
OFFSET(struct mpidbg_comm_info_t, comm_graph_index, 136);
OFFSET(struct mpidbg_comm_info_t, comm_graph_edges, 144);
OFFSET(struct mpidbg_comm_info_t, comm_c_handle, 152);
OFFSET(struct mpidbg_comm_info_t, comm_fortran_handle, 160);
OFFSET(struct mpidbg_comm_info_t, comm_num_attrs, 164);
OFFSET(struct mpidbg_comm_info_t, comm_attrs, 168);
OFFSET(struct mpidbg_comm_info_t, comm_num_pending_requests, 176);
OFFSET(struct mpidbg_comm_info_t, comm_pending_requests, 184);
OFFSET(struct mpidbg_comm_info_t, comm_num_derived_windows, 192);
OFFSET(struct mpidbg_comm_info_t, comm_derived_windows, 200);
OFFSET(struct mpidbg_comm_info_t, comm_num_derived_files, 208);
OFFSET(struct mpidbg_comm_info_t, comm_derived_files, 216);

SIZE(struct mpidbg_request_info_t, 24);
OFFSET(struct mpidbg_request_info_t, req_bitflags, 0);
OFFSET(struct mpidbg_request_info_t, req_c_handle, 8);
OFFSET(struct mpidbg_request_info_t, req_fortran_handle, 16);
SIZE(struct mpidbg_status_info_t, 4);

SIZE(struct mpidbg_errhandler_info_t, 104);
OFFSET(struct mpidbg_errhandler_info_t, eh_name, 0);
OFFSET(struct mpidbg_errhandler_info_t, eh_bitflags, 64);
OFFSET(struct mpidbg_errhandler_info_t, eh_c_handle, 72);
OFFSET(struct mpidbg_errhandler_info_t, eh_fortran_handle, 80);
OFFSET(struct mpidbg_errhandler_info_t, eh_refcount, 84);
OFFSET(struct mpidbg_errhandler_info_t, eh_handles, 88);
OFFSET(struct mpidbg_errhandler_info_t, eh_callback_func, 96);

static_assert(MPIDBG_INTERFACE_VERSION == 1 && MPIDBG_MAX_OBJECT_NAME == 64 && MPIDBG_MAX_FILENAME == 1024, "");
static_assert(MPIDBG_SUCCESS == 0 && MPIDBG_ERR_NOT_FOUND == 1 && MPIDBG_ERR_NOT_SUPPORTED == 2 &&
                  MPIDBG_ERR_OUT_OF_RANGE == 3 && MPIDBG_ERR_UNAVAILABLE == 4 && MPIDBG_ERR_NO_MEM == 5 &&
                  MPIDBG_MAX_RETURN_CODE == 6,
              "");
static_assert(MPIDBG_COMM_CAP_FILE_LIST == 0x40 && MPIDBG_COMM_CAP_MAX == 65 && MPIDBG_ERRH_CAP_MAX == 17, "");
static_assert(MPIDBG_COMM_INFO_DIST_GRAPH == 0x400 && MPIDBG_COMM_INFO_MAX == 1025, "");
static_assert(MPIDBG_ERRH_INFO_C_CALLBACK == 0x10 && MPIDBG_ERRH_INFO_FREED_HANDLE == 0x20 &&
                  MPIDBG_ERRH_INFO_FREED_OBJECT == 0x40 && MPIDBG_ERRH_INFO_MAX == 65,
              "");
static_assert(MPIDBG_REQUEST_CAP_MAX == 2 && MPIDBG_REQUEST_INFO_MAX == 2 && MPIDBG_STATUS_CAP_MAX == 2 &&
                  MPIDBG_STATUS_INFO_MAX == 2,
              "");
