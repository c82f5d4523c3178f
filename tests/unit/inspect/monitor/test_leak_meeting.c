/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The last of several ranks reports the leaks of all.
 */
#include "base/base.h"
#include "monitor/monitor_internal.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct site here = {
    .module = "/home/user/app", .function = "main", .file = "app.c", .path = "src/app.c", .line = 5, .offset = 0x1139};

/* A rank's report of `count` communicators. */
static void add(const struct leak_meeting *meeting, int rank, uint64_t count, const struct site *site)
{
    struct leak_rank of_rank = {.rank = rank, .has_finalized = true, .count = count};
    struct leak leak = {.kind = MPILENS_OBJECT_COMMUNICATOR,
                        .function = "MPI_Comm_dup",
                        .site = site,
                        .site_address = site != NULL ? 0x401000 : 0x402000,
                        .count = count,
                        .oldest_s = rank,
                        .ranks = &of_rank,
                        .rank_count = 1};
    struct leak *items[] = {&leak};
    const struct leaks leaks = {items, 1};
    cr_expect_eq(leak_meeting_add(meeting, &leaks), 0);
}

/* The caller frees it. */
static char *some_path(void)
{
    char *path = copy_text("/tmp/test_leak_meeting_XXXXXX");
    const int file = mkstemp(path);
    close(file);
    unlink(path);
    return path;
}

Test(leak_meeting, last_to_leave_has_all)
{
    char *path = some_path();
    struct leak_meeting meetings[3];
    struct leak_records records;
    for (int i = 0; i < 3; i++)
        cr_assert(leak_meeting_join(path, &meetings[i]));
    add(&meetings[2], 2, 7, &here);
    add(&meetings[0], 0, 5, &here);
    add(&meetings[2], 2, 1, NULL);
    cr_expect_not(leak_meeting_leave(&meetings[2], &records));
    cr_expect_not(leak_meeting_leave(&meetings[0], &records));
    cr_assert(leak_meeting_leave(&meetings[1], &records));
    cr_expect_eq(access(path, F_OK), -1);
    cr_assert_eq(records.count, 3);
    struct leaks leaks = merge_leaks(records.items, records.count);
    cr_assert_eq(leaks.count, 2);
    const struct leak *leak = leaks.items[0];
    cr_expect_eq(leak->count, 12);
    cr_expect_eq(leak->kind, MPILENS_OBJECT_COMMUNICATOR);
    cr_expect_str_eq(leak->function, "MPI_Comm_dup");
    cr_expect_str_eq(leak->site->module, here.module);
    cr_expect_str_eq(leak->site->function, here.function);
    cr_expect_str_eq(leak->site->file, here.file);
    cr_expect_str_eq(leak->site->path, here.path);
    cr_expect_eq(leak->site->line, here.line);
    cr_expect_eq(leak->site->offset, here.offset);
    cr_expect_float_eq(leak->oldest_s, 2, 1e-9);
    cr_assert_eq(leak->rank_count, 2);
    cr_expect_eq(leak->ranks[0].rank, 0);
    cr_expect_eq(leak->ranks[0].count, 5);
    cr_expect_eq(leak->ranks[1].rank, 2);
    cr_expect_eq(leak->ranks[1].count, 7);
    cr_expect_null(leaks.items[1]->site);
    free(path);
}

Test(leak_meeting, who_dies_has_left)
{
    char *path = some_path();
    struct leak_meeting dead, other;
    struct leak_records records;
    cr_assert(leak_meeting_join(path, &dead));
    cr_assert(leak_meeting_join(path, &other));
    add(&dead, 4, 1, &here);
    close(dead.file);
    free(dead.path);
    cr_assert(leak_meeting_leave(&other, &records));
    cr_assert_eq(records.count, 1);
    cr_expect_eq(records.items[0].ranks[0].rank, 4);
    cr_assert(leak_meeting_join(path, &other));
    cr_assert(leak_meeting_leave(&other, &records));
    cr_expect_eq(records.count, 0, "said once");
    free(path);
}

Test(leak_meeting, names_are_any_texts_and_torn_records_are_left_out)
{
    static const struct site odd = {.function = "a\tb\nc\xff"};
    char *path = some_path();
    struct leak_meeting meeting;
    struct leak_records records;
    cr_assert(leak_meeting_join(path, &meeting));
    add(&meeting, 3, 1, &odd);
    cr_assert_eq(write(meeting.file, "1\t0\t4198400", 11), 11);
    cr_assert(leak_meeting_leave(&meeting, &records));
    cr_assert_eq(records.count, 1);
    cr_expect_str_eq(records.items[0].site->function, "a b c\xef\xbf\xbd");
    cr_expect_null(records.items[0].site->module);
    free(path);
}

Test(leak_meeting, nothing_is_written_where_others_can_read_or_write)
{
    char *path = some_path();
    struct leak_meeting meeting;
    fclose(fopen(path, "w"));
    chmod(path, 0644);
    cr_expect_not(leak_meeting_join(path, &meeting));
    unlink(path);
    cr_assert_eq(symlink("/tmp", path), 0);
    cr_expect_not(leak_meeting_join(path, &meeting));
    unlink(path);
    free(path);
}
