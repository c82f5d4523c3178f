/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Entry points about processes (5.9).
 */
#include "process/process.h"

int mqs_setup_process(mqs_process *process, const mqs_process_callbacks *given)
{
    return process_info_set_up(process, given, INTERFACE_MQS);
}

/* MPI need not have been called yet: a debugger that asks only once would never see queues otherwise. */
int mqs_process_has_queues(mqs_process *process, char **ret_message)
{
    mqs_process_info *info = process_info(process);
    int code = process_info_check(info);
    if (code == mqs_ok)
        code = process_info_attach(info);
    if (ret_message != NULL)
        *ret_message = code == mqs_ok ? NULL : mqs_dll_error_string(code);
    return code;
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    if (!info_exists(info))
        return mqs_ok;
    process_info_empty(info);
    if (info_owners_leave(&info->owners, INTERFACE_MQS)) {
        process_info_drop_aside(info);
        info_release(&info->owners);
    }
    return mqs_ok;
}
