/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words and values of `mpilens handle`.
 */
#include "base/base.h"
#include "handle/handle.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(handle_words, kinds)
{
    uint32_t kind = 99;
    cr_expect(handle_parse_kind("comm", &kind) && kind == MPILENS_OBJECT_COMMUNICATOR);
    cr_expect(handle_parse_kind("win", &kind) && kind == MPILENS_OBJECT_WINDOW);
    cr_expect(handle_parse_kind("MPI_Type", &kind) == false);
    cr_expect(handle_parse_kind("status", &kind) && kind == MPILENS_OBJECT_STATUS);
    cr_expect_not(handle_parse_kind("", &kind));
    char *all = copy_text(handle_kind_names());
    for (char *name = strtok(all, ", "); name != NULL; name = strtok(NULL, ", "))
        cr_expect(handle_parse_kind(name, &kind), "%s", name);
    free(all);
}

Test(handle_words, values)
{
    static const struct {
        const char *text;
        uint64_t value;
    } good[] = {{"0x84000002", 0x84000002},         {"-2080374782", (uint64_t)-2080374782}, {"017", 17},
                {"0xFFFFFFFFFFFFFFFF", UINT64_MAX}, {"-9223372036854775808", 1ull << 63},   {"0", 0}};
    static const char *const bad[] = {
        "", "0x", "-", "12a", "0x1g", "+5", " 5", "18446744073709551616", "-9223372036854775809", "--5", "5 "};
    uint64_t value;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        cr_expect(handle_parse_value(good[i].text, &value) && value == good[i].value, "%s", good[i].text);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_not(handle_parse_value(bad[i], &value), "%s", bad[i]);
}
