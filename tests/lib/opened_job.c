/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Walks through the DLL's public iterators.
 */
#include "opened_job.h"

#include <string.h>

void opened_job_create(struct opened_job *opened, const struct fake_options *options)
{
    fake_job_create(&opened->job, options);
    fake_debugger_init(&opened->debugger, opened->job.target);
    opened->process = fake_process(&opened->debugger);
}

int opened_job_open(struct opened_job *opened)
{
    fake_target_publish(opened->job.target);
    int code = fake_debugger_open(&opened->debugger);
    return code == mqs_ok ? mqs_update_communicator_list(opened->process) : code;
}

uint64_t opened_job_close(struct opened_job *opened)
{
    uint64_t held = fake_debugger_close(&opened->debugger);
    fake_target_destroy(opened->job.target);
    return held;
}

bool opened_job_go_to(struct opened_job *opened, const char *communicator_name)
{
    mqs_communicator communicator;
    for (int code = mqs_setup_communicator_iterator(opened->process); code == mqs_ok;
         code = mqs_next_communicator(opened->process))
        if (mqs_get_communicator(opened->process, &communicator) == mqs_ok &&
            strcmp(communicator.name, communicator_name) == 0)
            return true;
    return false;
}

size_t opened_job_queue(struct opened_job *opened, int op_class, uint64_t *ret_serials, size_t capacity)
{
    mqs_pending_operation operation;
    size_t count = 0;
    if (mqs_setup_operation_iterator(opened->process, op_class) != mqs_ok)
        return 0;
    while (mqs_next_operation(opened->process, &operation) == mqs_ok) {
        struct mpilens_operation_information information = {.struct_size = sizeof information};
        if (count < capacity && mpilens_get_operation(opened->process, &information) == mqs_ok)
            ret_serials[count] = information.serial;
        count++;
    }
    return count;
}

bool opened_job_find(struct opened_job *opened, int op_class, uint64_t serial, mqs_pending_operation *ret_operation,
                     struct mpilens_operation_information *ret_information)
{
    if (mqs_setup_operation_iterator(opened->process, op_class) != mqs_ok)
        return false;
    while (mqs_next_operation(opened->process, ret_operation) == mqs_ok) {
        memset(ret_information, 0, sizeof *ret_information);
        ret_information->struct_size = sizeof *ret_information;
        if (mpilens_get_operation(opened->process, ret_information) == mqs_ok && ret_information->serial == serial)
            return true;
    }
    return false;
}
