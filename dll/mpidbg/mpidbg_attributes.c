/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lists the attributes of the current object.
 */
#include "mpidbg/mpidbg_internal.h"

#include "answers/answers.h"
#include "facts/facts.h"
#include "replies/replies.h"
#include "target/target.h"

#include <string.h>

/* A pair, and room for its texts. */
struct texts {
    char name[32]; /* empty: none */
    char value[24];
};

static int collect(const struct inquiry *inquiry, struct answer_list *attributes)
{
    int code = reply_setup_attribute_iterator(inquiry->info);
    struct mpilens_attribute_information attribute = {.struct_size = sizeof attribute};
    while (code == mqs_ok && (code = reply_next_attribute(inquiry->info, &attribute)) == mqs_ok)
        code = answer_list_add(attributes, &attribute);
    return code == mqs_end_of_list || code == mqs_no_information || code == MPILENS_ERROR_NO_CURRENT ? mqs_ok : code;
}

static void set_texts(const struct inquiry *inquiry, const struct mpilens_attribute_information *attribute,
                      struct texts *texts)
{
    struct mpilens_object_information keyval = {.struct_size = sizeof keyval};
    text_set(texts->name, sizeof texts->name, "");
    if (reply_find_object_by_serial(inquiry->info, MPILENS_OBJECT_KEYVAL, attribute->keyval_serial, &keyval) ==
            mqs_ok &&
        keyval.predefined)
        text_set(texts->name, sizeof texts->name, keyval.name);
    struct text value = text_begin(texts->value, sizeof texts->value);
    text_add_hexadecimal(&value, attribute->value);
}

int attribute_pairs_list(const struct inquiry *inquiry, int *ret_count, struct mpidbg_attribute_pair_t **ret_pairs)
{
    struct answer_list attributes = {.item_bytes = sizeof(struct mpilens_attribute_information)};
    int code = collect(inquiry, &attributes);
    struct mpidbg_attribute_pair_t *pairs = NULL;
    if (code == mqs_ok && attributes.count > 0) {
        pairs = allocate_array(attributes.count, sizeof *pairs + sizeof(struct texts));
        code = pairs != NULL ? mqs_ok : MPILENS_ERROR_NO_MEMORY;
    }
    for (size_t i = 0; code == mqs_ok && i < attributes.count; i++) {
        struct texts *texts = (struct texts *)(void *)(pairs + attributes.count) + i;
        const struct mpilens_attribute_information *attribute =
            (const struct mpilens_attribute_information *)attributes.items + i;
        set_texts(inquiry, attribute, texts);
        pairs[i] = (struct mpidbg_attribute_pair_t){(int)(uint32_t)attribute->keyval_handle,
                                                    texts->name[0] ? texts->name : NULL, texts->value};
    }
    if (code == mqs_ok) {
        *ret_pairs = pairs;
        *ret_count = (int)attributes.count;
    }
    answer_list_free(&attributes);
    return code;
}

int attribute_pairs_second(const struct mpidbg_attribute_pair_t *pairs, int count,
                           struct second_attribute_pair **ret_pairs)
{
    *ret_pairs = NULL;
    if (count == 0)
        return mqs_ok;
    struct second_attribute_pair *second = allocate_array((size_t)count, sizeof *second + sizeof(struct texts));
    if (second == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    for (int i = 0; i < count; i++) {
        struct texts *texts = (struct texts *)(void *)(second + count) + i;
        text_set(texts->name, sizeof texts->name, pairs[i].keyval_name != NULL ? pairs[i].keyval_name : "");
        text_set(texts->value, sizeof texts->value, pairs[i].value);
        second[i] = (struct second_attribute_pair){pairs[i].keyval_name != NULL ? texts->name : NULL, texts->value,
                                                   pairs[i].keyval};
    }
    *ret_pairs = second;
    return mqs_ok;
}
