/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about who refers to an object, and about the attributes that it has.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"
#include "snapshot/snapshot.h"

int users_need(mqs_process_info *info)
{
    const void *record = NULL;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code == mqs_ok)
        code = process_info_need_all(info);
    if (code != mqs_ok || info->lists_users)
        return code;
    code = user_list_make(&info->reading, info->object_kind, info->object, &info->users);
    info->lists_users = code == mqs_ok;
    info->users.next = info->users.count; /* nobody has asked for them yet */
    return code;
}

bool reply_is_unused(mqs_process_info *info, const struct mpilens_object_information *object)
{
    return object->users == 0 && users_need(info) == mqs_ok && info->users.count == 0;
}

int reply_setup_user_iterator(mqs_process_info *info)
{
    const int code = users_need(info);
    if (code == mqs_ok)
        info->users.next = 0;
    return code;
}

static void describe_operation(const struct reading *reading, const struct mpilens_operation *operation,
                               struct mpilens_user_information *answer)
{
    answer->handle = operation->request;
    answer->operation_serial = operation->posted;
    text_set(answer->name, sizeof answer->name, function_table_get(&reading->functions, operation->function)->name);
}

void user_describe(const struct reading *reading, const struct sort_entry *entry,
                   struct mpilens_user_information *ret_answer)
{
    const int kind = (int)entry->major;
    struct mpilens_user_information answer = {.kind = (uint32_t)kind};
    if (kind == MPILENS_OBJECT_REQUEST) {
        describe_operation(reading, entry->item, &answer);
    } else if (kind == MPILENS_OBJECT_MESSAGE) {
        answer.handle = ((const struct mpilens_message *)entry->item)->handle;
    } else {
        const struct mpilens_object *object = entry->item;
        answer.serial = object->serial;
        answer.handle = object->handle;
        text_set(answer.name, sizeof answer.name, object_name(kind, object));
    }
    *ret_answer = answer;
}

int reply_next_user(mqs_process_info *info, struct mpilens_user_information *ret_user)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_NONE, ret_user, &record);
    if (code != mqs_ok)
        return code;
    if (info->users.next >= info->users.count)
        return mqs_end_of_list;
    struct mpilens_user_information answer;
    user_describe(&info->reading, &info->users.entries[info->users.next++], &answer);
    reply_give(ret_user, &answer, sizeof answer);
    return mqs_ok;
}

static bool has_attributes(int kind)
{
    return kind == MPILENS_OBJECT_COMMUNICATOR || kind == MPILENS_OBJECT_DATATYPE || kind == MPILENS_OBJECT_WINDOW;
}

int reply_setup_attribute_iterator(mqs_process_info *info)
{
    const void *record = NULL;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code != mqs_ok)
        return code;
    if (!has_attributes(info->object_kind))
        return MPILENS_ERROR_NO_CURRENT;
    code = process_info_need(info, TABLE_BIT(MPILENS_TABLE_ATTRIBUTES) | TABLE_BIT(MPILENS_TABLE_KEYVALS));
    if (code != mqs_ok)
        return code;
    info->attributes = (struct table_position){0};
    info->lists_attributes = true;
    return mqs_ok;
}

int reply_next_attribute(mqs_process_info *info, struct mpilens_attribute_information *ret_attribute)
{
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_NONE, ret_attribute, &record);
    if (code != mqs_ok)
        return code;
    if (!info->lists_attributes)
        return mqs_end_of_list;
    const int kind = info->object_kind;
    const uint64_t address = table_copy_address_of(&info->reading.snapshot.tables[object_table(kind)], record);
    for (const struct mpilens_attribute *attribute;
         (attribute = table_copy_next(&info->reading.snapshot.tables[MPILENS_TABLE_ATTRIBUTES], &info->attributes)) !=
         NULL;) {
        if (attribute->state != MPILENS_OBJECT_LIVE || attribute->object != address ||
            attached_kind(attribute->object_kind) != kind)
            continue;
        struct mpilens_attribute_information answer;
        attribute_describe(&info->reading.snapshot, attribute, &answer);
        reply_give(ret_attribute, &answer, sizeof answer);
        return mqs_ok;
    }
    return mqs_end_of_list;
}
