/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The facts that all objects share, in the form that debuggers get.
 */
#ifndef MPILENS_DLL_FACTS_OBJECT_INFORMATION_H
#define MPILENS_DLL_FACTS_OBJECT_INFORMATION_H

#include "snapshot/reading.h"

/* Describes a record of this kind (a table's, see object_table) that is in the snapshot. */
void object_describe(const struct reading *reading, int kind, const void *record,
                     struct mpilens_object_information *ret_answer);

/* Describes an attribute of `copy`. */
void attribute_describe(const struct snapshot *copy, const struct mpilens_attribute *attribute,
                        struct mpilens_attribute_information *ret_answer);

/* The name of a record: of the application, predefined, or of the file; empty: none. */
const char *object_name(int kind, const void *record);

#endif
