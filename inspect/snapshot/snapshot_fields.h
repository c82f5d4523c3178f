/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Describes structs as rows of tables: `#define ROW thread`, then FIELD(tid) and so on of struct thread, then
 * `#undef ROW`.
 */
#ifndef MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_FIELDS_H
#define MPILENS_INSPECT_SNAPSHOT_SNAPSHOT_FIELDS_H

#include "snapshot/snapshot_tables.h"

/* clang-format off */
#define TYPE_OF(member)                                                                                                \
    _Generic((member),                                                                                                 \
        bool: SNAPSHOT_BOOLEAN,                                                                                        \
        char: SNAPSHOT_CHARACTER,                                                                                      \
        int32_t: SNAPSHOT_SIGNED32,                                                                                    \
        uint32_t: SNAPSHOT_UNSIGNED32,                                                                                 \
        int64_t: SNAPSHOT_SIGNED64,                                                                                    \
        uint64_t: SNAPSHOT_UNSIGNED64,                                                                                 \
        double: SNAPSHOT_SECONDS,                                                                                      \
        const char *: SNAPSHOT_TEXT,                                                                                   \
        char *: SNAPSHOT_OWN_TEXT,                                                                                     \
        const struct site *: SNAPSHOT_SITE,                                                                            \
        const struct group *: SNAPSHOT_GROUP,                                                                          \
        struct snapshot_bytes: SNAPSHOT_BYTES)
/* clang-format on */

/* Of `struct ROW`: a member; an enumeration and its last value. */
#define FIELD(member)                                                                                                  \
    {                                                                                                                  \
        .name = #member, .type = TYPE_OF(((struct ROW *)0)->member), .offset = offsetof(struct ROW, member)            \
    }
/* A number of ranks, or one of them: no job has more (model/group.h). */
#define RANKS(member)                                                                                                  \
    {                                                                                                                  \
        .name = #member, .type = SNAPSHOT_SIGNED32, .offset = offsetof(struct ROW, member), .most = MOST_RANKS         \
    }
#define ENUMERATION(member, last)                                                                                      \
    {                                                                                                                  \
        .name = #member, .type = SNAPSHOT_UNSIGNED32, .offset = offsetof(struct ROW, member), .most = (last)           \
    }

/* Of what rows share, `struct ROW` then; and where a row of a table refers to it. */
#define SHARED_FIELD(member)                                                                                           \
    {                                                                                                                  \
        .name = #member, .type = TYPE_OF(((struct ROW *)0)->member), .offset = offsetof(struct ROW, member),           \
        .is_shared = true                                                                                              \
    }

/* Where the rows of a table stand: in struct above_type as `items`, of which there are `number`; or one or none. */
#define ROWS_OF(above, above_type, items, number)                                                                      \
    .parent = &(above), .items_offset = offsetof(struct above_type, items),                                            \
    .count_offset = offsetof(struct above_type, number)
#define ONE_OF(above, above_type, item)                                                                                \
    .parent = &(above), .items_offset = offsetof(struct above_type, item), .count_offset = SNAPSHOT_ONE
#define FIELDS(row_type, list)                                                                                         \
    .row_bytes = sizeof(row_type), .fields = (list), .field_count = sizeof(list) / sizeof *(list)

#endif
