/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpid.h about what both sides exchange: codes, types, callbacks of the debugger, bootstrap.
 */
#ifndef MPILENS_MPID_TYPES_H
#define MPILENS_MPID_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The draft has no list of values; these come from ompd_rc_t (OpenMP 5.2, section 20.3.12), as do its callbacks.
 * Functions that the draft declares with int also give these values. */
typedef enum mpid_rc_t {
    mpid_rc_ok = 0,
    mpid_rc_unavailable = 1,    /* the handle names nothing that is known; or this is not known of it */
    mpid_rc_stale_handle = 2,   /* the object of the debugging handle is gone: free the handle and query again */
    mpid_rc_bad_input = 3,      /* an argument that is not allowed, or an index past the end */
    mpid_rc_error = 4,          /* memory of the target makes no sense */
    mpid_rc_unsupported = 5,    /* no mpilens runtime in this process */
    mpid_rc_incompatible = 7,   /* another version of this interface, or of the runtime */
    mpid_rc_read_error = 8,     /* memory of the target could not be read */
    mpid_rc_nomem = 10,         /* the callback gave no memory */
    mpid_rc_incomplete = 11,    /* the process kept running and changing while it was read */
    mpid_rc_callback_error = 12 /* a callback is missing */
} mpid_rc_t;

typedef uint64_t mpid_size_t;

/* An address of the target, or the value of a handle of C (sign bit as any other). The pages use one name for both: as
 * mqs_taddr_t in the queries, as ompd_address_t in the callbacks. */
typedef uint64_t mpid_address_t;

/* A handle as one of the languages has it ("Type queries" of 2021 and 2022; commented out since, but still used). */
typedef union langHandle {
    mpid_address_t cType;
    int64_t fortranType; /* the integer of Fortran; of mpi_f08 the component MPI_VAL */
} langHandle;

/* "Type queries"; the two languages are the `language` of every query. */
enum mpid_type_bitmap_t {
    MPID_TYPE_KIND_INT = 0x1,
    MPID_TYPE_KIND_UINT = 0x2,
    MPID_TYPE_KIND_FLOAT = 0x4,
    MPID_TYPE_KIND_COMPLEX = 0x8,
    MPID_TYPE_KIND_NONTRIVIAL = 0x10, /* neither: MPI_BYTE, MPI_DOUBLE_INT */
    MPID_TYPE_LANG_C = 0x100,
    MPID_TYPE_LANG_FORTRAN = 0x200
};

typedef struct mpid_keyvalue_pair_t {
    char *key_name;
    char *value;
} mpid_keyvalue_pair_t;

/* A process, as rank in MPI_COMM_WORLD; -1: of another world, not known. The pages leave it open. */
typedef struct mpid_process_t {
    int mpi_comm_world_rank;
} mpid_process_t;

/* The debugger's own, opaque to the library. */
typedef struct _mpid_address_space_context_t mpid_address_space_context_t;
typedef struct _mpid_thread_context_t mpid_thread_context_t;
typedef uint64_t mpid_thread_id_t;

/* The library's own, opaque to the debugger. */
typedef struct _mpid_process_handle_t mpid_process_handle_t;
typedef struct _mpid_comm_handle_t mpid_comm_handle_t;
typedef struct _mpid_type_handle_t mpid_type_handle_t;
typedef struct _mpid_session_handle_t mpid_session_handle_t;
typedef struct _mpid_win_handle_t mpid_win_handle_t;
typedef struct _mpid_group_handle_t mpid_group_handle_t;
typedef struct _mpid_request_handle_t mpid_request_handle_t;
typedef struct _mpid_file_handle_t mpid_file_handle_t;
typedef struct _mpid_op_handle_t mpid_op_handle_t;
typedef struct _mpid_info_handle_t mpid_info_handle_t;
typedef struct _mpid_errhandler_handle_t mpid_errhandler_handle_t;
typedef struct _mpid_status_handle_t mpid_status_handle_t;
typedef struct _mpid_message_handle_t mpid_message_handle_t;
typedef struct _mpid_keyval_handle_t mpid_keyval_handle_t;

/* --- "Debugger provided Callbacks". There is none for types: the runtime describes its own. ---
 * thread_context and file_name are NULL. */
typedef struct mpid_device_type_sizes_t {
    uint8_t sizeof_char;
    uint8_t sizeof_short;
    uint8_t sizeof_int;
    uint8_t sizeof_long;
    uint8_t sizeof_long_long;
    uint8_t sizeof_pointer;
} mpid_device_type_sizes_t;

typedef mpid_rc_t (*mpid_callback_memory_alloc_fn_t)(mpid_size_t nbytes, void **ptr);
typedef mpid_rc_t (*mpid_callback_memory_free_fn_t)(void *ptr);
typedef mpid_rc_t (*mpid_callback_print_string_fn_t)(const char *string, int category);
typedef mpid_rc_t (*mpid_callback_sizeof_fn_t)(mpid_address_space_context_t *, mpid_device_type_sizes_t *sizes);
typedef mpid_rc_t (*mpid_callback_get_thread_context_for_thread_id_fn_t)(mpid_address_space_context_t *,
                                                                         mpid_thread_id_t kind,
                                                                         mpid_size_t sizeof_thread_id,
                                                                         const void *thread_id,
                                                                         mpid_thread_context_t **thread_context);
typedef mpid_rc_t (*mpid_callback_symbol_addr_fn_t)(mpid_address_space_context_t *, mpid_thread_context_t *,
                                                    const char *symbol_name, mpid_address_t *symbol_addr,
                                                    const char *file_name);
typedef mpid_rc_t (*mpid_callback_memory_read_fn_t)(mpid_address_space_context_t *, mpid_thread_context_t *,
                                                    const mpid_address_t *addr, mpid_size_t nbytes, void *buffer);
typedef mpid_rc_t (*mpid_callback_memory_write_fn_t)(mpid_address_space_context_t *, mpid_thread_context_t *,
                                                     const mpid_address_t *addr, mpid_size_t nbytes,
                                                     const void *buffer);
typedef mpid_rc_t (*mpid_callback_target_host_fn_t)(mpid_address_space_context_t *, const void *input,
                                                    mpid_size_t unit_size, mpid_size_t count, void *output);

/* The table stays the debugger's and valid until mpid_finalize. The members are those that the page lists, in its
 * order; there is no public declaration of the table. This library calls the four that are marked and takes NULL for
 * the others; the state of a target says its own byte order and sizes. */
typedef struct mpid_callbacks_t {
    mpid_callback_memory_alloc_fn_t memory_alloc; /* called */
    mpid_callback_memory_free_fn_t memory_free;   /* called */
    mpid_callback_print_string_fn_t print_string;
    mpid_callback_sizeof_fn_t sizeof_type;
    mpid_callback_get_thread_context_for_thread_id_fn_t get_thread_context_for_thread_id;
    mpid_callback_symbol_addr_fn_t symbol_addr; /* called */
    mpid_callback_memory_read_fn_t memory_read; /* called */
    mpid_callback_memory_write_fn_t memory_write;
    mpid_callback_target_host_fn_t target_to_host;
    mpid_callback_target_host_fn_t host_to_target;
} mpid_callbacks_t;

/* --- "Bootstrapping", which refers to OpenMP 5.2, sections 20.5.1 and 20.5.2 --- */
#define MPID_API_VERSION 1

/* Both may be called first of all. The string is the library's and never NULL. */
mpid_rc_t mpid_get_api_version(uint64_t *version);
mpid_rc_t mpid_get_version_string(const char **string);

/* mpid_rc_incompatible: not MPID_API_VERSION. mpid_rc_callback_error: no table, or one without what is called.
 * Functions below called before give mpid_rc_callback_error. One debugger thread at a time. */
mpid_rc_t mpid_initialize(uint64_t api_version, const mpid_callbacks_t *callbacks);
/* All handles must have been freed. */
mpid_rc_t mpid_finalize(void);

/* The MPI processes in one address space: for this library exactly one. The array is from the callback; the caller
 * frees it, and each handle with mpid_process_handle_free. The page has one pointer less, with which an opaque type
 * cannot be in an array. MPI need not have been called yet. mpid_rc_unsupported: no runtime. */
mpid_rc_t mpid_process_initialize(mpid_address_space_context_t *context,
                                  mpid_process_handle_t ***array_of_mpi_process_handles, int *num_mpi_processes);
/* After all that was queried with it. Takes NULL, as every *_handle_free does. */
mpid_rc_t mpid_process_handle_free(mpid_process_handle_t *handle);

#ifdef __cplusplus
}
#endif

#endif
