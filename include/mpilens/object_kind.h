/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The kinds of what an opaque handle can name.
 */
#ifndef MPILENS_OBJECT_KIND_H
#define MPILENS_OBJECT_KIND_H

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

#endif
