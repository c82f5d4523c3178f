/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The common fields of all objects that a handle names. Not a struct of the layout: the descriptors of each kind's
 * struct say where a target has these fields.
 */
#ifndef MPILENS_OBJECT_LAYOUT_H
#define MPILENS_OBJECT_LAYOUT_H

#include "mpilens/layout.h"

#define MPILENS_FIELD(name, type, field) type field;
struct mpilens_object {
    MPILENS_OBJECT_FIELDS(object)
};
#undef MPILENS_FIELD

/* So a record can be looked at as one. */
#define MPILENS_FIELD(name, type, field)                                                                               \
    &&offsetof(struct mpilens_##name, field) == offsetof(struct mpilens_object, field)
#define MPILENS_BEGINS_AS_OBJECT(name)                                                                                 \
    static_assert(1 MPILENS_OBJECT_FIELDS(name), "struct mpilens_" #name " begins otherwise")
MPILENS_BEGINS_AS_OBJECT(communicator);
MPILENS_BEGINS_AS_OBJECT(group);
MPILENS_BEGINS_AS_OBJECT(datatype);
MPILENS_BEGINS_AS_OBJECT(op);
MPILENS_BEGINS_AS_OBJECT(errhandler);
MPILENS_BEGINS_AS_OBJECT(info);
MPILENS_BEGINS_AS_OBJECT(keyval);
MPILENS_BEGINS_AS_OBJECT(session);
MPILENS_BEGINS_AS_OBJECT(window);
MPILENS_BEGINS_AS_OBJECT(file);
#undef MPILENS_BEGINS_AS_OBJECT
#undef MPILENS_FIELD

#endif
