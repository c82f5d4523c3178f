/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What objects are, by their kind.
 */
#ifndef MPILENS_DLL_OBJECT_KINDS_H
#define MPILENS_DLL_OBJECT_KINDS_H

#include "mpilens/layout.h"

/* What the records of all objects that a handle names begin with (MPILENS_OBJECT_FIELDS of layout.def). */
struct object_fields {
    uint32_t state;
    uint32_t flags;
    uint64_t handle;
    uint64_t site;
    uint64_t created;
    uint32_t function;
    uint32_t serial;
    uint32_t references;
    uint32_t users;
    int32_t fortran_handle;
    uint32_t freed_function;
    uint64_t freed_site;
};

#define BEGINS_WITH_OBJECT_FIELDS(name)                                                                                \
    static_assert(offsetof(struct mpilens_##name, freed_site) == offsetof(struct object_fields, freed_site) &&         \
                      offsetof(struct mpilens_##name, serial) == offsetof(struct object_fields, serial) &&             \
                      offsetof(struct mpilens_##name, created) == offsetof(struct object_fields, created),             \
                  "struct mpilens_" #name " begins otherwise")
BEGINS_WITH_OBJECT_FIELDS(communicator);
BEGINS_WITH_OBJECT_FIELDS(group);
BEGINS_WITH_OBJECT_FIELDS(datatype);
BEGINS_WITH_OBJECT_FIELDS(op);
BEGINS_WITH_OBJECT_FIELDS(errhandler);
BEGINS_WITH_OBJECT_FIELDS(info);
BEGINS_WITH_OBJECT_FIELDS(keyval);
BEGINS_WITH_OBJECT_FIELDS(session);
BEGINS_WITH_OBJECT_FIELDS(window);
BEGINS_WITH_OBJECT_FIELDS(file);
#undef BEGINS_WITH_OBJECT_FIELDS

/* The table of objects of a kind (enum mpilens_object_kind); MPILENS_TABLE_COUNT: there is no such kind. */
enum mpilens_table_kind object_table(int kind);

#endif
