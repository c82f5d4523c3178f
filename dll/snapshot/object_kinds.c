/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Maps kinds of objects to the tables that hold them.
 */
#include "snapshot/object_kinds.h"

#include "mpilens/extension.h"

enum mpilens_table_kind object_table(int kind)
{
    static const enum mpilens_table_kind tables[] = {
        [MPILENS_OBJECT_NONE] = MPILENS_TABLE_COUNT,
        [MPILENS_OBJECT_COMMUNICATOR] = MPILENS_TABLE_COMMUNICATORS,
        [MPILENS_OBJECT_GROUP] = MPILENS_TABLE_GROUPS,
        [MPILENS_OBJECT_DATATYPE] = MPILENS_TABLE_DATATYPES,
        [MPILENS_OBJECT_OP] = MPILENS_TABLE_OPS,
        [MPILENS_OBJECT_ERRHANDLER] = MPILENS_TABLE_ERRHANDLERS,
        [MPILENS_OBJECT_INFO] = MPILENS_TABLE_INFOS,
        [MPILENS_OBJECT_KEYVAL] = MPILENS_TABLE_KEYVALS,
        [MPILENS_OBJECT_SESSION] = MPILENS_TABLE_SESSIONS,
        [MPILENS_OBJECT_WINDOW] = MPILENS_TABLE_WINDOWS,
        [MPILENS_OBJECT_FILE] = MPILENS_TABLE_FILES,
        [MPILENS_OBJECT_MESSAGE] = MPILENS_TABLE_MESSAGES,
        [MPILENS_OBJECT_ATTRIBUTE] = MPILENS_TABLE_ATTRIBUTES,
    };
    return kind > MPILENS_OBJECT_NONE && kind < MPILENS_OBJECT_KIND_COUNT ? tables[kind] : MPILENS_TABLE_COUNT;
}
