/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parses the permissions of a file.
 */
#include "verbs/verbs_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

mode_t file_mode_option(struct argp_state *state, const char *text)
{
    const size_t length = strspn(text, "01234567");
    const unsigned long mode = length > 0 && length <= 4 && text[length] == '\0' ? strtoul(text, NULL, 8) : 0;
    const mode_t everything = S_IRWXU | S_IRWXG | S_IRWXO;
    if ((mode & S_IRUSR) == 0 || mode > everything)
        argp_error(state, "--mode takes permissions such as 600, 640 or 644, not '%s'", text);
    return (mode_t)mode;
}
