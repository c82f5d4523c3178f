/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Opens the DLL of this build.
 */
#include "opened_dll.h"

#include <stdio.h>
#include <stdlib.h>

const struct dll *opened_dll(void)
{
    static struct dll dll;
    struct reason reason;
    if (dll.library == NULL && dll_open(DLL_PATH, &dll, &reason) != 0) {
        fprintf(stderr, "%s\n", reason.text);
        abort();
    }
    return &dll;
}
