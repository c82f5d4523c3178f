/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest debugger: all callbacks that the library calls, over the memory of a target. Yours takes its place.
 */
#include "kit.h"

#include <stdlib.h>
#include <string.h>

struct mqs_image_ {
    mqs_image_info *info;
    const struct kit_target *target;
};

struct mqs_process_ {
    mqs_process_info *info;
    struct mqs_image_ *image;
};

static void put_image_info(mqs_image *image, mqs_image_info *info)
{
    image->info = info;
}

static mqs_image_info *get_image_info(mqs_image *image)
{
    return image->info;
}

static void put_process_info(mqs_process *process, mqs_process_info *info)
{
    process->info = info;
}

static mqs_process_info *get_process_info(mqs_process *process)
{
    return process->info;
}

static int find_symbol(mqs_image *image, char *name, mqs_taddr_t *ret_address)
{
    if (strcmp(name, "mpilens_process") != 0)
        return mqs_no_information;
    *ret_address = image->target->symbol;
    return mqs_ok;
}

static mqs_image *get_image(mqs_process *process)
{
    return process->image;
}

static int fetch_data(mqs_process *process, mqs_taddr_t address, int bytes, void *ret_bytes)
{
    const struct kit_target *target = process->image->target;
    const mqs_taddr_t offset = address - target->base;
    if (bytes < 0 || address < target->base || offset > target->bytes || (size_t)bytes > target->bytes - offset)
        return mqs_no_information;
    memcpy(ret_bytes, target->memory + offset, (size_t)bytes);
    return mqs_ok;
}

static mqs_process *open_target(const struct kit_target *target, mqs_image **ret_image)
{
    struct mqs_image_ *image = calloc(1, sizeof *image);
    struct mqs_process_ *process = calloc(1, sizeof *process);
    if (image == NULL || process == NULL) {
        free(image);
        free(process);
        return NULL;
    }
    image->target = target;
    process->image = image;
    *ret_image = image;
    return process;
}

static void close_target(mqs_process *process, mqs_image *image)
{
    free(process);
    free(image);
}

static const mqs_basic_callbacks basic = {
    .mqs_malloc_fp = malloc,
    .mqs_free_fp = free,
    .mqs_put_image_info_fp = put_image_info,
    .mqs_get_image_info_fp = get_image_info,
    .mqs_put_process_info_fp = put_process_info,
    .mqs_get_process_info_fp = get_process_info,
};
static const mqs_image_callbacks image_callbacks = {.mqs_find_symbol_fp = find_symbol};
static const mqs_process_callbacks process_callbacks = {.mqs_get_image_fp = get_image, .mqs_fetch_data_fp = fetch_data};

const struct kit_host kit_host = {&basic, &image_callbacks, &process_callbacks, open_target, close_target};
