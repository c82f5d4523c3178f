/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Datatypes in the draft's interface.
 */
#include "tested_draft.h"

#include <criterion/criterion.h>

TestSuite(mpid_types, .init = draft_open, .fini = draft_close);

Test(mpid_types, datatype)
{
    char *text;
    int64_t numbers[3];
    int64_t counts[3];
    int64_t *integers;
    int64_t *addresses;
    mpid_type_handle_t **types;
    mpid_type_handle_t *type = NULL;
    enum mpid_type_info_bitmap_t flags;
    cr_assert_eq(mpid_type_query_by_name(draft_process, "particle", &type), mpid_rc_ok);
    cr_assert_eq(mpid_type_query_basic(type, &text, &flags, &numbers[0], &numbers[1], &numbers[2], NULL), mpid_rc_ok);
    draft_check_text(text, "particle");
    cr_assert_eq(flags, MPID_TYPE_INFO_COMMITTED | MPID_TYPE_INFO_HANDLE_C);
    cr_assert_eq(numbers[0], 32);
    cr_assert_eq(numbers[1], 56);
    cr_assert_eq(mpid_type_query_envelope(type, &text, &counts[0], &counts[1], &counts[2]), mpid_rc_ok);
    draft_check_text(text, "struct");
    cr_assert_eq(counts[0], 3);
    cr_assert_eq(counts[1], 2);
    cr_assert_eq(counts[2], 2);
    cr_assert_eq(mpid_type_query_contents(type, &integers, &addresses, &types), mpid_rc_ok);
    cr_assert_eq(integers[0], 2);
    cr_assert_eq(integers[2], 1);
    cr_assert_eq(addresses[1], 16);
    cr_assert_eq(mpid_type_query_envelope(types[1], &text, NULL, NULL, NULL), mpid_rc_ok);
    draft_check_text(text, "vector");
    for (int i = 0; i < 2; i++)
        mpid_type_handle_free(types[i]);
    mpid_debugger_free(types);
    mpid_debugger_free(integers);
    mpid_debugger_free(addresses);
    mpid_type_handle_free(type);
}

Test(mpid_types, type_map)
{
    mpid_type_map_entry_t *entries;
    int64_t count;
    int complete;
    mpid_type_handle_t *type = NULL;
    cr_assert_eq(mpid_type_query_by_name(draft_process, "particle", &type), mpid_rc_ok);
    cr_assert_eq(mpid_type_query_map(type, 1, &count, &entries, &complete), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(complete, 0);
    cr_assert_eq(entries[0].displacement, 0);
    cr_assert_eq(entries[0].count, 2);
    draft_check_text(entries[0].basic, "MPI_INT");
    mpid_debugger_free(entries);
    cr_assert_eq(mpid_type_query_map(type, 100, &count, &entries, &complete), mpid_rc_ok);
    cr_assert_eq(complete, 1);
    int64_t elements = 0;
    for (int64_t i = 0; i < count; i++) {
        elements += entries[i].count * entries[i].repeat;
        draft_check_text(entries[i].basic, "MPI_INT");
    }
    cr_assert_eq(elements, 8, "2 and 3 blocks of 2");
    mpid_debugger_free(entries);
    mpid_type_handle_free(type);
}

Test(mpid_types, predefined_datatypes)
{
    mpid_name_map_t *map;
    int64_t count;
    cr_assert_eq(mpid_type_query_predefined_map(draft_process, &map, &count), mpid_rc_ok);
    cr_assert_eq(count, 1);
    cr_assert_eq(map[0].size, 4);
    cr_assert_eq(map[0].type_c_handle, 0x4c000405);
    cr_assert_eq(map[0].kind, (enum mpid_type_bitmap_t)(MPID_TYPE_KIND_INT | MPID_TYPE_LANG_C));
    draft_check_text(map[0].map_name, "MPI_INT");
    mpid_debugger_free(map);
}
