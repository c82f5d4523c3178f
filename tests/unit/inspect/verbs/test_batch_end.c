/* SPDX-License-Identifier: BSD-3-Clause
 *
 * When a batch system ends a job.
 */
#include "verbs/verbs_internal.h"

#include <criterion/criterion.h>
#include <math.h>

Test(batch_end, seconds_from_now)
{
    cr_expect_eq(batch_end_s("1700000600", 1700000000), 600);
}

Test(batch_end, anything_else_is_not_known)
{
    static const char *const cases[] = {"", "soon", "1700000600x", "1700000000", "1699999999", "-1", "inf", "nan"};
    cr_expect(isinf(batch_end_s(NULL, 1700000000)));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect(isinf(batch_end_s(cases[i], 1700000000)), "%s", cases[i]);
}
