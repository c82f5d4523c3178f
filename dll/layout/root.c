/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and checks the root and what it holds for good.
 */
#include "layout/layout.h"

#include "target/target.h"

#include <stddef.h>
#include <string.h>

static const uint32_t function_limit = 1u << 16;

/* Only the header says how large the root is. */
static int read_header(const struct target *target, struct root *root)
{
    uint8_t fixed[MPILENS_PROCESS_FIXED_SIZE];
    const int code = target_read(target, root->address, sizeof fixed, fixed);
    return code == mqs_ok ? root_header_load(fixed, &root->offsets.header) : code;
}

static void take_bytes(struct root *root, uint8_t *bytes)
{
    release(root->bytes);
    root->bytes = bytes;
}

static int decode_whole(struct root *root)
{
    struct root_header header;
    int code = root_header_load(root->bytes, &header);
    if (code == mqs_ok && header.process_size != root->offsets.header.process_size)
        code = MPILENS_ERROR_CORRUPT;
    if (code == mqs_ok)
        code = offsets_load(&header, root->bytes, &root->offsets);
    if (code == mqs_ok)
        decode_struct(&root->offsets, MPILENS_STRUCT_process, root->bytes, &root->process);
    root->is_decoded = code == mqs_ok;
    return code;
}

/* A process that is stopped has the same root at every query: it is decoded once. */
static int read_whole(const struct target *target, struct root *root)
{
    const uint32_t size = root->offsets.header.process_size;
    uint8_t *bytes = allocate_array(size, 1);
    if (bytes == NULL)
        return MPILENS_ERROR_NO_MEMORY;
    const int code = target_read(target, root->address, size, bytes);
    const bool is_known =
        code == mqs_ok && root->bytes != NULL && root->is_decoded && memcmp(bytes, root->bytes, size) == 0;
    if (code != mqs_ok || is_known)
        release(bytes);
    else
        take_bytes(root, bytes);
    return code == mqs_ok && !is_known ? decode_whole(root) : code;
}

/* The header has been read. */
static int read_behind_header(struct target *target, struct root *root)
{
    const int code = read_whole(target, root);
    if (code == mqs_ok)
        target->word_size = root->offsets.header.word_size;
    return code;
}

int root_read(struct target *target, struct root *root)
{
    target->word_size = 8;
    int code = root->bytes != NULL ? mqs_ok : read_header(target, root);
    if (code == mqs_ok)
        code = read_behind_header(target, root);
    if (code != mqs_ok)
        root_free(root);
    return code;
}

/* The root has our own layout: within a layout major, each minor has one. */
static bool is_own_layout(const struct root_header *header)
{
    return header->big_endian == HOST_IS_BIG_ENDIAN && header->layout_minor == MPILENS_LAYOUT_MINOR &&
           header->process_size == sizeof(struct mpilens_process) &&
           header->structs_offset == offsetof(struct mpilens_process, struct_descriptors) &&
           header->struct_count == MPILENS_STRUCT_COUNT &&
           header->fields_offset == offsetof(struct mpilens_process, field_descriptors) &&
           header->field_count == MPILENS_FIELD_COUNT;
}

/* Reads the fields behind descriptors and tables. */
static int read_identity(const struct target *target, struct root *root, struct mpilens_process *ret_process)
{
    enum { BEHIND_TABLES = offsetof(struct mpilens_process, functions) };
    uint8_t bytes[sizeof(struct mpilens_process)] = {0};
    const int code =
        target_read(target, root->address + BEHIND_TABLES, sizeof bytes - BEHIND_TABLES, bytes + BEHIND_TABLES);
    if (code != mqs_ok)
        return code;
    root->offsets.same[MPILENS_STRUCT_process] = true;
    decode_struct(&root->offsets, MPILENS_STRUCT_process, bytes, ret_process);
    ret_process->layout_minor = root->offsets.header.layout_minor;
    return mqs_ok;
}

int root_identify(struct target *target, struct root *root, struct mpilens_process *ret_process)
{
    int code = root->bytes != NULL ? mqs_ok : read_header(target, root);
    if (code == mqs_ok && is_own_layout(&root->offsets.header)) {
        code = read_identity(target, root, ret_process);
    } else if (code == mqs_ok) {
        code = read_behind_header(target, root);
        if (code == mqs_ok)
            *ret_process = root->process;
    }
    if (code != mqs_ok)
        root_free(root);
    return code;
}

int root_read_tables(const struct target *target, struct root *root)
{
    const struct field_place *place = &root->offsets.fields[MPILENS_FIELD_process_tables];
    int code = target_read(target, root->address + place->offset, place->size, root->bytes + place->offset);
    root->is_decoded = code == mqs_ok;
    if (code == mqs_ok)
        decode_struct(&root->offsets, MPILENS_STRUCT_process, root->bytes, &root->process);
    return code;
}

void root_free(struct root *root)
{
    release(root->bytes);
    root->bytes = NULL;
}

int function_table_read(const struct target *target, const struct root *root, struct function_table *table)
{
    const struct mpilens_process *process = &root->process;
    if (table->functions != NULL && table->address == process->functions && table->count == process->function_count)
        return mqs_ok;
    function_table_free(table);
    const uint32_t count = process->function_count;
    const size_t size = root->offsets.struct_size[MPILENS_STRUCT_function];
    if (count == 0 || count > function_limit || size > 4096)
        return MPILENS_ERROR_CORRUPT;
    uint8_t *bytes = allocate_array(count, size);
    struct mpilens_function *functions = allocate_array(count, sizeof *functions);
    int code = bytes != NULL && functions != NULL ? target_copy(target, process->functions, count * size, bytes)
                                                  : MPILENS_ERROR_NO_MEMORY;
    for (uint32_t i = 0; code == mqs_ok && i < count; i++)
        decode_struct(&root->offsets, MPILENS_STRUCT_function, bytes + i * size, &functions[i]);
    release(bytes);
    if (code != mqs_ok) {
        release(functions);
        return code;
    }
    *table = (struct function_table){process->functions, count, functions};
    return mqs_ok;
}

const struct mpilens_function *function_table_get(const struct function_table *table, uint32_t number)
{
    static const struct mpilens_function none = {.collective_class = -1};
    return number > 0 && number < table->count ? &table->functions[number] : &none;
}

void function_table_free(struct function_table *table)
{
    release(table->functions);
    *table = (struct function_table){0, 0, NULL};
}
