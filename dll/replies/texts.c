/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replies about the texts of an object: pairs of key and value.
 */
#include "replies/replies.h"

#include <string.h>

/* More bytes of texts are treated as corrupt. */
static const uint32_t texts_bytes_limit = 1u << 20;

/* The texts of an object. */
struct text_place {
    const struct mpilens_texts *texts;
    enum mpilens_field field; /* in which the record has them */
    size_t in_a_row;          /* that make one pair: 2, or 1 where there are no values */
};

static bool find_texts(int kind, const void *record, struct text_place *ret_place)
{
    switch (kind) {
    case MPILENS_OBJECT_INFO:
        *ret_place = (struct text_place){((const struct mpilens_info *)record)->entries, MPILENS_FIELD_info_entries, 2};
        return true;
    case MPILENS_OBJECT_COMMUNICATOR:
        *ret_place = (struct text_place){((const struct mpilens_communicator *)record)->hints,
                                         MPILENS_FIELD_communicator_hints, 2};
        return true;
    case MPILENS_OBJECT_WINDOW:
        *ret_place = (struct text_place){((const struct mpilens_window *)record)->hints, MPILENS_FIELD_window_hints, 2};
        return true;
    case MPILENS_OBJECT_FILE:
        *ret_place = (struct text_place){((const struct mpilens_file *)record)->hints, MPILENS_FIELD_file_hints, 2};
        return true;
    case MPILENS_OBJECT_SESSION:
        *ret_place = (struct text_place){((const struct mpilens_session *)record)->process_sets,
                                         MPILENS_FIELD_session_process_sets, 1};
        return true;
    default:
        return false;
    }
}

/* Goes to text `number`. Those are asked for in order mostly, so the place of the last one is kept. False: it is not
 * among those that are kept. */
static bool go_to(struct text_position *position, const uint8_t *bytes, size_t count, uint64_t number)
{
    if (number < position->number)
        *position = (struct text_position){0, 0};
    while (position->number < number && position->offset < count) {
        const uint8_t *end = memchr(bytes + position->offset, 0, count - position->offset);
        position->offset = end != NULL ? (size_t)(end - bytes) + 1 : count;
        position->number++;
    }
    return position->number == number && position->offset < count;
}

/* The text ends at its NUL or where the bytes do. */
static void give_text(const uint8_t *bytes, size_t count, char *ret_text, size_t text_bytes)
{
    if (text_bytes == 0)
        return;
    const uint8_t *end = memchr(bytes, 0, count);
    size_t length = end != NULL ? (size_t)(end - bytes) : count;
    if (length > text_bytes - 1)
        length = text_bytes - 1;
    memcpy(ret_text, bytes, length);
    ret_text[length] = '\0';
}

int reply_get_text_pair(mqs_process_info *info, size_t n, char *ret_key, size_t key_bytes, char *ret_value,
                        size_t value_bytes)
{
    const void *record = NULL;
    struct text_place place;
    if ((key_bytes > 0 && ret_key == NULL) || (value_bytes > 0 && ret_value == NULL))
        return MPILENS_ERROR_BAD_ARGUMENT;
    int code = process_info_current_object(info, MPILENS_OBJECT_NONE, &record);
    if (code != mqs_ok)
        return code;
    if (!find_texts(info->object_kind, record, &place))
        return MPILENS_ERROR_NO_CURRENT;
    if (info->reading.root.offsets.fields[place.field].size == 0)
        return mqs_no_information;
    const struct mpilens_texts *texts = place.texts;
    if (n >= texts->count / place.in_a_row)
        return mqs_end_of_list;
    if (texts->address == 0 || texts->bytes == 0)
        return mqs_no_information;
    if (texts->bytes > texts_bytes_limit)
        return MPILENS_ERROR_CORRUPT;
    const uint8_t *bytes = NULL;
    code = object_block_read(&info->object_block, &info->reading.target, texts->address, texts->bytes, &bytes);
    if (code != mqs_ok)
        return code;
    struct text_position *position = &info->text_position;
    if (!go_to(position, bytes, texts->bytes, (uint64_t)n * place.in_a_row))
        return mqs_no_information;
    const struct text_position key = *position;
    if (place.in_a_row == 2 && !go_to(position, bytes, texts->bytes, (uint64_t)n * 2 + 1))
        return mqs_no_information;
    give_text(bytes + key.offset, texts->bytes - key.offset, ret_key, key_bytes);
    if (place.in_a_row == 2)
        give_text(bytes + position->offset, texts->bytes - position->offset, ret_value, value_bytes);
    else if (value_bytes > 0)
        ret_value[0] = '\0';
    return mqs_ok;
}
