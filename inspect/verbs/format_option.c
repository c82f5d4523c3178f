/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Interprets --format.
 */
#include "verbs/verbs_internal.h"

#include "render/machine/machine.h"

const struct machine_format *format_option(struct argp_state *state, const char *word)
{
    const struct machine_format *format = machine_format_find(word);
    if (format == NULL)
        argp_error(state, "--format takes one of %s, not '%s'", machine_format_names(), word);
    return format;
}
