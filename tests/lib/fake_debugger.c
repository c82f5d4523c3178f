/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The callbacks of the fake debugger.
 */
#include "fake_debugger.h"

#include <stdlib.h>
#include <string.h>

static struct fake_debugger *current; /* for the allocator */
static uint64_t allocations;
static uint64_t allocations_held;

static void *counting_malloc(size_t bytes)
{
    allocations++;
    if ((current->fail_allocation > 0 && allocations >= current->fail_allocation) ||
        (current->allocation_limit > 0 && bytes > current->allocation_limit))
        return NULL;
    void *memory = malloc(bytes);
    if (memory != NULL) {
        memset(memory, 0xa5, bytes < 4096 ? bytes : 4096);
        allocations_held++;
    }
    return memory;
}

static void counting_free(void *memory)
{
    if (memory == NULL)
        abort(); /* not every debugger's free takes NULL */
    allocations_held--;
    free(memory);
}

static void dprints(const char *text)
{
    (void)text;
}

static char *errorstring(int code)
{
    (void)code;
    return "an error of the debugger";
}

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    ((struct fake_debugger *)(void *)image)->image_info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return ((struct fake_debugger *)(void *)image)->image_info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    ((struct fake_debugger *)(void *)process)->process_info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return ((struct fake_debugger *)(void *)process)->process_info;
}

/* As a debugger built with Open MPI's header: 28 bytes, though the struct of the interface has 20. */
static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *ret_sizes)
{
    (void)process;
    static const int sizes[7] = {2, 4, 8, 8, 8, 1, 8};
    memcpy(ret_sizes, sizes, sizeof sizes);
}

static int find_function(mqs_image *image, char *name, mqs_lang_code language, mqs_taddr_t *ret_address)
{
    (void)image;
    (void)name;
    (void)language;
    (void)ret_address;
    return mqs_no_information;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    struct fake_debugger *debugger = (struct fake_debugger *)(void *)image;
    debugger->symbol_lookups++;
    if (debugger->no_symbol || strcmp(name, MPILENS_PROCESS_SYMBOL) != 0)
        return mqs_no_information;
    if (ret_address != NULL)
        *ret_address = debugger->target->root;
    return mqs_ok;
}

static mqs_type *find_type(mqs_image *image, char *name, mqs_lang_code language)
{
    (void)name;
    (void)language;
    ((struct fake_debugger *)(void *)image)->type_lookups++;
    return NULL;
}

static int field_offset(mqs_type *type, char *name)
{
    (void)type;
    (void)name;
    return -1;
}

static int size_of_type(mqs_type *type)
{
    (void)type;
    return 0;
}

static int get_global_rank(mqs_process *process)
{
    (void)process;
    return MQS_INVALID_PROCESS;
}

static mqs_image *get_image(mqs_process *process)
{
    return fake_image((struct fake_debugger *)(void *)process);
}

static bool is_unreadable(const struct fake_debugger *debugger, uint64_t address, size_t bytes)
{
    if (debugger->fail_read > 0 &&
        (debugger->fail_later_reads ? debugger->reads >= debugger->fail_read : debugger->reads == debugger->fail_read))
        return true;
    return (address < debugger->unreadable_end && address + bytes > debugger->unreadable_begin) ||
           !fake_target_has(debugger->target, address, bytes);
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_data)
{
    struct fake_debugger *debugger = (struct fake_debugger *)(void *)process;
    if (bytes < 0)
        abort();
    const size_t size = (size_t)bytes;
    const size_t slice = debugger->slice_bytes > 0 ? debugger->slice_bytes : size + 1;
    debugger->reads++;
    debugger->bytes_read += size;
    const bool fails = is_unreadable(debugger, address, size);
    if (address >= debugger->hole_begin && address + size <= debugger->hole_end) {
        memset(ret_data, 0, size);
        return mqs_ok;
    }
    if (fails && debugger->fill_before_failing)
        memset(ret_data, 0x5a, size / 2);
    if (fails)
        return mqs_no_information;
    for (size_t at = 0; at < size; at += slice) {
        const size_t part = slice < size - at ? slice : size - at;
        if (debugger->before_read != NULL)
            debugger->before_read(debugger, address + at, part);
        memcpy((uint8_t *)ret_data + at, fake_target_bytes(debugger->target, address + at, part), part);
    }
    return mqs_ok;
}

static void target_to_host(mqs_process *process, const void *in, void *ret_out, int bytes)
{
    (void)process;
    memcpy(ret_out, in, (size_t)bytes);
}

mqs_process *fake_process(struct fake_debugger *debugger)
{
    return (mqs_process *)(void *)debugger;
}

mqs_image *fake_image(struct fake_debugger *debugger)
{
    return (mqs_image *)(void *)debugger;
}

void fake_debugger_init(struct fake_debugger *debugger, struct fake_target *target)
{
    memset(debugger, 0, sizeof *debugger);
    debugger->target = target;
    debugger->basic = (mqs_basic_callbacks){counting_malloc, counting_free,  dprints,          errorstring,
                                            put_image_info,  get_image_info, put_process_info, get_process_info};
    debugger->image =
        (mqs_image_callbacks){get_type_sizes, find_function, find_symbol, find_type, field_offset, size_of_type};
    debugger->process = (mqs_process_callbacks){get_global_rank, get_image, fetch_data, target_to_host};
    current = debugger;
    allocations = 0;
    allocations_held = 0;
}

int fake_debugger_open(struct fake_debugger *debugger)
{
    current = debugger;
    if (debugger->no_optional_callbacks) {
        debugger->basic.mqs_dprints_fp = NULL;
        debugger->basic.mqs_errorstring_fp = NULL;
        debugger->image = (mqs_image_callbacks){.mqs_find_symbol_fp = find_symbol};
        debugger->process.mqs_get_global_rank_fp = NULL;
        debugger->process.mqs_target_to_host_fp = NULL;
    }
    mqs_setup_basic_callbacks(&debugger->basic);
    int code = mqs_setup_image(fake_image(debugger), &debugger->image);
    if (code == mqs_ok)
        code = mqs_image_has_queues(fake_image(debugger), &(char *){NULL});
    if (code == mqs_ok)
        code = mqs_setup_process(fake_process(debugger), &debugger->process);
    if (code == mqs_ok)
        code = mqs_process_has_queues(fake_process(debugger), &(char *){NULL});
    return code;
}

uint64_t fake_debugger_close(struct fake_debugger *debugger)
{
    mqs_destroy_process_info(debugger->process_info);
    mqs_destroy_image_info(debugger->image_info);
    debugger->process_info = NULL;
    debugger->image_info = NULL;
    return allocations_held;
}

uint64_t fake_allocations(void)
{
    return allocations;
}

uint64_t fake_allocations_held(void)
{
    return allocations_held;
}
