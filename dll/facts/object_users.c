/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds the users of an object: goes through all records that can refer to an object of its kind.
 */
#include "facts/facts.h"

#include "snapshot/snapshot.h"
#include "target/target.h"
#include "types/types.h"

#include <string.h>

/* Arguments of more datatypes than these, or more bytes of them, are not looked at. */
enum { MOST_ARGUMENTS = 1 << 14, FIRST_CAPACITY = 64 };
static const uint64_t argument_bytes_limit = UINT64_C(1) << 28;

/* The object whose users are wanted. */
struct wanted {
    const struct reading *reading;
    int kind;
    uint64_t address;
    uint64_t handle;
    uint32_t serial;
    uint32_t arguments; /* of datatypes that were looked at so far, and their bytes */
    uint64_t argument_bytes;
    struct object_block block; /* those that were looked at last */
};

static int add(struct user_list *list, int kind, uint64_t order, const void *record)
{
    if (list->count == list->capacity) {
        const size_t capacity = list->capacity > 0 ? 2 * list->capacity : FIRST_CAPACITY;
        struct sort_entry *entries = allocate_array(capacity, sizeof *entries);
        if (entries == NULL)
            return MPILENS_ERROR_NO_MEMORY;
        if (list->count > 0)
            memcpy(entries, list->entries, list->count * sizeof *entries);
        release(list->entries);
        list->entries = entries;
        list->capacity = capacity;
    }
    list->entries[list->count++] =
        (struct sort_entry){.major = (uint64_t)kind, .middle = order, .minor = list->count, .item = record};
    return mqs_ok;
}

static bool has_active_collective(const struct mpilens_communicator *communicator, struct wanted *wanted)
{
    const size_t limit = sizeof communicator->recent_collectives / sizeof communicator->recent_collectives[0];
    for (size_t i = 0; i < limit; i++) {
        const struct mpilens_collective *collective = &communicator->recent_collectives[i];
        if (collective->serial == 0 || !collective->active)
            continue;
        if (wanted->kind == MPILENS_OBJECT_OP ? wanted->handle != 0 && collective->op == wanted->handle
                                              : collective->datatype == wanted->address)
            return true;
    }
    return false;
}

static bool communicator_uses(const void *record, struct wanted *wanted)
{
    const struct mpilens_communicator *communicator = record;
    switch (wanted->kind) {
    case MPILENS_OBJECT_GROUP:
        return communicator->group == wanted->address || communicator->remote_group == wanted->address;
    case MPILENS_OBJECT_ERRHANDLER:
        return communicator->errhandler == wanted->address;
    case MPILENS_OBJECT_SESSION:
        return communicator->session == wanted->address;
    case MPILENS_OBJECT_INFO:
        return wanted->serial != 0 && communicator->info == wanted->serial;
    case MPILENS_OBJECT_OP:
    case MPILENS_OBJECT_DATATYPE:
        return has_active_collective(communicator, wanted);
    default:
        return false;
    }
}

static bool window_uses(const void *record, struct wanted *wanted)
{
    const struct mpilens_window *window = record;
    switch (wanted->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return window->communicator == wanted->address;
    case MPILENS_OBJECT_GROUP:
        return window->access_group == wanted->address || window->exposure_group == wanted->address;
    case MPILENS_OBJECT_ERRHANDLER:
        return window->errhandler == wanted->address;
    case MPILENS_OBJECT_INFO:
        return wanted->serial != 0 && window->info == wanted->serial;
    default:
        return false;
    }
}

static bool file_uses(const void *record, struct wanted *wanted)
{
    const struct mpilens_file *file = record;
    switch (wanted->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return file->communicator == wanted->address;
    case MPILENS_OBJECT_DATATYPE:
        return file->view_etype == wanted->address || file->view_filetype == wanted->address;
    case MPILENS_OBJECT_ERRHANDLER:
        return file->errhandler == wanted->address;
    case MPILENS_OBJECT_INFO:
        return wanted->serial != 0 && file->info == wanted->serial;
    default:
        return false;
    }
}

static bool session_uses(const void *record, struct wanted *wanted)
{
    return wanted->kind == MPILENS_OBJECT_ERRHANDLER &&
           ((const struct mpilens_session *)record)->errhandler == wanted->address;
}

static bool group_uses(const void *record, struct wanted *wanted)
{
    const struct mpilens_group *group = record;
    return wanted->kind == MPILENS_OBJECT_SESSION && group->handle != 0 && group->session == wanted->address;
}

static bool datatype_uses(const void *record, struct wanted *wanted)
{
    const uint64_t bytes = datatype_argument_count(record) * sizeof(uint64_t);
    struct datatype_arguments arguments;
    if (wanted->kind != MPILENS_OBJECT_DATATYPE || ((const struct mpilens_datatype *)record)->datatype_count == 0 ||
        wanted->arguments == MOST_ARGUMENTS || bytes > argument_bytes_limit - wanted->argument_bytes)
        return false;
    wanted->arguments++;
    wanted->argument_bytes += bytes;
    if (datatype_arguments_read(wanted->reading, &wanted->block, record, &arguments) != mqs_ok)
        return false;
    for (size_t i = 0; i < arguments.datatype_count; i++)
        if (datatype_arguments_address(&arguments, i) == wanted->address)
            return true;
    return false;
}

static bool message_uses(const void *record, struct wanted *wanted)
{
    return wanted->kind == MPILENS_OBJECT_COMMUNICATOR &&
           ((const struct mpilens_message *)record)->communicator == wanted->address;
}

static int add_objects(struct user_list *list, struct wanted *wanted)
{
    static const struct {
        int kind;
        bool (*uses)(const void *, struct wanted *);
    } users[] = {
        {MPILENS_OBJECT_COMMUNICATOR, communicator_uses},
        {MPILENS_OBJECT_GROUP, group_uses},
        {MPILENS_OBJECT_DATATYPE, datatype_uses},
        {MPILENS_OBJECT_SESSION, session_uses},
        {MPILENS_OBJECT_WINDOW, window_uses},
        {MPILENS_OBJECT_FILE, file_uses},
        {MPILENS_OBJECT_MESSAGE, message_uses},
    };
    int code = mqs_ok;
    for (size_t i = 0; code == mqs_ok && i < sizeof users / sizeof users[0]; i++) {
        const struct table_copy *copy = &wanted->reading->snapshot.tables[object_table(users[i].kind)];
        struct table_position position = {0};
        for (const uint32_t *state; code == mqs_ok && (state = table_copy_next(copy, &position)) != NULL;) {
            if (*state == MPILENS_OBJECT_LIVE && users[i].uses(state, wanted))
                code = add(list, users[i].kind,
                           users[i].kind == MPILENS_OBJECT_MESSAGE
                               ? 0
                               : ((const struct mpilens_object *)(const void *)state)->serial,
                           state);
        }
    }
    return code;
}

/* Attributes that are set on the object, or that are of the keyval. */
static int add_attributes(struct user_list *list, struct wanted *wanted)
{
    const struct snapshot *copy = &wanted->reading->snapshot;
    struct table_position position = {0};
    int code = mqs_ok;
    for (const struct mpilens_attribute *attribute;
         code == mqs_ok && (attribute = table_copy_next(&copy->tables[MPILENS_TABLE_ATTRIBUTES], &position)) != NULL;) {
        const int kind = attached_kind(attribute->object_kind);
        int user_kind = MPILENS_OBJECT_NONE;
        uint64_t address = 0;
        if (attribute->state != MPILENS_OBJECT_LIVE)
            continue;
        if (wanted->kind == kind && attribute->object == wanted->address) {
            user_kind = MPILENS_OBJECT_KEYVAL;
            address = attribute->keyval;
        } else if (wanted->kind == MPILENS_OBJECT_KEYVAL && attribute->keyval == wanted->address) {
            user_kind = kind;
            address = attribute->object;
        }
        const struct mpilens_object *object =
            user_kind != MPILENS_OBJECT_NONE ? snapshot_record(copy, object_table(user_kind), address) : NULL;
        if (object != NULL)
            code = add(list, user_kind, object->serial, object);
    }
    return code;
}

static bool operation_uses(const struct mpilens_operation *operation, struct wanted *wanted)
{
    switch (wanted->kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return operation->communicator == wanted->address ||
               ((operation->flags & MPILENS_OPERATION_COMMUNICATOR) && operation->object == wanted->address);
    case MPILENS_OBJECT_DATATYPE:
        return operation->datatype == wanted->address;
    case MPILENS_OBJECT_OP:
        return operation->state == MPILENS_OPERATION_PERSISTENT && (operation->flags & MPILENS_OPERATION_COLLECTIVE) &&
               wanted->handle != 0 && operation->op == wanted->handle;
    case MPILENS_OBJECT_WINDOW:
        return (operation->flags & MPILENS_OPERATION_ONE_SIDED) && operation->object == wanted->address;
    case MPILENS_OBJECT_FILE:
        return (operation->flags & MPILENS_OPERATION_FILE) && operation->object == wanted->address;
    default:
        return false;
    }
}

/* The operation that a persistent request started stands for both. */
static bool is_listed(const struct snapshot *copy, const struct mpilens_operation *operation)
{
    if (operation->state != MPILENS_OPERATION_PERSISTENT)
        return operation_is_live(operation);
    const struct mpilens_operation *active = snapshot_partner(copy, operation);
    return active == NULL || !operation_is_live(active);
}

static int add_operations(struct user_list *list, struct wanted *wanted)
{
    const struct snapshot *copy = &wanted->reading->snapshot;
    struct table_position position = {0};
    int code = mqs_ok;
    for (const struct mpilens_operation *operation;
         code == mqs_ok && (operation = table_copy_next(&copy->tables[MPILENS_TABLE_OPERATIONS], &position)) != NULL;)
        if (operation_uses(operation, wanted) && is_listed(copy, operation))
            code = add(list, MPILENS_OBJECT_REQUEST, operation->posted, operation);
    return code;
}

/* The handle by which calls name the object. A freed object keeps it until another gets it, as calls that have begun
 * go on. */
static uint64_t handle_of(const struct reading *reading, int kind, const struct mpilens_object *object)
{
    if (object->state == MPILENS_OBJECT_LIVE || object->handle == 0)
        return object->handle;
    const struct handle handle = {.kind = kind, .language = MPILENS_HANDLE_C, .value = object->handle};
    const struct table_copy *copy = &reading->snapshot.tables[object_table(kind)];
    return handle_lookup(copy, &reading->root.process, &handle) == object ? object->handle : 0;
}

int user_list_make(const struct reading *reading, int kind, const void *record, struct user_list *ret_list)
{
    struct wanted wanted = {.reading = reading,
                            .kind = kind,
                            .address = table_copy_address_of(&reading->snapshot.tables[object_table(kind)], record)};
    if (kind != MPILENS_OBJECT_MESSAGE && kind != MPILENS_OBJECT_ATTRIBUTE) {
        wanted.handle = handle_of(reading, kind, record);
        wanted.serial = ((const struct mpilens_object *)record)->serial;
    }
    struct user_list list = {.entries = NULL};
    int code = mqs_ok;
    if (wanted.address != 0) {
        code = add_objects(&list, &wanted);
        if (code == mqs_ok)
            code = add_attributes(&list, &wanted);
        if (code == mqs_ok)
            code = add_operations(&list, &wanted);
        if (code == mqs_ok && list.count > 0)
            code = sort_entries(list.entries, list.count);
    }
    object_block_free(&wanted.block);
    if (code != mqs_ok) {
        user_list_free(&list);
        return code;
    }
    *ret_list = list;
    return mqs_ok;
}

void user_list_free(struct user_list *list)
{
    release(list->entries);
    memset(list, 0, sizeof *list);
}
