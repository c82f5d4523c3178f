/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The walk through a process.
 */
#include "walk_process.h"

#include <string.h>

#define ENDS(array) (memchr(array, '\0', sizeof(array)) != NULL)

uint64_t walk_process(mqs_process *process)
{
    struct mpilens_process_information information = {.struct_size = sizeof information};
    struct mpilens_clock_information clock = {.struct_size = sizeof clock};
    uint64_t wrong = 0;
    const int code = mpilens_identify_process(process, &information);
    if (code == mqs_ok)
        wrong +=
            !ENDS(information.library_version) + !ENDS(information.runtime_version) + !ENDS(information.job_identity);
    else
        wrong += mqs_dll_error_string(code)[0] == '\0';
    mpilens_get_clock(process, &clock);
    wrong += mqs_get_global_rank(process) < -1;
    for (int kind = MPILENS_OBJECT_NONE; kind <= MPILENS_OBJECT_STATUS; kind++) {
        const int bytes = mpilens_handle_bytes(process, kind);
        wrong += bytes != 0 && bytes != 4 && bytes != 8;
    }
    wrong += mpilens_status_bytes(process) < 0;
    return wrong;
}
