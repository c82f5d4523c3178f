/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One sentence about an object: its kind and name, the facts by which people know it, and last the call that made it.
 */
#include "replies/replies.h"

#include "facts/facts.h"
#include "snapshot/snapshot.h"

#include "mpilens/words.h"

static void say_operator(struct sentence *sentence, const struct mpilens_op *op)
{
    sentence_add(sentence, op->commutative ? "commutative" : "not commutative");
    summary_say_user_function(sentence, op->user_function);
}

static void say_errhandler(struct sentence *sentence, const struct mpilens_errhandler *errhandler)
{
    summary_say_attachable(sentence, errhandler->object_kind);
    summary_say_user_function(sentence, errhandler->user_function);
}

static void say_group(struct sentence *sentence, const struct mpilens_group *group)
{
    if (group->size == 0) {
        sentence_add(sentence, "empty");
        return;
    }
    if (group->rank >= 0) {
        summary_say_rank(sentence, group->rank, group->size);
        return;
    }
    sentence_add_number(sentence, "", (uint64_t)group->size, group->size == 1 ? " member" : " members");
    sentence_add(sentence, "this process is not one");
}

static void say_datatype(struct sentence *sentence, const struct mpilens_datatype *datatype)
{
    if (datatype->size >= 0) {
        sentence_add_number(sentence, "", (uint64_t)datatype->size, datatype->size == 1 ? " byte" : " bytes");
        if (datatype->extent >= 0 && datatype->extent != datatype->size)
            sentence_add_number(sentence, "extent ", (uint64_t)datatype->extent, "");
    }
    if (!(datatype->flags & MPILENS_OBJECT_PREDEFINED))
        sentence_add(sentence, datatype->flags & MPILENS_DATATYPE_COMMITTED ? "committed" : "not committed");
}

static void say_info(struct sentence *sentence, const struct mpilens_info *info)
{
    const uint64_t count = info->entries[0].count / 2;
    sentence_add_number(sentence, "", count, count == 1 ? " entry" : " entries");
}

static void say_keyval(struct sentence *sentence, const struct mpilens_keyval *keyval)
{
    summary_say_attachable(sentence, keyval->object_kind);
    if (!(keyval->flags & MPILENS_OBJECT_PREDEFINED))
        sentence_add_number(sentence, "set on ", keyval->users, keyval->users == 1 ? " object" : " objects");
}

static void say_session(struct sentence *sentence, const struct mpilens_session *session)
{
    const char *phrase = mpilens_thread_level_phrase((uint32_t)session->thread_level);
    if (phrase == NULL)
        return;
    sentence_add(sentence, "thread level ");
    text_add(&sentence->text, phrase);
}

static void say_message(struct sentence *sentence, const struct reading *reading, const struct mpilens_message *message)
{
    if (message->source >= 0)
        sentence_add_number(sentence, "from rank ", (uint64_t)message->source, "");
    if (message->tag >= 0)
        sentence_add_number(sentence, "tag ", (uint64_t)message->tag, "");
    sentence_add_number(sentence, "", message->bytes, message->bytes == 1 ? " byte" : " bytes");
    summary_say_communicator(sentence, reading, "on ", message->communicator);
    const char *function = function_table_get(&reading->functions, message->function)->name;
    sentence_add(sentence, "not received");
    if (function[0] != '\0') {
        sentence_add(sentence, "matched by ");
        text_add(&sentence->text, function);
    }
}

static void say_facts(struct sentence *sentence, const struct reading *reading, int kind, const void *record)
{
    switch (kind) {
    case MPILENS_OBJECT_COMMUNICATOR:
        summary_say_communicator_facts(sentence, record);
        break;
    case MPILENS_OBJECT_GROUP:
        say_group(sentence, record);
        break;
    case MPILENS_OBJECT_DATATYPE:
        say_datatype(sentence, record);
        break;
    case MPILENS_OBJECT_OP:
        say_operator(sentence, record);
        break;
    case MPILENS_OBJECT_ERRHANDLER:
        say_errhandler(sentence, record);
        break;
    case MPILENS_OBJECT_INFO:
        say_info(sentence, record);
        break;
    case MPILENS_OBJECT_KEYVAL:
        say_keyval(sentence, record);
        break;
    case MPILENS_OBJECT_SESSION:
        say_session(sentence, record);
        break;
    case MPILENS_OBJECT_WINDOW:
        summary_say_window_facts(sentence, reading, record);
        break;
    case MPILENS_OBJECT_FILE:
        summary_say_file_facts(sentence, reading, record);
        break;
    default:
        break;
    }
}

/* "split from MPI_COMM_WORLD", "made by MPI_Cart_sub of grid", "made by MPI_Type_vector". */
static void say_origin(struct sentence *sentence, const struct mpilens_function *function, const char *parent)
{
    const bool has_parent = parent[0] != '\0';
    if (has_parent && function->purpose == MPILENS_PURPOSE_SPLIT) {
        sentence_add(sentence, "split from ");
    } else if (has_parent && function->purpose == MPILENS_PURPOSE_DUPLICATE) {
        sentence_add(sentence, "duplicated from ");
    } else {
        sentence_add(sentence, "made by ");
        text_add(&sentence->text, function->name);
        if (has_parent)
            text_add(&sentence->text, " of ");
    }
    text_add(&sentence->text, parent);
}

/* Where it comes from and whether it is still there. */
static void say_life(struct sentence *sentence, const struct reading *reading, int kind, const void *record)
{
    const struct mpilens_object *object = record;
    if (object->state == MPILENS_OBJECT_FREED) {
        const char *by = function_table_get(&reading->functions, object->freed_function)->name;
        sentence_add(sentence, "freed by the application");
        if (by[0] != '\0') {
            text_add(&sentence->text, " with ");
            text_add(&sentence->text, by);
        }
    }
    if (object->flags & MPILENS_OBJECT_PREDEFINED) {
        sentence_add(sentence, "predefined");
        return;
    }
    const struct mpilens_function *function = function_table_get(&reading->functions, object->function);
    if (object->flags & MPILENS_OBJECT_ORIGIN_UNSEEN) {
        sentence_add(sentence, "made by a call that was not seen");
    } else if (function->name[0] != '\0') {
        char parent[MAX_PARENT_NAME] = "";
        struct text text = text_begin(parent, sizeof parent);
        if (kind == MPILENS_OBJECT_COMMUNICATOR)
            text_add_parent(&text, reading, record);
        say_origin(sentence, function, parent);
    }
}

/* Summarizes the record that is the current object. */
static struct sentence summarize(const mqs_process_info *info, const void *record, char *text, size_t bytes)
{
    const int kind = info->object_kind;
    const bool has_handle = kind != MPILENS_OBJECT_ATTRIBUTE;
    const uint64_t handle = !has_handle                      ? 0
                            : kind == MPILENS_OBJECT_MESSAGE ? ((const struct mpilens_message *)record)->handle
                                                             : ((const struct mpilens_object *)record)->handle;
    struct sentence sentence =
        sentence_begin(text, bytes, mpilens_object_kind_name(kind), object_name(kind, record), handle);
    if (kind == MPILENS_OBJECT_MESSAGE) {
        say_message(&sentence, &info->reading, record);
    } else if (has_handle) {
        say_facts(&sentence, &info->reading, kind, record);
        say_life(&sentence, &info->reading, kind, record);
    }
    return sentence;
}

int mpilens_summarize_object(mqs_process *process, char *ret_text, size_t bytes)
{
    mqs_process_info *info = process_info(process);
    const void *record = NULL;
    if (ret_text == NULL || bytes == 0)
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code == mqs_ok)
        summarize(info, record, ret_text, bytes);
    return code;
}

int mpilens_get_summary(mqs_process *process, struct mpilens_summary_information *ret_summary)
{
    mqs_process_info *info = process_info(process);
    const void *record = NULL;
    int code = reply_object(info, MPILENS_OBJECT_NONE, ret_summary, &record);
    if (code != mqs_ok)
        return code;
    struct mpilens_summary_information answer = {.user_function = 0};
    const struct sentence sentence = summarize(info, record, answer.text, sizeof answer.text);
    answer.user_function = sentence.user_function;
    answer.function_offset = (uint32_t)sentence.function_offset;
    answer.function_bytes = (uint32_t)sentence.function_bytes;
    reply_give(ret_summary, &answer, sizeof answer);
    return mqs_ok;
}
