/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The part of mpid.h about datatypes and reduction operations.
 */
#ifndef MPILENS_MPID_DATATYPES_H
#define MPILENS_MPID_DATATYPES_H

#include "mpilens/mpid_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- datatypes: "Type queries" (revision 10) --- */
enum mpid_type_info_bitmap_t {
    MPID_TYPE_INFO_PREDEFINED = 0x01,
    MPID_TYPE_INFO_COMMITTED = 0x02,
    MPID_TYPE_INFO_FREED_HANDLE = 0x20, /* these as of communicators */
    MPID_TYPE_INFO_FREED_OBJECT = 0x40,
    MPID_TYPE_INFO_NULL = 0x80,
    MPID_TYPE_INFO_HANDLE_C = 0x100,
    MPID_TYPE_INFO_HANDLE_FINT = 0x400
};

int mpid_type_query(mpid_process_handle_t *process, langHandle type, int language, mpid_type_handle_t **handle);
int mpid_type_query_by_name(mpid_process_handle_t *process, const char *name, mpid_type_handle_t **handle);
int mpid_type_handle_free(mpid_type_handle_t *handle);

typedef struct mpid_name_map_t {
    char *map_name;
    int size;                     /* bytes */
    mpid_address_t type_c_handle; /* always of C */
    int64_t type_fortran_handle;  /* -1: none */
    enum mpid_type_bitmap_t kind;
} mpid_name_map_t;
/* The predefined ones. The caller frees each name and the array. */
int mpid_type_query_predefined_map(mpid_process_handle_t *process, mpid_name_map_t **mpid_type_name_map,
                                   int64_t *num_elements);

/* Bytes; -1: not known. type_fortran_handle: -1: none. */
int mpid_type_query_basic(mpid_type_handle_t *handle, char **type_name, enum mpid_type_info_bitmap_t *type_bitflags,
                          int64_t *type_size, int64_t *type_extent, int64_t *type_real_extent,
                          int64_t *type_fortran_handle);

/* The page is cut off here. The following are as MPI_Type_get_envelope and MPI_Type_get_contents (MPI 4.1, section
 * 5.1.13). The combiner in words, as "vector"; "named": predefined. */
int mpid_type_query_envelope(mpid_type_handle_t *handle, char **combiner, int64_t *num_integers, int64_t *num_addresses,
                             int64_t *num_datatypes);
/* As many as the envelope says. mpid_rc_incomplete: there are so many that they are not kept. types: new handles, each
 * to be freed; NULL: not known. */
int mpid_type_query_contents(mpid_type_handle_t *handle, int64_t **integers, int64_t **addresses,
                             mpid_type_handle_t ***types);

/* A run of one basic type: count elements, stride bytes apart, and all that repeat times, repeat_stride bytes apart. */
typedef struct mpid_type_map_entry_t {
    char *basic; /* name of a predefined datatype */
    int64_t displacement;
    int64_t count;
    int64_t stride;
    int64_t repeat;
    int64_t repeat_stride;
} mpid_type_map_entry_t;
/* The first `limit` runs of the type map. *complete 0: there are more. The caller frees each name and the array. */
int mpid_type_query_map(mpid_type_handle_t *handle, int64_t limit, int64_t *num_entries,
                        mpid_type_map_entry_t **entries, int *complete);

/* --- ops: no page is public --- */
int mpid_op_query(mpid_process_handle_t *process, langHandle op, int language, mpid_op_handle_t **handle);
int mpid_op_query_by_name(mpid_process_handle_t *process, const char *name, mpid_op_handle_t **handle);
int mpid_op_handle_free(mpid_op_handle_t *handle);
/* op_bitflags: enum mpid_info_bitmap_t. op_function: 0: predefined. */
int mpid_op_query_basic(mpid_op_handle_t *handle, char **op_name, int *op_bitflags, mpid_address_t *op_function,
                        int *op_commutative, int *op_fortran_handle);

#ifdef __cplusplus
}
#endif

#endif
