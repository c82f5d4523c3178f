/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The callbacks of the message-queue interface over a target. The DLL needs no debug information, so there are no
 * types.
 */
#include "collect/collect_internal.h"

#include "target/target.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void put_image_information(mqs_image *image, mqs_image_info *information)
{
    image->information = information;
}

static mqs_image_info *get_image_information(mqs_image *image)
{
    return image->information;
}

static void put_process_information(mqs_process *process, mqs_process_info *information)
{
    process->information = information;
}

static mqs_process_info *get_process_information(mqs_process *process)
{
    return process->information;
}

static size_t allocated, before, highest, most = SIZE_MAX;
static bool was_refused;

static void *allocate_within_budget(size_t bytes)
{
    void *memory = allocated <= most && bytes <= most - allocated ? malloc(bytes) : NULL;
    if (memory == NULL) {
        was_refused = true;
        return NULL;
    }
    allocated += malloc_usable_size(memory);
    highest = allocated > highest ? allocated : highest;
    return memory;
}

static void give_back(void *memory)
{
    allocated -= malloc_usable_size(memory);
    free(memory);
}

void debugger_set_budget(size_t bytes)
{
    most = bytes < SIZE_MAX - allocated ? allocated + bytes : SIZE_MAX;
    was_refused = false;
    before = highest = allocated;
}

size_t debugger_used_of_budget(void)
{
    return highest - before;
}

bool debugger_exceeded_budget(void)
{
    return was_refused;
}

const mqs_basic_callbacks debugger_basic_callbacks = {
    .mqs_malloc_fp = allocate_within_budget,
    .mqs_free_fp = give_back,
    .mqs_put_image_info_fp = put_image_information,
    .mqs_get_image_info_fp = get_image_information,
    .mqs_put_process_info_fp = put_process_information,
    .mqs_get_process_info_fp = get_process_information,
};

static void get_type_sizes(mqs_process *process, mqs_target_type_sizes *ret_sizes)
{
    const int word = target_pointer_bytes(process->target);
    *ret_sizes = (mqs_target_type_sizes){
        .short_size = 2, .int_size = 4, .long_size = word, .long_long_size = 8, .pointer_size = word};
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    uint64_t address;
    if (!target_find_symbol(image->target, name, &address))
        return mqs_no_information;
    if (ret_address != NULL)
        *ret_address = (mqs_taddr_t)address;
    return mqs_ok;
}

static int find_function(mqs_image *image, char *name, mqs_lang_code language, mqs_taddr_t *ret_address)
{
    (void)language;
    return find_symbol(image, name, ret_address);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the interface gives the type */
static mqs_type *find_type(mqs_image *image, char *name, mqs_lang_code language)
{
    (void)image;
    (void)name;
    (void)language;
    return NULL;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the interface has char * */
static int field_offset(mqs_type *type, char *name)
{
    (void)type;
    (void)name;
    return -1;
}

static int size_of(mqs_type *type)
{
    (void)type;
    return -1;
}

const mqs_image_callbacks debugger_image_callbacks = {
    .mqs_get_type_sizes_fp = get_type_sizes,
    .mqs_find_function_fp = find_function,
    .mqs_find_symbol_fp = find_symbol,
    .mqs_find_type_fp = find_type,
    .mqs_field_offset_fp = field_offset,
    .mqs_sizeof_fp = size_of,
};

/* The state of the process says it better. */
static int get_global_rank(mqs_process *process)
{
    (void)process;
    return MQS_INVALID_PROCESS;
}

static mqs_image *get_image(mqs_process *process)
{
    return &process->image;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_data)
{
    if (bytes < 0 || target_read(process->target, address, ret_data, (size_t)bytes) != 0)
        return mqs_no_information;
    return mqs_ok;
}

static void target_to_host(mqs_process *process, const void *in, void *ret_out, int bytes)
{
    if (!target_is_other_byte_order(process->target)) {
        memmove(ret_out, in, (size_t)bytes);
        return;
    }
    for (int i = 0; i < bytes; i++)
        ((char *)ret_out)[i] = ((const char *)in)[bytes - 1 - i];
}

const mqs_process_callbacks debugger_process_callbacks = {
    .mqs_get_global_rank_fp = get_global_rank,
    .mqs_get_image_fp = get_image,
    .mqs_fetch_data_fp = fetch_data,
    .mqs_target_to_host_fp = target_to_host,
};
