/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Makes pages: lines that all objects have, and lines that few kinds have.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "process/process.h"
#include "snapshot/snapshot.h"

#include "mpilens/words.h"

#include <inttypes.h>

/* Lines of one list. */
enum { MOST_LISTED = 1 << 16 };

/* The call that freed it, and whether MPI has let it go. */
static void add_end(struct page_lines *page, const struct mpilens_object_information *object,
                    const struct mpilens_handle_information *handle, size_t user_count)
{
    if (!object->freed) {
        if (object->references > 1)
            page_write(page, 0, "references", "%u: to be freed as many times", object->references);
        return;
    }
    page_add_call(page, 0, "freed by", handle->freed_function[0] != '\0' ? handle->freed_function : "the application",
                  handle->freed_site, 0);
    page_add(page, 0, "kept by MPI",
             object->users == 0 && user_count == 0 ? "no longer" : "until nothing refers to it");
}

static void add_identity(struct page_lines *page, mqs_process_info *info, size_t user_count)
{
    struct mpilens_object_information object;
    struct mpilens_handle_information handle = {.struct_size = sizeof handle};
    object_describe(&info->reading, info->object_kind, info->object, &object);
    const bool has_handle = reply_get_handle(info, &handle) == mqs_ok;
    if (has_handle)
        page_write(page, 0, "handle",
                   object.handle != 0 || info->object_kind == MPILENS_OBJECT_KEYVAL ? "0x%" PRIx64 : "not known",
                   object.handle);
    if (has_handle && handle.has_fortran_handle)
        page_write(page, 0, "Fortran handle", "%" PRId64, handle.fortran_handle);
    if (object.name[0] != '\0')
        page_add(page, 0, "name", object.name);
    if (object.predefined) {
        page_add(page, 0, "made by", "MPI (predefined)");
    } else if (object.function[0] != '\0') {
        char call[96];
        struct text text = text_begin(call, sizeof call);
        text_add(&text, object.function);
        text_add(&text, handle.from_fortran ? " from Fortran" : "");
        page_add_call(page, 0, "made by", call, object.site, 0);
    } else if (object.origin_unseen) {
        page_add(page, 0, "made by", "a call that was not seen");
    }
    add_end(page, &object, &handle, user_count);
    if (info->object_kind != MPILENS_OBJECT_COMMUNICATOR)
        page_communicator_name(page, &info->reading, "communicator", object.communicator_id);
}

/* The record of the error handler that an object has, 0: none, or not known. */
static uint64_t errhandler_of(int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->errhandler;
    case MPILENS_OBJECT_WINDOW:
        return ((const struct mpilens_window *)record)->errhandler;
    case MPILENS_OBJECT_FILE:
        return ((const struct mpilens_file *)record)->errhandler;
    case MPILENS_OBJECT_SESSION:
        return ((const struct mpilens_session *)record)->errhandler;
    default:
        return 0;
    }
}

static void add_errhandler(struct page_lines *page, mqs_process_info *info)
{
    const uint64_t address = errhandler_of(info->object_kind, info->object);
    const struct mpilens_errhandler *errhandler =
        address != 0 ? snapshot_record(&info->reading.snapshot, MPILENS_TABLE_ERRHANDLERS, address) : NULL;
    const uint64_t handle = snapshot_errhandler_handle(&info->reading.snapshot, address);
    if (errhandler != NULL && handle != 0)
        page_add(page, 0, "errhandler", page_name(handle, errhandler->name).text);
}

static const char *attachable_phrase(uint32_t attachable)
{
    const char *phrase = mpilens_attachable_phrase(attachable);
    return phrase != NULL ? phrase : "unknown objects";
}

static void add_keyval(struct page_lines *page, const struct mpilens_keyval *keyval)
{
    page_write(page, 0, "for", "attributes of %s", attachable_phrase(keyval->object_kind));
    page_add_function(page, "copy function", keyval->copy_function);
    page_add_function(page, "delete function", keyval->delete_function);
    if (keyval->extra_state != 0)
        page_hexadecimal(page, "extra state", keyval->extra_state);
}

static void add_session(struct page_lines *page, const struct mpilens_session *session)
{
    const char *level = mpilens_thread_level_phrase((uint32_t)session->thread_level);
    if (level != NULL)
        page_add(page, 0, "thread level", level);
    if (session->buffer != 0)
        page_write(page, 0, "buffer", "%" PRIu64 " bytes at 0x%" PRIx64, session->buffer_bytes, session->buffer);
}

static void add_attribute(struct page_lines *page, const struct snapshot *snapshot,
                          const struct mpilens_attribute *record)
{
    struct mpilens_attribute_information attribute;
    attribute_describe(snapshot, record, &attribute);
    page_add(page, 0, "keyval", page_name(attribute.keyval_handle, attribute.keyval_name).text);
    page_hexadecimal(page, "value", attribute.value);
}

static void add_kind(struct page_lines *page, mqs_process_info *info)
{
    const struct reading *reading = &info->reading;
    const void *record = info->object;
    switch (info->object_kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        page_communicator(page, info);
        break;
    case MPILENS_OBJECT_GROUP:
        page_group(page, info);
        break;
    case MPILENS_OBJECT_DATATYPE:
        page_datatype(page, reading, record);
        break;
    case MPILENS_OBJECT_OP:
        page_truth(page, "commutative", ((const struct mpilens_op *)record)->commutative != 0);
        page_add_function(page, "function", ((const struct mpilens_op *)record)->user_function);
        break;
    case MPILENS_OBJECT_ERRHANDLER:
        page_add(page, 0, "for", attachable_phrase(((const struct mpilens_errhandler *)record)->object_kind));
        page_add_function(page, "function", ((const struct mpilens_errhandler *)record)->user_function);
        break;
    case MPILENS_OBJECT_KEYVAL:
        add_keyval(page, record);
        break;
    case MPILENS_OBJECT_SESSION:
        add_session(page, record);
        break;
    case MPILENS_OBJECT_WINDOW:
        page_window(page, info);
        break;
    case MPILENS_OBJECT_FILE:
        page_file(page, info);
        break;
    case MPILENS_OBJECT_MESSAGE:
        page_message(page, reading, record);
        break;
    case MPILENS_OBJECT_ATTRIBUTE:
        add_attribute(page, &reading->snapshot, record);
        break;
    default:
        break;
    }
}

static bool is_on(const struct mpilens_attribute *attribute, int kind, uint64_t address)
{
    return attribute->state == MPILENS_OBJECT_LIVE && attribute->object == address &&
           attached_kind(attribute->object_kind) == kind;
}

static size_t count_attributes(const struct table_copy *attributes, int kind, uint64_t address)
{
    struct table_position position = {0};
    size_t count = 0;
    for (const struct mpilens_attribute *attribute; (attribute = table_copy_next(attributes, &position)) != NULL;)
        count += is_on(attribute, kind, address);
    return count;
}

static void add_attributes(struct page_lines *page, const mqs_process_info *info)
{
    const struct snapshot *snapshot = &info->reading.snapshot;
    const struct table_copy *attributes = &snapshot->tables[MPILENS_TABLE_ATTRIBUTES];
    const int kind = info->object_kind;
    const uint64_t address = table_copy_address_of(&snapshot->tables[object_table(kind)], info->object);
    const size_t count = address != 0 ? count_attributes(attributes, kind, address) : 0;
    struct table_position position = {0};
    size_t listed = 0;
    if (count > 0)
        page_write(page, 0, "attributes", "%zu", count);
    for (const struct mpilens_attribute *record;
         listed < count && (record = table_copy_next(attributes, &position)) != NULL;) {
        struct mpilens_attribute_information attribute;
        if (!is_on(record, kind, address))
            continue;
        attribute_describe(snapshot, record, &attribute);
        page_write(page, 1, page_name(attribute.keyval_handle, attribute.keyval_name).text, "0x%" PRIx64,
                   attribute.value);
        listed++;
    }
}

static void add_texts(struct page_lines *page, mqs_process_info *info)
{
    const int kind = info->object_kind;
    char key[sizeof((struct mpilens_page_line *)0)->label];
    char value[sizeof((struct mpilens_page_line *)0)->text];
    size_t count = 0;
    while (count < MOST_LISTED && reply_get_text_pair(info, count, NULL, 0, NULL, 0) == mqs_ok)
        count++;
    if (count > 0)
        page_write(page, 0,
                   kind == MPILENS_OBJECT_INFO      ? "entries"
                   : kind == MPILENS_OBJECT_SESSION ? "process sets"
                                                    : "hints",
                   "%zu", count);
    for (size_t i = 0; i < count; i++)
        if (reply_get_text_pair(info, i, key, sizeof key, value, sizeof value) == mqs_ok)
            page_add(page, 1, key, value);
}

static void add_users(struct page_lines *page, const struct reading *reading, const struct user_list *users)
{
    page->of_users = true;
    if (users->count > 0)
        page_write(page, 0, "used by", "%zu", users->count);
    for (size_t i = 0; i < users->count && i < MOST_LISTED; i++) {
        struct mpilens_user_information user;
        user_describe(reading, &users->entries[i], &user);
        const char *label = mpilens_object_kind_name((int)user.kind);
        if (user.handle == 0 && user.name[0] == '\0')
            page_write(page, 1, label, "#%u", user.serial);
        else
            page_add(page, 1, label, page_name(user.handle, user.name).text);
    }
    if (users->count > MOST_LISTED)
        page_add_more(page, 1);
}

/* Takes the page. */
static int keep(mqs_process_info *info, struct page_lines *page)
{
    const int code = page->code;
    if (code != mqs_ok) {
        page_lines_free(page);
        return code;
    }
    page_lines_free(&info->page);
    info->page = *page;
    return mqs_ok;
}

int mpilens_setup_object_page(mqs_process *process)
{
    mqs_process_info *info = process_info(process);
    struct page_lines page = {.code = mqs_ok};
    const int code = users_need(info);
    if (code != mqs_ok)
        return code;
    add_identity(&page, info, info->users.count);
    add_errhandler(&page, info);
    add_kind(&page, info);
    add_attributes(&page, info);
    add_texts(&page, info);
    add_users(&page, &info->reading, &info->users);
    return keep(info, &page);
}

int mpilens_setup_request_page(mqs_process *process, const struct mpilens_operation_information *request)
{
    mqs_process_info *info = process_info(process);
    struct page_lines page = {.code = mqs_ok};
    if (request == NULL || request->struct_size < sizeof *request)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_need_copy(info);
    if (code != mqs_ok)
        return code;
    if (request->serial != 0 || request->flags != 0)
        page_request(&page, &info->reading, request);
    return keep(info, &page);
}

int mpilens_setup_status_page(mqs_process *process, const struct mpilens_status_information *status)
{
    mqs_process_info *info = process_info(process);
    struct page_lines page = {.code = mqs_ok};
    if (status == NULL || status->struct_size < sizeof *status)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_check(info);
    if (code != mqs_ok)
        return code;
    if (!status->ignored)
        page_status(&page, status);
    return keep(info, &page);
}

int mpilens_next_page_line(mqs_process *process, struct mpilens_page_line *ret_line)
{
    mqs_process_info *info = process_info(process);
    if (!reply_is_possible(ret_line))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_check(info);
    if (code != mqs_ok)
        return code;
    if (info->page.next >= info->page.count)
        return mqs_end_of_list;
    const struct page_line *line = &info->page.lines[info->page.next++];
    struct mpilens_page_line answer = {.depth = line->depth,
                                       .of_users = line->of_users,
                                       .site = line->site,
                                       .function = line->function,
                                       .time = line->time};
    text_set(answer.label, sizeof answer.label, info->page.texts + line->label);
    text_set(answer.text, sizeof answer.text, info->page.texts + line->text);
    reply_give(ret_line, &answer, sizeof answer);
    return mqs_ok;
}
