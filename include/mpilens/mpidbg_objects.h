/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpidbg.h that its documents left "to be filled in": queries in the same style for the other kinds of
 * handles, and what the documents list (Open MPI's "MPI handles interface", 2007: "information available" and "extra
 * information") and the structs of mpidbg.h do not hold, of all. This project's own; MPIDBG_OBJECTS_VERSION tells.
 *
 * Like the queries of mpidbg.h: by C handle, MPIDBG_SUCCESS or a code, and an answer from mqs_malloc. It belongs to the
 * caller with all that it refers to: give it back by mpidbg_X_handle_free and not piece by piece.
 *
 * Text is UTF-8 as the application gave it, ended by NUL, never NULL: "" where there is none. Numbers that are not
 * known are -1; handles, addresses and serials 0. Arrays of no elements are NULL. Sizes are bytes.
 */
#ifndef MPILENS_MPIDBG_OBJECTS_H
#define MPILENS_MPIDBG_OBJECTS_H

#include "mpilens/mpidbg.h"
#include "mpilens/object_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MPIDBG_OBJECTS_VERSION = 1 };

enum mpidbg_object_info_bitmap_t {
    MPIDBG_OBJECT_INFO_PREDEFINED = 0x01,   /* null handles too */
    MPIDBG_OBJECT_INFO_NULL = 0x02,         /* the null handle */
    MPIDBG_OBJECT_INFO_FREED_HANDLE = 0x04, /* the application has freed it */
    MPIDBG_OBJECT_INFO_FREED_OBJECT = 0x08, /* and nothing refers to it any more: MPI has let it go */
    MPIDBG_OBJECT_INFO_UNSEEN = 0x10,       /* made by a call that was not seen */
    MPIDBG_OBJECT_INFO_FORTRAN = 0x20,      /* made by a Fortran statement; so its callback functions are Fortran */
    MPIDBG_OBJECT_INFO_MAX
};

/* Something else that a handle names. */
struct mpidbg_reference_t {
    int ref_kind;             /* enum mpilens_object_kind (object_kind.h); MPILENS_OBJECT_NONE: not known */
    int ref_serial;           /* 0: requests and messages have none */
    mqs_taddr_t ref_c_handle; /* 0: a blocking call, or not known */
    char *ref_name;           /* of requests: the call */
};

struct mpidbg_key_value_t {
    char *key;
    char *value;
};

/* Members that all kinds have. */
struct mpidbg_object_info_t {
    int oi_kind;     /* enum mpilens_object_kind */
    int oi_bitflags; /* enum mpidbg_object_info_bitmap_t */
    mqs_taddr_t oi_c_handle;
    int oi_fortran_handle; /* only where oi_has_fortran_handle */
    int oi_has_fortran_handle;
    int oi_serial;       /* counts the objects of the kind in the process, from 1 */
    char *oi_name;       /* given by the application, or predefined; of a file its path */
    char *oi_function;   /* the call that made it */
    mqs_taddr_t oi_site; /* its return address */
    char *oi_freed_by;   /* the call that freed it */
    mqs_taddr_t oi_freed_site;
    int oi_num_users; /* objects that refer to it, see mpilens_setup_user_iterator (extension_handles.h) */
    struct mpidbg_reference_t *oi_users;
};

/* --- MPI_Comm, beyond struct mpidbg_comm_info_t --- */
struct mpidbg_comm_details_t {
    struct mpidbg_object_info_t comm_object; /* users: requests, windows, files, keys of attributes */
    uint64_t comm_unique_id;                 /* equal at all members */
    int comm_world_rank;                     /* of this process in MPI_COMM_WORLD */
    struct mpidbg_reference_t comm_group;
    struct mpidbg_reference_t comm_remote_group; /* kind none: intracommunicator */
    struct mpidbg_reference_t comm_errhandler;
    struct mpidbg_reference_t comm_parent;
    int comm_topology; /* enum mpilens_topology_kind (layout.h) */
    int comm_topology_reordered;
    int comm_num_cart_coordinates; /* of this process */
    int *comm_cart_coordinates;
    int comm_num_sources; /* of a distributed graph */
    int *comm_sources;
    int comm_num_destinations;
    int *comm_destinations;
    int *comm_source_weights; /* NULL: not weighted */
    int *comm_destination_weights;
    int comm_num_hints;
    struct mpidbg_key_value_t *comm_hints;
};

/* --- MPI_Errhandler, beyond struct mpidbg_errhandler_info_t --- */
struct mpidbg_errhandler_details_t {
    struct mpidbg_object_info_t eh_object; /* users: communicators, windows, files, sessions */
    int eh_attachable;                     /* enum mpilens_attachable (layout.h) */
    mqs_taddr_t eh_function;
};

/* --- MPI_Request, beyond struct mpidbg_request_info_t --- */
struct mpidbg_request_details_t {
    struct mpidbg_object_info_t req_object; /* function: the call that made it */
    int req_class;                          /* MPILENS_OPERATION_* (layout.h): send, receive, file, generalized, ... */
    int req_persistent;
    int req_active;
    int req_complete;
    int req_matched; /* its message is known, so the transfer may have begun; -1: not known of sends */
    int req_peer;    /* rank in the communicator, -1: any, none or not known */
    int req_peer_world;
    int req_tag; /* -1: any or none */
    struct mpidbg_reference_t req_comm;
    struct mpidbg_reference_t req_target; /* the file or window that it works on */
    int64_t req_count;
    int64_t req_bytes;
    char *req_datatype;
    mqs_taddr_t req_datatype_handle;
    mqs_taddr_t req_buffer;
};

/* --- MPI_Status; the "handle" is its address --- */
struct mpidbg_status_details_t {
    int status_ignored; /* it is MPI_STATUS_IGNORE or MPI_STATUSES_IGNORE: nothing else counts */
    int status_source;
    int status_tag;
    int status_error;
    int status_cancelled; /* -1: not known */
    int64_t status_bytes;
};
/* Elements of a basic datatype are status_bytes / its size. */

/* --- MPI_Datatype --- */

/* A run of one basic type; mpilens_type_map_entry (extension_handles.h) explains the repetition. */
struct mpidbg_type_map_entry_t {
    char *basic;
    int64_t basic_size;
    int64_t displacement;
    int64_t count;
    int64_t stride;
    int64_t repeat;
    int64_t repeat_stride;
};
enum { MPIDBG_TYPE_MAP_LIMIT = 1024 }; /* entries in one answer */

struct mpidbg_datatype_info_t {
    struct mpidbg_object_info_t dt_object; /* users: datatypes, requests, files */
    int dt_committed;
    int64_t dt_size;
    int64_t dt_lower_bound;
    int64_t dt_extent;
    int64_t dt_true_lower_bound;
    int64_t dt_true_extent;
    int dt_combiner; /* enum mpilens_combiner (layout.h) */
    char *dt_combiner_name;
    int dt_num_integers; /* arguments of the constructor, as MPI_Type_get_contents gives them */
    int64_t *dt_integers;
    int dt_num_addresses;
    int64_t *dt_addresses;
    int dt_num_datatypes;
    struct mpidbg_reference_t *dt_datatypes;
    int dt_arguments_cut; /* there are more arguments than are given */
    int dt_map_length;    /* -1: a part of the map is not known */
    struct mpidbg_type_map_entry_t *dt_map;
    int dt_map_cut; /* it goes on */
};

/* --- MPI_File --- */
struct mpidbg_file_info_t {
    struct mpidbg_object_info_t file_object; /* users: requests */
    struct mpidbg_reference_t file_comm;
    int file_mode; /* MPILENS_FILE_* (layout.h) */
    int file_atomicity;
    int64_t file_view_displacement;
    char *file_view_etype;
    char *file_view_filetype;
    char *file_view_representation;
    struct mpidbg_reference_t file_errhandler;
    char *file_split_collective; /* the call that has begun one */
    mqs_taddr_t file_split_collective_site;
    uint64_t file_operations; /* reads and writes begun on it */
    int file_num_hints;       /* that it was opened with */
    struct mpidbg_key_value_t *file_hints;
};

/* --- MPI_Group --- */
struct mpidbg_group_info_t {
    struct mpidbg_object_info_t group_object; /* users: communicators, windows */
    int group_rank;                           /* of this process, -1: not a member */
    int group_size;
    int group_num_procs; /* 0: not known */
    struct mpidbg_process_t *group_procs;
};

/* --- MPI_Info --- */
struct mpidbg_info_info_t {
    struct mpidbg_object_info_t info_object; /* users: objects made with it */
    int info_num_pairs;                      /* -1: not known */
    struct mpidbg_key_value_t *info_pairs;
};

/* --- MPI_Op --- */
struct mpidbg_op_info_t {
    struct mpidbg_object_info_t op_object; /* users: requests, communicators with a collective call under way */
    int op_commutative;
    mqs_taddr_t op_function; /* 0: predefined */
};

/* --- MPI_Win --- */
struct mpidbg_window_lock_t {
    int lock_target; /* rank in the communicator */
    int lock_target_world;
    int lock_type; /* enum mpilens_lock_type (layout.h) */
    mqs_taddr_t lock_site;
};
struct mpidbg_window_info_t {
    struct mpidbg_object_info_t win_object; /* users: requests */
    struct mpidbg_reference_t win_comm;
    struct mpidbg_reference_t win_errhandler;
    mqs_taddr_t win_base;
    uint64_t win_size;
    int win_displacement_unit;
    int win_flavor;         /* enum mpilens_window_flavor (layout.h) */
    int win_access_epoch;   /* enum mpilens_epoch (layout.h): fence; group: START without COMPLETE; lock: LOCK without
                               UNLOCK */
    int win_exposure_epoch; /* enum mpilens_epoch: fence; group: POST without TEST or WAIT */
    int win_num_locks;
    struct mpidbg_window_lock_t *win_locks;
    int win_num_access_procs; /* of MPI_Win_start */
    struct mpidbg_process_t *win_access_procs;
    int win_num_exposure_procs; /* of MPI_Win_post */
    struct mpidbg_process_t *win_exposure_procs;
    char *win_synchronization; /* the last such call */
    mqs_taddr_t win_synchronization_site;
    uint64_t win_operations;
    uint64_t win_operations_since; /* the last call that completed all */
    int win_num_hints;
    struct mpidbg_key_value_t *win_hints;
};

/* --- MPI_Session --- */
struct mpidbg_session_info_t {
    struct mpidbg_object_info_t session_object; /* users: groups, communicators */
    int session_thread_level;                   /* 0 single ... 3 multiple */
    mqs_taddr_t session_buffer;
    uint64_t session_buffer_size;
    struct mpidbg_reference_t session_errhandler;
    int session_num_process_sets;
    char **session_process_sets;
};

/* --- MPI_Message --- */
struct mpidbg_message_info_t {
    struct mpidbg_object_info_t message_object; /* function: the probe */
    struct mpidbg_reference_t message_comm;
    int message_source; /* rank in the communicator */
    int message_source_world;
    int message_tag;
    int64_t message_bytes;
};

/* --- keys of attributes; the "handle" is the int --- */
struct mpidbg_keyval_info_t {
    struct mpidbg_object_info_t keyval_object; /* users: objects with such an attribute */
    int keyval_attachable;                     /* enum mpilens_attachable (layout.h) */
    mqs_taddr_t keyval_copy_function;
    mqs_taddr_t keyval_delete_function;
    mqs_taddr_t keyval_extra_state;
};

/* For every kind: by C handle, by handle of Fortran (sign- or zero-extended), freeing (NULL is fine). */
int mpidbg_comm_query_details(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_comm_details_t **ret_info);
int mpidbg_errhandler_query_details(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_errhandler_details_t **ret_info);
int mpidbg_request_query_details(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_request_details_t **ret_info);
int mpidbg_status_query_details(MPIDBG_CONTEXT, mqs_taddr_t address, struct mpidbg_status_details_t **ret_info);
int mpidbg_comm_details_free(struct mpidbg_comm_details_t *answer);
int mpidbg_errhandler_details_free(struct mpidbg_errhandler_details_t *answer);
int mpidbg_request_details_free(struct mpidbg_request_details_t *answer);
int mpidbg_status_details_free(struct mpidbg_status_details_t *answer);

int mpidbg_datatype_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_datatype_info_t **ret_info);
int mpidbg_file_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_file_info_t **ret_info);
int mpidbg_group_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_group_info_t **ret_info);
int mpidbg_info_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_info_info_t **ret_info);
int mpidbg_op_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_op_info_t **ret_info);
int mpidbg_window_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_window_info_t **ret_info);
int mpidbg_session_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_session_info_t **ret_info);
int mpidbg_message_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_message_info_t **ret_info);
int mpidbg_keyval_query(MPIDBG_CONTEXT, mqs_taddr_t handle, struct mpidbg_keyval_info_t **ret_info);

int mpidbg_datatype_handle_free(struct mpidbg_datatype_info_t *answer);
int mpidbg_file_handle_free(struct mpidbg_file_info_t *answer);
int mpidbg_group_handle_free(struct mpidbg_group_info_t *answer);
int mpidbg_info_handle_free(struct mpidbg_info_info_t *answer);
int mpidbg_op_handle_free(struct mpidbg_op_info_t *answer);
int mpidbg_window_handle_free(struct mpidbg_window_info_t *answer);
int mpidbg_session_handle_free(struct mpidbg_session_info_t *answer);
int mpidbg_message_handle_free(struct mpidbg_message_info_t *answer);
int mpidbg_keyval_handle_free(struct mpidbg_keyval_info_t *answer);

int mpidbg_datatype_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_file_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_group_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_info_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_op_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_window_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_session_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);
int mpidbg_message_f2c(MPIDBG_CONTEXT, mqs_taddr_t fortran_handle, mqs_taddr_t *ret_handle);

/* Converts the address of an object of the C++ bindings, as in mpidbg.h. */
int mpidbg_datatype_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_file_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_group_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_info_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_op_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);
int mpidbg_window_cxx2c(MPIDBG_CONTEXT, mqs_taddr_t object, mqs_taddr_t *ret_handle);

#ifdef __cplusplus
}
#endif

#endif
