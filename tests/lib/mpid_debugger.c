/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The callbacks of the draft over the fake debugger's.
 */
#include "mpid_debugger.h"

static struct fake_debugger *current;

static mpid_rc_t memory_alloc(mpid_size_t bytes, void **ret_memory)
{
    void *memory = current->basic.mqs_malloc_fp(bytes);
    if (memory == NULL)
        return mpid_rc_nomem;
    *ret_memory = memory;
    return mpid_rc_ok;
}

static mpid_rc_t memory_free(void *memory)
{
    current->basic.mqs_free_fp(memory);
    return mpid_rc_ok;
}

static mpid_rc_t symbol_addr(mpid_address_space_context_t *context, mpid_thread_context_t *thread, const char *name,
                             mpid_address_t *ret_address, const char *file)
{
    (void)thread;
    (void)file;
    mqs_taddr_t address = 0;
    struct fake_debugger *debugger = (struct fake_debugger *)(void *)context;
    if (debugger->image.mqs_find_symbol_fp(fake_image(debugger), (char *)(uintptr_t)name, &address) != mqs_ok)
        return mpid_rc_unavailable;
    *ret_address = address;
    return mpid_rc_ok;
}

static mpid_rc_t memory_read(mpid_address_space_context_t *context, mpid_thread_context_t *thread,
                             const mpid_address_t *address, mpid_size_t bytes, void *ret_bytes)
{
    (void)thread;
    struct fake_debugger *debugger = (struct fake_debugger *)(void *)context;
    return debugger->process.mqs_fetch_data_fp(fake_process(debugger), *address, (int)bytes, ret_bytes) == mqs_ok
               ? mpid_rc_ok
               : mpid_rc_read_error;
}

static const mpid_callbacks_t callbacks = {
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .symbol_addr = symbol_addr,
    .memory_read = memory_read,
};

const mpid_callbacks_t *mpid_debugger_callbacks(struct fake_debugger *debugger)
{
    current = debugger;
    return &callbacks;
}

mpid_rc_t mpid_debugger_open(struct fake_debugger *debugger, mpid_process_handle_t **ret_process)
{
    mpid_process_handle_t **processes = NULL;
    int count = 0;
    mpid_rc_t result = mpid_initialize(MPID_API_VERSION, mpid_debugger_callbacks(debugger));
    if (result == mpid_rc_ok)
        result = mpid_process_initialize((mpid_address_space_context_t *)(void *)debugger, &processes, &count);
    if (result != mpid_rc_ok)
        return result;
    *ret_process = processes[0];
    mpid_debugger_free(processes);
    return count == 1 ? mpid_rc_ok : mpid_rc_error;
}

void mpid_debugger_close(mpid_process_handle_t *process)
{
    mpid_process_handle_free(process);
    mpid_finalize();
}

void mpid_debugger_free(const void *memory)
{
    if (memory != NULL)
        current->basic.mqs_free_fp((void *)(uintptr_t)memory);
}
