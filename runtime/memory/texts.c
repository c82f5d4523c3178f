/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores texts and lists of texts that belong to a record.
 */
#include "memory/memory.h"

#include <string.h>

/* Where the texts stand. */
struct text_block {
    uint32_t bytes; /* of the block */
    uint32_t kept;  /* texts */
    char texts[];
};

void text_copy(char *field, size_t bytes, const char *text)
{
    size_t length = text != NULL ? strnlen(text, bytes - 1) : 0;
    if (length > 0)
        memcpy(field, text, length);
    memset(field + length, 0, bytes - length);
}

static struct text_block *block_of(const struct mpilens_texts *texts)
{
    return texts->address ? (struct text_block *)(uintptr_t)(texts->address - offsetof(struct text_block, texts))
                          : NULL;
}

static char *first_of(const struct mpilens_texts *texts)
{
    return (char *)(uintptr_t)texts->address;
}

static void give_back(struct text_block *block)
{
    if (block != NULL)
        block_give_back(block, block->bytes);
}

/* Makes room for `bytes` more at the end. False: no memory. */
static bool reserve(struct mpilens_texts *texts, size_t bytes)
{
    struct text_block *block = block_of(texts);
    size_t needed = texts->bytes + bytes;
    if (needed > TEXTS_BYTES_KEPT)
        return false;
    if (block != NULL && offsetof(struct text_block, texts) + needed <= block->bytes)
        return true;
    size_t room = block_room(offsetof(struct text_block, texts) + (block != NULL ? 2 * needed : needed));
    struct text_block *larger = block_take(room);
    if (larger == NULL)
        return false;
    larger->bytes = (uint32_t)room;
    larger->kept = block != NULL ? block->kept : 0;
    if (block != NULL)
        memcpy(larger->texts, block->texts, texts->bytes);
    __atomic_store_n(&texts->address, (uint64_t)(uintptr_t)larger->texts, __ATOMIC_RELEASE);
    give_back(block);
    return true;
}

/* Appends where there is room. */
static void put(struct mpilens_texts *texts, const char *text, size_t bytes)
{
    memcpy(first_of(texts) + texts->bytes, text, bytes);
    block_of(texts)->kept++;
    __atomic_store_n(&texts->bytes, texts->bytes + (uint32_t)bytes, __ATOMIC_RELEASE);
}

void texts_append(struct mpilens_texts *texts, const char *text)
{
    size_t bytes = strlen(text) + 1;
    if (reserve(texts, bytes))
        put(texts, text, bytes);
    texts->count++;
}

/* The pair with that key; *ret_bytes of both texts. NULL: none that is kept. */
static char *find_pair(const struct mpilens_texts *texts, const char *key, size_t *ret_bytes)
{
    char *end = first_of(texts) + texts->bytes;
    for (char *pair = first_of(texts); pair < end; pair += *ret_bytes) {
        size_t key_bytes = strlen(pair) + 1;
        *ret_bytes = key_bytes + strlen(pair + key_bytes) + 1;
        if (strcmp(pair, key) == 0)
            return pair;
    }
    return NULL;
}

void texts_remove_pair(struct mpilens_texts *texts, const char *key)
{
    size_t bytes = 0;
    char *pair = find_pair(texts, key, &bytes);
    if (pair != NULL) {
        char *behind = pair + bytes;
        block_of(texts)->kept -= 2;
        memmove(pair, behind, (size_t)(first_of(texts) + texts->bytes - behind));
        __atomic_store_n(&texts->bytes, texts->bytes - (uint32_t)bytes, __ATOMIC_RELEASE);
    }
    if (texts->count >= 2)
        texts->count -= 2;
}

void texts_set_pair(struct mpilens_texts *texts, const char *key, const char *value)
{
    size_t bytes = 0;
    if (find_pair(texts, key, &bytes) != NULL)
        texts_remove_pair(texts, key);
    size_t key_bytes = strlen(key) + 1;
    size_t value_bytes = strlen(value) + 1;
    if (reserve(texts, key_bytes + value_bytes)) {
        put(texts, key, key_bytes);
        put(texts, value, value_bytes);
    }
    texts->count += 2;
}

void texts_set_pairs(struct mpilens_texts *texts, const struct mpilens_texts *pairs)
{
    const char *end = first_of(pairs) + pairs->bytes;
    uint32_t left = pairs->count;
    for (const char *key = first_of(pairs); key < end; left -= 2) {
        const char *value = key + strlen(key) + 1;
        texts_set_pair(texts, key, value);
        key = value + strlen(value) + 1;
    }
    texts->count += left;
}

bool texts_are_complete(const struct mpilens_texts *texts)
{
    return texts->count == (texts->address ? block_of(texts)->kept : 0);
}

void texts_give_back(struct mpilens_texts *texts)
{
    struct text_block *block = block_of(texts);
    __atomic_store_n(&texts->address, 0, __ATOMIC_RELEASE);
    texts->bytes = 0;
    texts->count = 0;
    give_back(block);
}
