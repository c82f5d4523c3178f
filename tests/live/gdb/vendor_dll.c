/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A debugger library in the manner of vendors': it reads the queue of vendor_program.c by symbols, types and fields,
 * passes NULL where it wants no answer, and says why it cannot work. Its communicator's name tells what the callbacks
 * have given.
 */
#include "mpilens/message_queue.h"

#include <stdio.h>
#include <string.h>

struct _mqs_image_info {
    const mqs_image_callbacks *callbacks;
    mqs_type *type;
    int peer, tag, bytes, next; /* offsets */
};

struct _mqs_process_info {
    const mqs_process_callbacks *callbacks;
    mqs_target_type_sizes sizes;
    struct _mqs_image_info *image;
    mqs_taddr_t head, current;
    int at_communicator;
};

enum { err_corrupt = mqs_first_user_code };
static const mqs_basic_callbacks *basic;

void mqs_setup_basic_callbacks(const mqs_basic_callbacks *callbacks)
{
    basic = callbacks;
}

char *mqs_version_string(void)
{
    return "a vendor's library";
}

int mqs_version_compatibility(void)
{
    return MQS_INTERFACE_COMPATIBILITY;
}

char *mqs_dll_error_string(int code)
{
    return code == err_corrupt ? "The queue is corrupt." : "?";
}

int mqs_setup_image(mqs_image *image, const mqs_image_callbacks *callbacks)
{
    struct _mqs_image_info *info = basic->mqs_malloc_fp(sizeof *info);
    memset(info, 0, sizeof *info);
    info->callbacks = callbacks;
    basic->mqs_put_image_info_fp(image, info);
    return mqs_ok;
}

int mqs_image_has_queues(mqs_image *image, char **ret_message)
{
    struct _mqs_image_info *info = basic->mqs_get_image_info_fp(image);
    *ret_message = "No vendor_message in %s.";
    info->callbacks->mqs_find_function_fp(image, "main", mqs_lang_c, NULL);
    info->callbacks->mqs_find_symbol_fp(image, "vendor_ignore_queues", NULL);
    info->type = info->callbacks->mqs_find_type_fp(image, "vendor_message", mqs_lang_c);
    if (info->type == NULL)
        return mqs_no_information;
    info->peer = info->callbacks->mqs_field_offset_fp(info->type, "peer");
    info->tag = info->callbacks->mqs_field_offset_fp(info->type, "tag");
    info->bytes = info->callbacks->mqs_field_offset_fp(info->type, "bytes");
    info->next = info->callbacks->mqs_field_offset_fp(info->type, "next");
    if (info->next < 0 || info->callbacks->mqs_field_offset_fp(info->type, "no_such_field") != -1)
        return err_corrupt;
    *ret_message = NULL;
    return mqs_ok;
}

int mqs_destroy_image_info(mqs_image_info *info)
{
    basic->mqs_free_fp(info);
    return mqs_ok;
}

int mqs_setup_process(mqs_process *process, const mqs_process_callbacks *callbacks)
{
    struct _mqs_process_info *info = basic->mqs_malloc_fp(sizeof *info);
    memset(info, 0, sizeof *info);
    info->callbacks = callbacks;
    mqs_image *image = callbacks->mqs_get_image_fp(process);
    info->image = basic->mqs_get_image_info_fp(image);
    info->image->callbacks->mqs_get_type_sizes_fp(process, &info->sizes);
    basic->mqs_put_process_info_fp(process, info);
    return mqs_ok;
}

int mqs_process_has_queues(mqs_process *process, char **ret_message)
{
    struct _mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    mqs_image *image = info->callbacks->mqs_get_image_fp(process);
    *ret_message = NULL;
    return info->image->callbacks->mqs_find_symbol_fp(image, "vendor_queue", &info->head);
}

int mqs_destroy_process_info(mqs_process_info *info)
{
    basic->mqs_free_fp(info);
    return mqs_ok;
}

static long fetch(mqs_process *process, mqs_taddr_t address, int bytes)
{
    struct _mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    char raw[8] = {0};
    int narrow = 0;
    long wide = 0;
    if (info->callbacks->mqs_fetch_data_fp(process, address, bytes, raw) != mqs_ok)
        return -1;
    info->callbacks->mqs_target_to_host_fp(process, raw, bytes == 4 ? (void *)&narrow : (void *)&wide, bytes);
    return bytes == 4 ? narrow : wide;
}

int mqs_update_communicator_list(mqs_process *process)
{
    (void)process;
    return mqs_ok;
}

int mqs_setup_communicator_iterator(mqs_process *process)
{
    basic->mqs_get_process_info_fp(process)->at_communicator = 1;
    return mqs_ok;
}

int mqs_get_communicator(mqs_process *process, mqs_communicator *ret_communicator)
{
    struct _mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    memset(ret_communicator, 0, sizeof *ret_communicator);
    ret_communicator->unique_id = 1;
    ret_communicator->size = 4;
    snprintf(ret_communicator->name, sizeof ret_communicator->name, "world of %d,%d,%d,%d,%d with %d",
             info->sizes.short_size, info->sizes.int_size, info->sizes.long_size, info->sizes.long_long_size,
             info->sizes.pointer_size, info->image->callbacks->mqs_sizeof_fp(info->image->type));
    return mqs_ok;
}

int mqs_next_communicator(mqs_process *process)
{
    basic->mqs_get_process_info_fp(process)->at_communicator = 0;
    return mqs_end_of_list;
}

int mqs_setup_operation_iterator(mqs_process *process, int op_class)
{
    struct _mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    if (op_class != mqs_pending_receives)
        return mqs_no_information;
    info->current = (mqs_taddr_t)fetch(process, info->head, info->sizes.pointer_size);
    return mqs_ok;
}

int mqs_next_operation(mqs_process *process, mqs_pending_operation *ret_operation)
{
    struct _mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    if (info->current == 0)
        return mqs_end_of_list;
    if (fetch(process, 8, 4) != -1)
        return err_corrupt; /* nothing can be read there */
    memset(ret_operation, 0, sizeof *ret_operation);
    ret_operation->desired_local_rank = fetch(process, info->current + info->image->peer, 4);
    ret_operation->desired_global_rank = ret_operation->desired_local_rank;
    ret_operation->desired_tag = fetch(process, info->current + info->image->tag, 4);
    ret_operation->desired_length = fetch(process, info->current + info->image->bytes, 8);
    strcpy(ret_operation->extra_text[0], "first line");
    strcpy(ret_operation->extra_text[1], "second line");
    info->current = (mqs_taddr_t)fetch(process, info->current + info->image->next, info->sizes.pointer_size);
    return mqs_ok;
}
