/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Builds the tables of layout.h from layout.def.
 */
#include "layout/layout.h"

#define KIND(type) _Generic((type)0, char : SHAPE_TEXT, default : (type)-1 < (type)1 ? SHAPE_SIGNED : SHAPE_UNSIGNED)

const struct field_shape field_shapes[MPILENS_FIELD_COUNT] = {
#define MPILENS_STRUCT(name)
#define MPILENS_FIELD(name, type, field) {offsetof(struct mpilens_##name, field), sizeof(type), 1, KIND(type), 0},
#define MPILENS_ARRAY(name, type, field, elements)                                                                     \
    {offsetof(struct mpilens_##name, field), sizeof(type), elements, KIND(type), 0},
#define MPILENS_NESTED(name, nested, field, elements)                                                                  \
    {offsetof(struct mpilens_##name, field), sizeof(struct mpilens_##nested), elements, SHAPE_NESTED,                  \
     MPILENS_STRUCT_##nested},
#define MPILENS_END(name)
#include "mpilens/layout.def"
};

const struct struct_shape struct_shapes[MPILENS_STRUCT_COUNT] = {
#define MPILENS_STRUCT(name)                                                                                           \
    {sizeof(struct mpilens_##name), MPILENS_FIRST_FIELD_##name, MPILENS_END_FIELD_##name - MPILENS_FIRST_FIELD_##name},
#define MPILENS_FIELD(name, type, field)
#define MPILENS_ARRAY(name, type, field, elements)
#define MPILENS_NESTED(name, nested, field, elements)
#define MPILENS_END(name)
#include "mpilens/layout.def"
};

const enum mpilens_struct table_record_structs[MPILENS_TABLE_COUNT] = {
    [MPILENS_TABLE_OPERATIONS] = MPILENS_STRUCT_operation,
    [MPILENS_TABLE_COMMUNICATORS] = MPILENS_STRUCT_communicator,
    [MPILENS_TABLE_GROUPS] = MPILENS_STRUCT_group,
    [MPILENS_TABLE_DATATYPES] = MPILENS_STRUCT_datatype,
    [MPILENS_TABLE_THREADS] = MPILENS_STRUCT_thread,
    [MPILENS_TABLE_CHANNELS] = MPILENS_STRUCT_channel,
    [MPILENS_TABLE_MESSAGES] = MPILENS_STRUCT_message,
    [MPILENS_TABLE_OPS] = MPILENS_STRUCT_op,
    [MPILENS_TABLE_ERRHANDLERS] = MPILENS_STRUCT_errhandler,
    [MPILENS_TABLE_INFOS] = MPILENS_STRUCT_info,
    [MPILENS_TABLE_KEYVALS] = MPILENS_STRUCT_keyval,
    [MPILENS_TABLE_ATTRIBUTES] = MPILENS_STRUCT_attribute,
    [MPILENS_TABLE_SESSIONS] = MPILENS_STRUCT_session,
    [MPILENS_TABLE_WINDOWS] = MPILENS_STRUCT_window,
    [MPILENS_TABLE_FILES] = MPILENS_STRUCT_file,
    [MPILENS_TABLE_PARTITIONS] = MPILENS_STRUCT_partitions,
    [MPILENS_TABLE_UNEXPECTED] = MPILENS_STRUCT_unexpected,
    [MPILENS_TABLE_FAILED_CALLS] = MPILENS_STRUCT_failed_call,
};
