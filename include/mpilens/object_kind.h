/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of what an opaque handle can name.
 */
#ifndef MPILENS_OBJECT_KIND_H
#define MPILENS_OBJECT_KIND_H

#include "mpilens/words.def"

enum mpilens_object_kind {
    MPILENS_OBJECT_NONE,
    MPILENS_OBJECT_COMMUNICATOR,
    MPILENS_OBJECT_GROUP,
    MPILENS_OBJECT_DATATYPE,
    MPILENS_OBJECT_OP,
    MPILENS_OBJECT_ERRHANDLER,
    MPILENS_OBJECT_INFO,
    MPILENS_OBJECT_KEYVAL,
    MPILENS_OBJECT_SESSION,
    MPILENS_OBJECT_WINDOW,
    MPILENS_OBJECT_FILE,
    MPILENS_OBJECT_MESSAGE,   /* has no serial */
    MPILENS_OBJECT_ATTRIBUTE, /* has no serial and no handle */
    MPILENS_OBJECT_KIND_COUNT,
    /* Named by handles, but no objects with a record of their own. */
    MPILENS_OBJECT_REQUEST = MPILENS_OBJECT_KIND_COUNT,
    MPILENS_OBJECT_STATUS, /* named by its address */
};

/* Place of MPI_MESSAGE_NO_PROC among null handles: the second message handle that names no message. */
#define MPILENS_NO_PROC_PLACE 15

/* Name of a kind: "communicator"; "object" if there is no such kind. */
static inline const char *mpilens_object_kind_name(int kind)
{
#define MPILENS_KIND_CASE(constant, word, phrase)                                                                      \
    case constant:                                                                                                     \
        return word;
    switch (kind) {
        MPILENS_OBJECT_KIND_WORDS(MPILENS_KIND_CASE)
    default:
        return "object";
    }
}

/* The null handle of a kind: "MPI_COMM_NULL"; empty if it has none. */
static inline const char *mpilens_null_handle_name(int kind)
{
    switch (kind) {
        MPILENS_NULL_HANDLE_WORDS(MPILENS_KIND_CASE)
    default:
        return "";
    }
#undef MPILENS_KIND_CASE
}

#endif
