/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpid.h about communicators, groups and sessions.
 */
#ifndef MPILENS_MPID_COMMUNICATORS_H
#define MPILENS_MPID_COMMUNICATORS_H

#include "mpilens/mpid_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- communicators: "Communicator queries" (revision 12); where that page is cut off, as the handle-style header of
 * 2009 --- */

/* The values of both generations of mpidbg_*, where they agree; a distributed graph has one of its own. */
enum mpid_comm_info_bitmap_t {
    MPID_COMM_INFO_PREDEFINED = 0x01,
    MPID_COMM_INFO_CARTESIAN = 0x02,
    MPID_COMM_INFO_GRAPH = 0x04,
    MPID_COMM_INFO_TOPO_REORDERED = 0x08,
    MPID_COMM_INFO_INTERCOMM = 0x10,
    MPID_COMM_INFO_FREED_HANDLE = 0x20, /* by the application */
    MPID_COMM_INFO_FREED_OBJECT = 0x40, /* nothing refers to it any more either */
    MPID_COMM_INFO_COMM_NULL = 0x80,
    MPID_COMM_INFO_HANDLE_C = 0x100,
    MPID_COMM_INFO_HANDLE_FINT = 0x400,
    MPID_COMM_INFO_DIST_GRAPH = 0x800
};

int mpid_comm_query(mpid_process_handle_t *process, langHandle comm, int language, mpid_comm_handle_t **handle);
int mpid_comm_query_by_name(mpid_process_handle_t *process, const char *name, mpid_comm_handle_t **handle);
int mpid_comm_handle_free(mpid_comm_handle_t *handle);

/* comm_cxx_handle is always 0. comm_extra_info ends with a key_name of NULL; each text and the array are freed by the
 * caller: "unique_id", "parent", and what mpid_handle_query_origin says. comm_fortran_handle means something where
 * MPID_COMM_INFO_HANDLE_FINT is set. */
int mpid_comm_query_basic(mpid_comm_handle_t *handle, char **comm_name, enum mpid_comm_info_bitmap_t *comm_bitflags,
                          int *comm_rank, int *comm_size, int *comm_fortran_handle, mpid_address_t *comm_cxx_handle,
                          mpid_keyvalue_pair_t **comm_extra_info);

/* In the order of their ranks. remote: 0 and NULL unless it is an intercommunicator. */
int mpid_comm_query_procs(mpid_comm_handle_t *handle, int *comm_num_local_procs, mpid_process_t **comm_local_procs,
                          int *comm_num_remote_procs, mpid_process_t **comm_remote_procs);

/* No topology: all three 0 and NULL. Of 2009 with a length for each array (it had one for both, which cannot be right):
 *   cartesian          dims, periods, coordinates of this process
 *   graph              index, edges, none
 *   distributed graph  sources, destinations, weights of the sources and then of the destinations (none: unweighted) */
int mpid_comm_query_topo(mpid_comm_handle_t *handle, int *first_length, int **cart_dims_or_graph_indexes,
                         int *second_length, int **cart_periods_or_graph_edges, int *third_length,
                         int **cart_coordinates_or_graph_weights);

typedef struct mpid_attribute_pair_t {
    char *keyval_name; /* of predefined ones, else NULL; freed by the caller */
    mpid_address_t value;
    mpid_address_t keyval; /* its handle, 0: freed */
} mpid_attribute_pair_t;
int mpid_comm_query_attrs(mpid_comm_handle_t *handle, int *comm_num_attrs, mpid_attribute_pair_t **comm_attrs);

/* C handles. Of blocking calls, which have none, 0. */
int mpid_comm_query_requests(mpid_comm_handle_t *handle, int *comm_num_requests, mpid_address_t **comm_requests);
int mpid_comm_query_derived(mpid_comm_handle_t *handle, int *comm_num_derived_files,
                            mpid_address_t **comm_derived_files, int *comm_num_derived_windows,
                            mpid_address_t **comm_derived_windows);

/* New handles, to be freed. remote_group: NULL on an intracommunicator. */
int mpid_comm_query_groups(mpid_comm_handle_t *handle, mpid_group_handle_t **comm_group,
                           mpid_group_handle_t **comm_remote_group);
int mpid_comm_query_errhandler(mpid_comm_handle_t *handle, mpid_errhandler_handle_t **comm_errhandler);
/* mpid_rc_unavailable: it is of no session. */
int mpid_comm_query_session(mpid_comm_handle_t *handle, mpid_session_handle_t **comm_session);

/* --- groups: no page is public --- */
int mpid_group_query(mpid_process_handle_t *process, langHandle group, int language, mpid_group_handle_t **handle);
int mpid_group_query_by_name(mpid_process_handle_t *process, const char *name, mpid_group_handle_t **handle);
int mpid_group_handle_free(mpid_group_handle_t *handle);
/* group_bitflags: enum mpid_info_bitmap_t (mpid_objects.h). group_rank: of this process, -1: not a member. */
int mpid_group_query_basic(mpid_group_handle_t *handle, char **group_name, int *group_bitflags, int *group_rank,
                           int *group_size, int *group_fortran_handle);
int mpid_group_query_procs(mpid_group_handle_t *handle, int *group_num_procs, mpid_process_t **group_procs);

/* --- sessions: "Session queries" (revision 9) --- */
int mpid_session_query(mpid_process_handle_t *process, mpid_address_t session, mpid_session_handle_t **handle);
/* Not on the page: for the integers of Fortran. */
int mpid_session_query_language(mpid_process_handle_t *process, langHandle session, int language,
                                mpid_session_handle_t **handle);
int mpid_get_num_sessions(mpid_process_handle_t *process, int *num_sessions);
/* Those that live, in the order in which they were made, from 0. */
int mpid_get_nth_session(mpid_process_handle_t *process, int nth_session, mpid_session_handle_t **handle);
/* As MPI had them when the session was made. */
int mpid_session_query_num_psets(mpid_session_handle_t *handle, int *num_psets);
/* From 0. The caller frees the text, as "mpi://WORLD". */
int mpid_session_query_nth_pset(mpid_session_handle_t *handle, int nth_pset, const char **pset);
/* The page has a single pointer, which cannot give a handle back. MPI does not tell a tool who is in a process set. The
 * answer is a group of the session that the application has made: "mpi://WORLD", "mpi://SELF"   one whose members are
 * all processes, or this one another                       if the session offered no third set: the group that
 * MPI_Group_from_session_pset has made and that has other members than those two mpid_rc_unavailable: there is no such
 * group, or it could be of several sets. */
int mpid_session_query_group_for_pset(mpid_session_handle_t *handle, const char *pset,
                                      mpid_group_handle_t **group_handle);
int mpid_session_handle_free(mpid_session_handle_t *handle);

#ifdef __cplusplus
}
#endif

#endif
