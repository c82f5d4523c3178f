/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpid.h about windows, files, infos, error handlers, requests, messages, keys of attributes and statuses,
 * and about what is the same of every kind.
 */
#ifndef MPILENS_MPID_OBJECTS_H
#define MPILENS_MPID_OBJECTS_H

#include "mpilens/mpid_types.h"
#include "mpilens/object_kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of every kind that has none of its own; values as of mpid_comm_info_bitmap_t. */
enum mpid_info_bitmap_t {
    MPID_INFO_PREDEFINED = 0x01,
    MPID_INFO_FREED_HANDLE = 0x20,
    MPID_INFO_FREED_OBJECT = 0x40,
    MPID_INFO_NULL = 0x80,
    MPID_INFO_HANDLE_C = 0x100,
    MPID_INFO_HANDLE_FINT = 0x400,
    /* of error handlers and keys of attributes: kinds of objects that they can be attached to */
    MPID_INFO_COMMUNICATOR = 0x1000,
    MPID_INFO_FILE = 0x2000,
    MPID_INFO_WINDOW = 0x4000,
    MPID_INFO_SESSION = 0x8000,
    /* of what has a callback function of the application: it is one of Fortran */
    MPID_INFO_FORTRAN_CALLBACK = 0x10000,
    /* of requests */
    MPID_INFO_PERSISTENT = 0x20000,
    MPID_INFO_ACTIVE = 0x40000,
    MPID_INFO_COMPLETE = 0x80000,
    /* of keys */
    MPID_INFO_TYPE = 0x100000
};

/* --- for every handle but a status, cast --- */
typedef struct _mpid_any_handle_t mpid_any_handle_t;

/* kind: enum mpilens_object_kind. *fortran_handle means something where *has_fortran_handle is 1. */
int mpid_handle_query_value(mpid_any_handle_t *handle, int *kind, mpid_address_t *c_handle, int *has_fortran_handle,
                            int *fortran_handle);
/* The calls that made and freed it: names, NULL where there was none or it was not seen (freed by the caller), and
 * return addresses, then 0. */
int mpid_handle_query_origin(mpid_any_handle_t *handle, char **function, mpid_address_t *site, char **freed_function,
                             mpid_address_t *freed_site);

/* A user of the object: requests, windows, files, communicators, ... by kind, then in the order in which they were
 * made. */
typedef struct mpid_reference_t {
    int kind;                /* enum mpilens_object_kind */
    mpid_address_t c_handle; /* 0: not known, or a blocking call */
    char *name;              /* NULL: none; freed by the caller, as the array */
} mpid_reference_t;
int mpid_handle_query_users(mpid_any_handle_t *handle, int *num_users, mpid_reference_t **users);

/* --- windows: "Window queries" (revision 2), with the substitutions and the language of the later pages --- */
int mpid_win_query(mpid_process_handle_t *process, langHandle win, int language, mpid_win_handle_t **handle);
int mpid_win_query_by_name(mpid_process_handle_t *process, const char *name, mpid_win_handle_t **handle);
int mpid_win_handle_free(mpid_win_handle_t *handle);
/* mpid_rc_unavailable: it is of no session. */
int mpid_win_query_session(mpid_win_handle_t *handle, mpid_session_handle_t **win_session);
/* win_base and win_size: of the local memory. */
int mpid_win_query_basic(mpid_win_handle_t *handle, char **win_name, int *win_bitflags, mpid_address_t *win_base,
                         mpid_size_t *win_size, int *win_displacement_unit, int *win_fortran_handle);
int mpid_win_query_comm(mpid_win_handle_t *handle, mpid_comm_handle_t **win_comm);
/* The infos given at its creation, as mpid_info_query_entries. */
int mpid_win_query_info(mpid_win_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries);
/* Epochs in words: "none", "fence", "group", "lock", "lock_all"; the last call of synchronization (NULL: none); ranks
 * that this process has locked. */
int mpid_win_query_epochs(mpid_win_handle_t *handle, char **access_epoch, char **exposure_epoch,
                          char **last_synchronization, int *num_locked, int **locked_ranks);

/* --- files: no page is public --- */
int mpid_file_query(mpid_process_handle_t *process, langHandle file, int language, mpid_file_handle_t **handle);
int mpid_file_query_by_name(mpid_process_handle_t *process, const char *name, mpid_file_handle_t **handle);
int mpid_file_handle_free(mpid_file_handle_t *handle);
/* file_amode: MPILENS_FILE_* (layout.h), whose values are the same for every MPI. */
int mpid_file_query_basic(mpid_file_handle_t *handle, char **file_name, int *file_bitflags, int *file_amode,
                          int *file_fortran_handle);
int mpid_file_query_comm(mpid_file_handle_t *handle, mpid_comm_handle_t **file_comm);
int mpid_file_query_info(mpid_file_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries);
/* C handles of its requests. */
int mpid_file_query_requests(mpid_file_handle_t *handle, int *num_requests, mpid_address_t **requests);

/* --- infos: no page is public --- */
int mpid_info_query(mpid_process_handle_t *process, langHandle info, int language, mpid_info_handle_t **handle);
int mpid_info_query_by_name(mpid_process_handle_t *process, const char *name, mpid_info_handle_t **handle);
int mpid_info_handle_free(mpid_info_handle_t *handle);
int mpid_info_query_basic(mpid_info_handle_t *handle, char **info_name, int *info_bitflags, int *info_fortran_handle);
/* The caller frees each text and the array. */
int mpid_info_query_entries(mpid_info_handle_t *handle, int *num_entries, mpid_keyvalue_pair_t **entries);

/* --- error handlers: no page is public --- */
int mpid_errhandler_query(mpid_process_handle_t *process, langHandle errhandler, int language,
                          mpid_errhandler_handle_t **handle);
int mpid_errhandler_query_by_name(mpid_process_handle_t *process, const char *name, mpid_errhandler_handle_t **handle);
int mpid_errhandler_handle_free(mpid_errhandler_handle_t *handle);
/* eh_function: 0: predefined. mpid_handle_query_users lists its objects. */
int mpid_errhandler_query_basic(mpid_errhandler_handle_t *handle, char **eh_name, int *eh_bitflags,
                                mpid_address_t *eh_function, int *eh_fortran_handle);

/* --- requests: no page is public. They have no names --- */
int mpid_request_query(mpid_process_handle_t *process, langHandle request, int language,
                       mpid_request_handle_t **handle);
int mpid_request_handle_free(mpid_request_handle_t *handle);
/* req_class: the flag of MPILENS_OPERATION_* (layout.h) that tells what it is: send, receive, collective, one-sided,
 * file, communicator, generalized, buffer; 0: MPI_REQUEST_NULL. req_function: of the call that made it. */
int mpid_request_query_basic(mpid_request_handle_t *handle, char **req_function, int *req_bitflags, int *req_class);
/* req_peer: rank in the communicator, req_world_peer in MPI_COMM_WORLD; -1: any, none or not known. req_tag: -1: any or
 * none. req_bytes: -1: not known. */
int mpid_request_query_message(mpid_request_handle_t *handle, int *req_peer, int *req_world_peer, int *req_tag,
                               int64_t *req_bytes, mpid_address_t *req_buffer, mpid_address_t *req_datatype);
/* mpid_rc_unavailable: it is on none. */
int mpid_request_query_comm(mpid_request_handle_t *handle, mpid_comm_handle_t **req_comm);
/* The window, file, or new communicator. */
int mpid_request_query_object(mpid_request_handle_t *handle, mpid_any_handle_t **req_object);
/* Frees what mpid_request_query_object gave. */
int mpid_handle_free(mpid_any_handle_t *handle);

/* --- messages, of MPI_Mprobe and MPI_Improbe: no page is public. They have no names --- */
int mpid_message_query(mpid_process_handle_t *process, langHandle message, int language,
                       mpid_message_handle_t **handle);
int mpid_message_handle_free(mpid_message_handle_t *handle);
/* message_function: of the probe; of a null handle "MPI_MESSAGE_NULL". */
int mpid_message_query_basic(mpid_message_handle_t *handle, char **message_function, int *message_bitflags,
                             int *message_fortran_handle);
/* message_source: rank in the communicator, message_world_source in MPI_COMM_WORLD, -1: not known. message_bytes: -1:
 * not known. */
int mpid_message_query_envelope(mpid_message_handle_t *handle, int *message_source, int *message_world_source,
                                int *message_tag, int64_t *message_bytes);
int mpid_message_query_comm(mpid_message_handle_t *handle, mpid_comm_handle_t **message_comm);

/* --- keys of attributes: no page is public. Their handles are ints, the same in C and Fortran --- */
int mpid_keyval_query(mpid_process_handle_t *process, langHandle keyval, int language, mpid_keyval_handle_t **handle);
/* Predefined ones, as "MPI_TAG_UB". */
int mpid_keyval_query_by_name(mpid_process_handle_t *process, const char *name, mpid_keyval_handle_t **handle);
int mpid_keyval_handle_free(mpid_keyval_handle_t *handle);
/* Functions: addresses. mpid_handle_query_users lists the objects with such an attribute. */
int mpid_keyval_query_basic(mpid_keyval_handle_t *handle, char **keyval_name, int *keyval_bitflags,
                            mpid_address_t *keyval_copy_function, mpid_address_t *keyval_delete_function,
                            mpid_address_t *keyval_extra_state, int *keyval_fortran_handle);

/* --- statuses, by their addresses: no page is public --- */
int mpid_status_query(mpid_process_handle_t *process, mpid_address_t status, mpid_status_handle_t **handle);
int mpid_status_handle_free(mpid_status_handle_t *handle);
/* status_bitflags: MPID_INFO_PREDEFINED: MPI_STATUS_IGNORE, the others are untouched then. bytes, cancelled: -1: not
 * known. */
int mpid_status_query_basic(mpid_status_handle_t *handle, int *status_bitflags, int *status_source, int *status_tag,
                            int *status_error, int64_t *status_bytes, int *status_cancelled);

#ifdef __cplusplus
}
#endif

#endif
