/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists of hosts.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_expanded(int (*parse)(struct host_list *, const char *), const char *text, const char *expected)
{
    struct host_list list = {.count = 0};
    cr_expect_eq(parse(&list, text), 0, "'%s'", text);
    cr_expect_str_eq(host_list_join(&list), expected);
}

Test(host_list, expanded)
{
    static const char *const cases[][2] = {
        {"n1", "n1"},
        {"n[1-3]", "n1,n2,n3"},
        {"n[1-3,07],login", "n1,n2,n3,n07,login"},
        {"n[008-011]", "n008,n009,n010,n011"},
        {"rack[1-2]n[1-2]-ib.site", "rack1n1-ib.site,rack1n2-ib.site,rack2n1-ib.site,rack2n2-ib.site"},
        {"a,b-c.d_e", "a,b-c.d_e"},
        {"10.77.0.[1-2]", "10.77.0.1,10.77.0.2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_expanded(host_list_parse, cases[i][0], cases[i][1]);
}

Test(host_list, nodes_of_open_mpi)
{
    static const char *const cases[][2] = {
        {"n[1:1-3]@0(3)", "n1,n2,n3"},
        {"login,n[3:1-2,7]@0(4)", "login,n001,n002,n007"},
        {"a,b@0(2)", "a,b"},
        {"r[2:9-10]-ib@0(2)", "r09-ib,r10-ib"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        expect_expanded(host_list_parse_node_regex, cases[i][0], cases[i][1]);
    static const char *const wrong[] = {"n[1-3]@0(3)", "n[1:1-3@0(3)", "n[:1]", "n[99999999999:1]", "@0(1)", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct host_list list = {.count = 0};
        cr_expect_eq(host_list_parse_node_regex(&list, wrong[i]), -1, "'%s'", wrong[i]);
        cr_expect_eq(list.count, 0);
    }
}

Test(host_list, what_names_no_host_adds_nothing)
{
    static const char *const texts[] = {"",
                                        ",",
                                        "n1,",
                                        "-oProxyCommand=touch /tmp/x",
                                        "n1 n2",
                                        "n[1-",
                                        "n[3-1]",
                                        "n[]",
                                        "n[1]]",
                                        "n[1-3]x[",
                                        "n;id",
                                        "$(id)",
                                        "n1,`x`",
                                        "n\n1",
                                        "../n1",
                                        "-n1",
                                        "n[1-99999999999]",
                                        "n[1-2000000]",
                                        "n1,-x"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct host_list list = {.count = 0};
        cr_expect_eq(host_list_parse(&list, texts[i]), -1, "'%s'", texts[i]);
        cr_expect_eq(list.count, 0, "'%s'", texts[i]);
        cr_expect_eq(host_list_add(&list, texts[i]), -1, "'%s'", texts[i]);
    }
}

/* Each of these would go on for years. */
Test(host_list, ranges_of_ranges_come_to_an_end, .timeout = 20)
{
    struct host_list list = {.count = 0};
    cr_expect_eq(host_list_parse(&list, "n[1-99999][1-99999][1-99999][1-99999]"), -1);
    cr_expect_eq(host_list_parse(&list, "n[1-9][1-9][1-9][1-9][1-9]"), -1, "too many brackets");
    char ones[20001] = "";
    for (size_t i = 0; i + 1 < sizeof ones; i += 2)
        memcpy(ones + i, "1,", 2);
    ones[sizeof ones - 2] = '\0';
    char *text = format_text("n[%s][%s][%s][%s]", ones, ones, ones, ones);
    cr_expect_eq(host_list_parse(&list, text), -1);
    free(text);
    text = allocate(2 << 20);
    memset(text, 'n', (2 << 20) - 1);
    cr_expect_eq(host_list_parse(&list, text), -1);
    free(text);
    cr_expect_eq(list.count, 0);
}

Test(host_list, said_twice)
{
    struct host_list list = {.count = 0};
    cr_assert_eq(host_list_parse(&list, "n2,n1,n2,n3,n1"), 0);
    host_list_finish(&list);
    cr_expect_str_eq(host_list_join(&list), "n2,n1,n3");
    cr_expect_eq(host_list_find(&list, "n3"), 2);
    cr_expect_eq(host_list_find(&list, "n3.cluster"), 2);
    cr_expect_eq(host_list_find(&list, "n4"), 3);
}

Test(host_list, indexed)
{
    struct host_list list = {.count = 0};
    cr_assert_eq(host_list_parse(&list, "n2,n1,n10.a,n10.b,n10,node[0001-9999],10.77.0.[1-3],N1"), 0);
    struct host_index index = host_index_make(&list);
    for (size_t i = 0; i < list.count; i++)
        cr_expect_eq(host_index_find(&index, list.names[i]), i, "%s", list.names[i]);
    static const char *const names[] = {"n1.x",      "n10.c",     "n", "n11", "node0007.site",
                                        "node00001", "10.77.0.4", "",  "zz"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        cr_expect_eq(host_index_find(&index, names[i]), host_list_find(&list, names[i]), "%s", names[i]);
    list = (struct host_list){.count = 0};
    index = host_index_make(&list);
    cr_expect_eq(host_index_find(&index, "n1"), 0, "of none");
}

Test(host_list, folded)
{
    static const char *const cases[][2] = {
        {"n3,n1,n2", "n[1-3]"},      {"n1", "n1"},
        {"n[8-11]", "n[8-9,10-11]"}, {"n[08-11]", "n[08-11]"},
        {"b,a,n1,n3", "a,b,n[1,3]"}, {"n[1-2].x,n[1-2].y", "n[1-2].x,n[1-2].y"},
        {"10.77.0.1", "10.77.0.1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct host_list list = {.count = 0}, again = {.count = 0};
        cr_assert_eq(host_list_parse(&list, cases[i][0]), 0);
        const char *folded = host_list_fold(&list);
        cr_expect_str_eq(folded, cases[i][1]);
        cr_expect_eq(host_list_parse(&again, folded), 0);
        cr_expect_eq(again.count, list.count);
    }
}

Test(host_list, many_are_short_when_folded)
{
    struct host_list list = {.count = 0};
    cr_assert_eq(host_list_parse(&list, "node[00001-10000]"), 0);
    cr_expect_str_eq(host_list_fold(&list), "node[00001-10000]");
}
