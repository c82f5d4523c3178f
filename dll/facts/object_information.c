/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fills in the facts that all objects share.
 */
#include "facts/facts.h"

#include "snapshot/snapshot.h"

static void set_message(const struct snapshot *copy, const struct mpilens_message *message,
                        struct mpilens_object_information *answer, uint32_t *ret_function)
{
    answer->handle = message->handle;
    answer->references = 1;
    answer->site = message->site;
    answer->created = message->matched_time;
    answer->communicator_id = snapshot_communicator_id(copy, message->communicator);
    *ret_function = message->function;
}

static void set_handled(const struct mpilens_object *object, struct mpilens_object_information *answer,
                        uint32_t *ret_function)
{
    answer->flags = object->flags & ~MPILENS_OBJECT_NULL;
    answer->handle = object->handle;
    answer->serial = object->serial;
    answer->references = object->references;
    answer->users = object->users;
    answer->predefined = (object->flags & MPILENS_OBJECT_PREDEFINED) != 0;
    answer->origin_unseen = (object->flags & MPILENS_OBJECT_ORIGIN_UNSEEN) != 0;
    answer->site = object->site;
    answer->created = object->created;
    *ret_function = object->function;
}

/* The only group that has a name. */
static bool is_empty_group(const struct mpilens_group *group)
{
    return (group->flags & MPILENS_OBJECT_PREDEFINED) && group->size == 0;
}

const char *object_name(int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->name;
    case MPILENS_OBJECT_DATATYPE:
        return ((const struct mpilens_datatype *)record)->name;
    case MPILENS_OBJECT_OP:
        return ((const struct mpilens_op *)record)->name;
    case MPILENS_OBJECT_ERRHANDLER:
        return ((const struct mpilens_errhandler *)record)->name;
    case MPILENS_OBJECT_INFO:
        return ((const struct mpilens_info *)record)->name;
    case MPILENS_OBJECT_KEYVAL:
        return ((const struct mpilens_keyval *)record)->name;
    case MPILENS_OBJECT_WINDOW:
        return ((const struct mpilens_window *)record)->name;
    case MPILENS_OBJECT_FILE:
        return ((const struct mpilens_file *)record)->name;
    case MPILENS_OBJECT_GROUP:
        return is_empty_group(record) ? "MPI_GROUP_EMPTY" : "";
    default:
        return "";
    }
}

static uint64_t communicator_of(const struct snapshot *copy, int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        return ((const struct mpilens_communicator *)record)->unique_id;
    case MPILENS_OBJECT_WINDOW:
        return snapshot_communicator_id(copy, ((const struct mpilens_window *)record)->communicator);
    case MPILENS_OBJECT_FILE:
        return snapshot_communicator_id(copy, ((const struct mpilens_file *)record)->communicator);
    default:
        return 0;
    }
}

void object_describe(const struct reading *reading, int kind, const void *record,
                     struct mpilens_object_information *ret_answer)
{
    const uint32_t *state = record;
    uint32_t function = 0;
    struct mpilens_object_information answer = {.kind = (uint32_t)kind, .freed = *state == MPILENS_OBJECT_FREED};
    if (kind == MPILENS_OBJECT_MESSAGE) {
        set_message(&reading->snapshot, record, &answer, &function);
    } else if (kind == MPILENS_OBJECT_ATTRIBUTE) {
        answer.references = 1;
        answer.site = ((const struct mpilens_attribute *)record)->site;
    } else {
        set_handled(record, &answer, &function);
        answer.communicator_id = communicator_of(&reading->snapshot, kind, record);
    }
    const struct mpilens_function *made_by = function_table_get(&reading->functions, function);
    answer.purpose = made_by->purpose;
    text_set(answer.function, sizeof answer.function, made_by->name);
    text_set(answer.name, sizeof answer.name, object_name(kind, record));
    *ret_answer = answer;
}

void attribute_describe(const struct snapshot *copy, const struct mpilens_attribute *attribute,
                        struct mpilens_attribute_information *ret_answer)
{
    struct mpilens_attribute_information answer = {.value = attribute->value, .site = attribute->site};
    const struct mpilens_keyval *keyval = snapshot_keyval(copy, attribute->keyval);
    if (keyval != NULL) {
        answer.keyval_serial = keyval->serial;
        text_set(answer.keyval_name, sizeof answer.keyval_name, keyval->name);
        answer.keyval_handle = keyval->state == MPILENS_OBJECT_LIVE ? keyval->handle : 0;
    }
    const struct object_reference object =
        object_reference_get(copy, attached_kind(attribute->object_kind), attribute->object);
    answer.object_kind = object.kind;
    answer.object_serial = object.serial;
    answer.object_handle = object.handle;
    *ret_answer = answer;
}
