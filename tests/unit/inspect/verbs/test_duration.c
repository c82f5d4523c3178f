/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Durations as people write them.
 */
#include "verbs/verbs_internal.h"

#include <criterion/criterion.h>
#include <math.h>

Test(duration, seconds_of_what_people_write)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {{"90", 90},     {"0.5", 0.5},   {"90s", 90},   {"1m30s", 90},           {"2h", 7200},   {"0", 0},
                 {"1.5h", 5400}, {"500ms", 0.5}, {"1d", 86400}, {"1h1m1s1ms", 3661.001}, {"0.01", 0.01}, {".5", 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = -1;
        cr_expect_eq(duration_parse(cases[i].text, &seconds), 0, "%s", cases[i].text);
        cr_expect_lt(fabs(seconds - cases[i].seconds), 1e-9, "%s: %g", cases[i].text, seconds);
    }
}

Test(duration, anything_else_is_refused_and_nothing_changed)
{
    static const char *const cases[] = {"",
                                        "s",
                                        "-1",
                                        "+1",
                                        " 1",
                                        "1 s",
                                        "1 m",
                                        "m30s",
                                        "1x",
                                        "1sec",
                                        "1e3s",
                                        "1m30",
                                        "1.",
                                        ".",
                                        "nan",
                                        "inf",
                                        "0x10",
                                        "1S",
                                        "99999999999999999999999999999999999999"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = -1;
        cr_expect_neq(duration_parse(cases[i], &seconds), 0, "%s", cases[i]);
        cr_expect_eq(seconds, -1, "%s", cases[i]);
    }
}
