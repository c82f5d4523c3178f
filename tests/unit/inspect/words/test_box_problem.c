/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Words for black boxes that are missing or cut short.
 */
#include "words/words.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>

static struct arena texts;

static void begin(void)
{
    arena_use(&texts);
}

static void end(void)
{
    arena_clear(&texts);
}

TestSuite(box_problem, .init = begin, .fini = end);

Test(box_problem, of_good_ones_is_none)
{
    cr_expect_null(describe_box_problem(&(struct process){.box_state = MPILENS_BOX_NONE}));
    cr_expect_null(describe_box_problem(&(struct process){.box_state = MPILENS_BOX_WHOLE}));
}

Test(box_problem, says_why)
{
    cr_expect_str_eq(describe_box_problem(&(struct process){.box_state = MPILENS_BOX_FAILED, .box_error = EACCES}),
                     "there is no black box: Permission denied");
    cr_expect_str_eq(
        describe_box_problem(&(struct process){.box_state = MPILENS_BOX_CUT, .box_error = ENOSPC}),
        "the black box lacks what came later: its file system is full, or in memory and more than half full");
}
