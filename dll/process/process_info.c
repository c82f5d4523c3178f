/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Takes snapshots of a process, and steps its iterators through them.
 */
#include "process/process.h"

#include "snapshot/snapshot.h"
#include "target/target.h"
#include "types/types.h"

#include <string.h>
#include <time.h>

/* A process that is running, or dying, may give nonsense once. */
enum { PROCESS_INFO_MOST_COPIES = 3 };

mqs_process_info *process_info(mqs_process *process)
{
    const mqs_basic_callbacks *basic = basic_callbacks();
    return basic != NULL && process != NULL ? basic->mqs_get_process_info_fp(process) : NULL;
}

int process_info_check(const mqs_process_info *info)
{
    if (info != NULL)
        return mqs_ok;
    return basic_callbacks() != NULL ? MPILENS_ERROR_NOT_SET_UP : MPILENS_ERROR_NO_CALLBACKS;
}

static int fetch_data(const struct target *target, mqs_taddr_t address, int bytes, void *ret_bytes)
{
    const mqs_process_callbacks *callbacks = target->callbacks;
    return callbacks->mqs_fetch_data_fp(target->process, address, bytes, ret_bytes);
}

static int find_symbol(const struct target *target, const char *name, mqs_taddr_t *ret_address)
{
    const mqs_process_callbacks *callbacks = target->callbacks;
    return image_find_symbol(callbacks->mqs_get_image_fp(target->process), name, ret_address);
}

static const struct target_access through_callbacks = {fetch_data, find_symbol};

int process_info_make(const struct target_access *access, void *process, const void *callbacks,
                      mqs_process_info **ret_info)
{
    mqs_process_info *info = allocate_array(1, sizeof *info);
    if (info == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    memset(info, 0, sizeof *info);
    info->reading.target = (struct target){
        .access = access, .process = process, .callbacks = callbacks, .word_size = 8, .budget = &info->budget};
    *ret_info = info;
    return mqs_ok;
}

void process_info_free(mqs_process_info *info)
{
    process_info_empty(info);
    release(info);
}

int process_info_set_up(mqs_process *process, const mqs_process_callbacks *given, enum interface interface)
{
    const mqs_basic_callbacks *basic = basic_callbacks();
    if (basic == NULL)
        return MPILENS_ERROR_NO_CALLBACKS;
    if (process == NULL || given == NULL || given->mqs_fetch_data_fp == NULL || given->mqs_get_image_fp == NULL)
        return MPILENS_ERROR_BAD_ARGUMENT;
    mqs_process_info *info = basic->mqs_get_process_info_fp(process);
    mqs_process_info *former = info_exists(info) && info->reading.target.process == process ? info : NULL;
    if (former != NULL && !(former->owners.interfaces & interface)) {
        info->owners.interfaces |= interface;
        if (interface == INTERFACE_MQS) {
            info->reading.target.callbacks = given;
            known_processes_add(info);
        }
        return mqs_ok;
    }
    int code = process_info_make(&through_callbacks, process, given, &info);
    if (code != mqs_ok)
        return code;
    info_owners_begin(&info->owners, interface, former != NULL ? &former->owners : NULL);
    if (former != NULL && info_owners_leave(&former->owners, interface)) {
        process_info_empty(former);
        process_info_drop_aside(former);
    }
    if (interface == INTERFACE_MQS)
        known_processes_add(info);
    /* The runtime may not be mapped yet, so its symbol is looked up when it is needed. */
    basic->mqs_put_process_info_fp(process, info);
    return mqs_ok;
}

/* Where the root is. */
static int find_root(mqs_process_info *info)
{
    const struct target *target = &info->reading.target;
    mqs_taddr_t address = 0;
    if (info->reading.root.address != 0)
        return mqs_ok;
    const int code = target->access->find_symbol(target, MPILENS_PROCESS_SYMBOL, &address);
    if (code == mqs_ok)
        info->reading.root.address = address;
    return code;
}

int process_info_identify(mqs_process_info *info, struct mpilens_process *ret_process)
{
    int code = find_root(info);
    if (code != mqs_ok)
        return code;
    code = root_identify(&info->reading.target, &info->reading.root, ret_process);
    if (code != mqs_ok)
        info->reading.root.address = 0;
    return code;
}

int process_info_attach(mqs_process_info *info)
{
    int code = find_root(info);
    if (code != mqs_ok)
        return code;
    code = root_read(&info->reading.target, &info->reading.root);
    /* The target's claim of memory bounds its tables: see copy_budget.c. */
    if (code == mqs_ok)
        copy_budget_begin(&info->budget, info->reading.root.process.memory_bytes);
    else
        info->reading.root.address = 0;
    return code;
}

void process_info_end_reading_ahead(mqs_process_info *info)
{
    info->reading.target.ahead = NULL;
    read_ahead_free(&info->ahead);
}

void process_info_empty(mqs_process_info *info)
{
    known_processes_remove(info);
    if (info->shared != NULL)
        process_info_free(info->shared);
    info->shared = NULL;
    process_info_drop_copy(info);
    process_info_end_reading_ahead(info);
    function_table_free(&info->reading.functions);
    root_free(&info->reading.root);
}

int process_info_put_aside(mqs_process_info *info, const mqs_process_callbacks *given)
{
    if (info->aside != NULL)
        return mqs_ok;
    mqs_process_info *aside = NULL;
    int code = process_info_make(&through_callbacks, info->reading.target.process, given, &aside);
    if (code != mqs_ok)
        return code;
    aside->owners.memory = basic_callbacks();
    info->aside = aside;
    return mqs_ok;
}

void process_info_drop_aside(mqs_process_info *info)
{
    if (info->aside == NULL)
        return;
    const mqs_basic_callbacks *former = basic_callbacks_exchange(info->aside->owners.memory);
    process_info_free(info->aside);
    info->aside = NULL;
    basic_callbacks_exchange(former);
}

int process_info_prepare(mqs_process_info *info)
{
    int code = process_info_attach(info);
    if (code != mqs_ok)
        return code;
    if (info->reading.root.process.state == MPILENS_PROCESS_UNUSED)
        return MPILENS_ERROR_NOT_INITIALIZED;
    return function_table_read(&info->reading.target, &info->reading.root, &info->reading.functions);
}

static int try_copy(mqs_process_info *info)
{
    int code = process_info_prepare(info);
    return code == mqs_ok ? snapshot_take(&info->reading) : code;
}

void process_info_drop_copy(mqs_process_info *info)
{
    type_signatures_free(info->type_signatures);
    info->type_signatures = NULL;
    snapshot_free(&info->reading.snapshot);
    unexpected_list_free(&info->unexpected);
    info->copied = info->is_former = info->is_partial = info->is_for_lookup = info->is_unmoved = false;
    info->tables = 0;
    process_info_rewind(info);
}

void process_info_rewind(mqs_process_info *info)
{
    info->next_thread = SIZE_MAX;
    info->communicator = info->reading.snapshot.communicator_count;
    info->requests = info->objects = (struct bucket_position){0, 0};
    process_info_set_object(info, MPILENS_OBJECT_NONE, NULL);
    page_lines_free(&info->page);
    process_info_reset_iterators(info);
}

void process_info_take_over(mqs_process_info *info, mqs_process_info *from)
{
    process_info_drop_copy(info);
    process_info_end_reading_ahead(info);
    process_info_end_reading_ahead(from);
    function_table_free(&info->reading.functions);
    root_free(&info->reading.root);
    info->reading.root = from->reading.root;
    info->reading.functions = from->reading.functions;
    info->reading.snapshot = from->reading.snapshot;
    info->reading.target.word_size = from->reading.target.word_size;
    info->budget = from->budget;
    info->snapshot_code = from->snapshot_code;
    info->copied = from->copied;
    info->unexpected = from->unexpected;
    info->moment = from->moment;
    info->round = from->round;
    from->reading.root = (struct root){0};
    from->reading.functions = (struct function_table){0};
    from->reading.snapshot = (struct snapshot){0};
    from->unexpected = (struct unexpected_list){0};
    process_info_drop_copy(from);
    process_info_rewind(info);
}

/* A copy that is out of the way while another one is tried. */
struct former_copy {
    bool exists;
    struct root root;
    struct snapshot snapshot;
    struct unexpected_list unexpected;
};

static struct former_copy put_copy_away(mqs_process_info *info)
{
    struct former_copy former = {.exists = info->copied && !info->is_partial && info->snapshot_code == mqs_ok &&
                                           info->reading.root.bytes != NULL};
    const size_t bytes = info->reading.root.offsets.header.process_size;
    if (former.exists) {
        former.root = info->reading.root;
        former.root.bytes = allocate_array(bytes, 1);
        former.exists = former.root.bytes != NULL;
    }
    if (!former.exists)
        return former;
    memcpy(former.root.bytes, info->reading.root.bytes, bytes);
    former.snapshot = info->reading.snapshot;
    former.unexpected = info->unexpected;
    info->reading.snapshot = (struct snapshot){0};
    info->unexpected = (struct unexpected_list){0};
    return former;
}

static void put_copy_back(mqs_process_info *info, const struct former_copy *former)
{
    process_info_drop_copy(info);
    root_free(&info->reading.root);
    info->reading.root = former->root;
    info->reading.snapshot = former->snapshot;
    info->unexpected = former->unexpected;
    info->copied = true;
    info->is_former = true;
    info->snapshot_code = mqs_ok;
    process_info_rewind(info);
}

static void free_former_copy(struct former_copy *former)
{
    if (!former->exists)
        return;
    root_free(&former->root);
    snapshot_free(&former->snapshot);
    unexpected_list_free(&former->unexpected);
}

uint64_t process_info_age_s(const mqs_process_info *info)
{
    const time_t now = time(NULL);
    return now > info->copied_at ? (uint64_t)(now - info->copied_at) : 0;
}

int process_info_copy(mqs_process_info *info)
{
    struct former_copy former = put_copy_away(info);
    process_info_drop_copy(info);
    info->copied = true; /* also where it fails: it is not tried again before the debugger asks for a new one */
    for (int i = 0; i < PROCESS_INFO_MOST_COPIES; i++) {
        info->snapshot_code = try_copy(info);
        if (info->snapshot_code != MPILENS_ERROR_UNREADABLE && info->snapshot_code != MPILENS_ERROR_CORRUPT)
            break;
    }
    const int code = info->snapshot_code;
    info->communicator = info->reading.snapshot.communicator_count;
    if (code == mqs_ok)
        info->copied_at = time(NULL);
    if (code == MPILENS_ERROR_UNREADABLE && former.exists)
        put_copy_back(info, &former);
    else
        free_former_copy(&former);
    return code;
}

/* Distinguishes an object from others whose records had the same address. */
static uint64_t mark_of(int kind, const void *record)
{
    return kind == MPILENS_OBJECT_MESSAGE ? ((const struct mpilens_message *)record)->matched_time
                                          : ((const struct mpilens_object *)record)->serial;
}

int process_info_need_all(mqs_process_info *info)
{
    if (!info->is_partial)
        return mqs_ok;
    const int kind = info->object_kind;
    const enum mpilens_table_kind table = object_table(kind);
    const uint64_t address =
        info->object != NULL ? table_copy_address_of(&info->reading.snapshot.tables[table], info->object) : 0;
    const uint64_t mark = info->object != NULL ? mark_of(kind, info->object) : 0;
    int code = process_info_copy(info);
    info->is_for_lookup = true;
    if (code != mqs_ok || address == 0)
        return code;
    const void *record = snapshot_record(&info->reading.snapshot, table, address);
    if (record == NULL || mark_of(kind, record) != mark)
        return MPILENS_ERROR_NO_CURRENT;
    process_info_set_object(info, kind, record);
    return mqs_ok;
}

int process_info_need_copy(mqs_process_info *info)
{
    int code = process_info_check(info);
    if (code != mqs_ok)
        return code;
    if (info->is_partial)
        process_info_need_all(info);
    else if (!info->copied)
        process_info_copy(info);
    return info->snapshot_code;
}

int process_info_current_communicator(mqs_process_info *info, const struct communicator_view **ret_communicator)
{
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (info->communicator >= info->reading.snapshot.communicator_count)
        return MPILENS_ERROR_NO_CURRENT;
    *ret_communicator = &info->reading.snapshot.communicators[info->communicator];
    return mqs_ok;
}

void process_info_set_object(mqs_process_info *info, int kind, const void *record)
{
    info->object = record;
    info->object_kind = record != NULL ? kind : MPILENS_OBJECT_NONE;
    object_block_free(&info->object_block);
    user_list_free(&info->users);
    info->lists_users = false;
    info->lists_attributes = false;
    if (info->type_map != NULL)
        type_map_free(info->type_map);
    release(info->type_map);
    info->type_map = NULL;
    info->text_position = (struct text_position){0, 0};
}

int process_info_current_object(mqs_process_info *info, int kind, const void **ret_record)
{
    int code = info != NULL && !info->copied ? mqs_ok : process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (info->object == NULL || (kind != MPILENS_OBJECT_NONE && info->object_kind != kind))
        return MPILENS_ERROR_NO_CURRENT;
    *ret_record = info->object;
    return mqs_ok;
}

int process_info_first_communicator(mqs_process_info *info)
{
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    info->communicator = 0;
    process_info_reset_iterators(info);
    return info->reading.snapshot.communicator_count > 0 ? mqs_ok : mqs_end_of_list;
}

int process_info_next_communicator(mqs_process_info *info)
{
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    process_info_reset_iterators(info);
    if (info->communicator < info->reading.snapshot.communicator_count)
        info->communicator++;
    return info->communicator < info->reading.snapshot.communicator_count ? mqs_ok : mqs_end_of_list;
}

int process_info_current_unexpected(const mqs_process_info *info, struct mpilens_unexpected_information *ret_message)
{
    const struct listed_messages *listed = &info->messages_listed;
    if (!listed->is_listing || listed->next == 0 || listed->next > listed->count)
        return MPILENS_ERROR_NO_CURRENT;
    const struct unexpected_message *message = &listed->items[listed->next - 1];
    *ret_message = message->information;
    ret_message->left_out = listed->left_out;
    if (message->moment != 0)
        ret_message->when = (message->moment > info->moment) - (message->moment < info->moment);
    return mqs_ok;
}

int process_info_next_unexpected(mqs_process_info *info, struct mpilens_unexpected_information *ret_message)
{
    struct listed_messages *listed = &info->messages_listed;
    if (listed->next < listed->count + 1)
        listed->next++;
    return listed->next <= listed->count ? process_info_current_unexpected(info, ret_message) : mqs_end_of_list;
}

void process_info_reset_iterators(mqs_process_info *info)
{
    const struct bucket_position at_end = {0, 0};
    info->operations = info->completed = info->channels = info->messages = at_end;
    info->operation = NULL;
    listed_messages_free(&info->messages_listed);
    info->next_collective = 0;
}
