/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Lays the structs out as the options say and encodes records into the image.
 */
#include "fake_target.h"

#include "function_facts.h"
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>

static bool is_descriptor(unsigned number)
{
    return number == MPILENS_STRUCT_field_descriptor || number == MPILENS_STRUCT_struct_descriptor;
}

/* How many elements of the field the target has. */
static uint32_t element_count(const struct fake_target *target, unsigned field)
{
    const struct fake_options *options = &target->options;
    uint32_t count = field_shapes[field].elements;
    if (field == MPILENS_FIELD_process_tables)
        count += options->extra_tables;
    if (field == MPILENS_FIELD_process_struct_descriptors)
        count += options->extra_structs;
    if (field == MPILENS_FIELD_process_field_descriptors)
        count += options->extra_structs + (options->appended_bytes > 0 ? MPILENS_STRUCT_COUNT : 0);
    return count;
}

static uint32_t element_size(const struct fake_target *target, unsigned field)
{
    const struct field_shape *shape = &field_shapes[field];
    return shape->kind == SHAPE_NESTED ? target->struct_size[shape->nested] : shape->element_bytes;
}

static uint32_t known_fields(const struct fake_target *target, unsigned number)
{
    return struct_shapes[number].field_count - target->options.missing_fields[number];
}

static uint32_t appended_bytes(const struct fake_target *target, unsigned number)
{
    return is_descriptor(number) ? 0 : target->options.appended_bytes;
}

static void lay_out(struct fake_target *target, unsigned number)
{
    const bool reversed = target->options.reversed && !is_descriptor(number) && number != MPILENS_STRUCT_process;
    const uint32_t first = struct_shapes[number].first_field;
    const uint32_t count = known_fields(target, number);
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t field = first + (reversed ? count - 1 - i : i);
        target->fields[field] = (struct fake_field){offset, element_count(target, field) * element_size(target, field)};
        offset += target->fields[field].size;
    }
    target->struct_size[number] = offset + appended_bytes(target, number);
}

struct fake_target *fake_target_create(const struct fake_options *options)
{
    struct fake_target *target = calloc(1, sizeof *target);
    if (target == NULL)
        abort();
    target->options = *options;
    if (target->options.word_size == 0)
        target->options.word_size = 8;
    if (target->options.chunk_capacity == 0)
        target->options.chunk_capacity = 16;
    if (target->options.memory_bytes == 0)
        target->options.memory_bytes = 1u << 20;
    target->memory = calloc(1, target->options.memory_bytes);
    if (target->memory == NULL)
        abort();
    target->base = target->options.word_size == 4 ? 0x8048000 : UINT64_C(0x7f1200000000);
    for (unsigned number = 0; number < MPILENS_STRUCT_COUNT; number++)
        lay_out(target, number);
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++) {
        target->tables[kind].record_bytes =
            target->struct_size[table_record_structs[kind]] + target->options.record_padding;
        target->tables[kind].chunks = calloc(FAKE_CHUNK_LIMIT, sizeof(struct mpilens_chunk));
        if (target->tables[kind].chunks == NULL)
            abort();
    }
    target->root = fake_target_reserve(target, target->struct_size[MPILENS_STRUCT_process]);
    target->function_count = 1;
    target->process = (struct mpilens_process){
        .state = MPILENS_PROCESS_RUNNING,
        .pid = 4711,
        .world_rank = 1,
        .world_size = 4,
        .request_bytes = 4,
        .request_null = 0x2c000000,
        .any_source = -2,
        .any_tag = -1,
        .proc_null = -3,
        .root = -4,
        .undefined = -32766,
    };
    return target;
}

void fake_target_destroy(struct fake_target *target)
{
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++)
        free(target->tables[kind].chunks);
    free(target->memory);
    free(target);
}

bool fake_target_has(const struct fake_target *target, uint64_t address, size_t bytes)
{
    return address >= target->base && bytes <= target->options.memory_bytes &&
           address - target->base <= target->options.memory_bytes - bytes;
}

uint8_t *fake_target_bytes(struct fake_target *target, uint64_t address, size_t bytes)
{
    if (!fake_target_has(target, address, bytes))
        abort();
    return target->memory + (address - target->base);
}

uint64_t fake_target_reserve(struct fake_target *target, size_t bytes)
{
    target->used = (target->used + 63) & ~(size_t)63;
    uint64_t address = target->base + target->used;
    fake_target_bytes(target, address, bytes);
    target->used += bytes;
    return address;
}

void fake_target_put_integer(struct fake_target *target, uint64_t address, size_t bytes, uint64_t value)
{
    uint8_t *into = fake_target_bytes(target, address, bytes);
    for (size_t i = 0; i < bytes; i++)
        into[i] = (uint8_t)(value >> 8 * (target->options.big_endian ? bytes - 1 - i : i));
}

void fake_target_put_field(struct fake_target *target, uint64_t struct_address, enum mpilens_field field,
                           uint64_t value)
{
    fake_target_put_integer(target, struct_address + target->fields[field].offset, element_size(target, field), value);
}

static uint64_t load_integer(const uint8_t *bytes, size_t size)
{
    switch (size) {
    case 1:
        return *bytes;
    case 2: {
        uint16_t value;
        memcpy(&value, bytes, sizeof value);
        return value;
    }
    case 4: {
        uint32_t value;
        memcpy(&value, bytes, sizeof value);
        return value;
    }
    default: {
        uint64_t value;
        memcpy(&value, bytes, sizeof value);
        return value;
    }
    }
}

void fake_target_put(struct fake_target *target, enum mpilens_struct number, uint64_t address, const void *record)
{
    const uint32_t first = struct_shapes[number].first_field;
    memset(fake_target_bytes(target, address, target->struct_size[number]), 0xee, target->struct_size[number]);
    for (uint32_t field = first; field < first + known_fields(target, number); field++) {
        const struct field_shape *shape = &field_shapes[field];
        for (uint32_t element = 0; element < shape->elements; element++) {
            const uint8_t *from = (const uint8_t *)record + shape->offset + (size_t)element * shape->element_bytes;
            uint64_t into = address + target->fields[field].offset + (uint64_t)element * element_size(target, field);
            if (shape->kind == SHAPE_NESTED)
                fake_target_put(target, (enum mpilens_struct)shape->nested, into, from);
            else
                fake_target_put_integer(target, into, shape->element_bytes, load_integer(from, shape->element_bytes));
        }
    }
}

uint64_t fake_target_add(struct fake_target *target, enum mpilens_table_kind kind, const void *record)
{
    struct fake_table *table = &target->tables[kind];
    struct mpilens_chunk *chunk = table->chunk_count > 0 ? &table->chunks[table->chunk_count - 1] : NULL;
    if (chunk == NULL || chunk->high_water == chunk->capacity) {
        if (table->chunk_count == FAKE_CHUNK_LIMIT || table->chunks == NULL)
            abort();
        chunk = &table->chunks[table->chunk_count++];
        chunk->capacity = target->options.chunk_capacity;
        chunk->records = fake_target_reserve(target, (size_t)chunk->capacity * table->record_bytes);
    }
    uint64_t address = chunk->records + (uint64_t)chunk->high_water * table->record_bytes;
    fake_target_put(target, table_record_structs[kind], address, record);
    chunk->high_water++;
    chunk->in_use++;
    return address;
}

static uint32_t find_function(const struct fake_target *target, const char *name)
{
    for (uint32_t i = 1; name[0] != '\0' && i < target->function_count; i++)
        if (strcmp(target->functions[i].name, name) == 0)
            return i;
    return 0;
}

uint32_t fake_target_function(struct fake_target *target, const char *name, enum mpilens_call_class call_class,
                              uint32_t flags)
{
    if (target->function_count == FAKE_FUNCTION_LIMIT)
        abort();
    struct mpilens_function *function = &target->functions[target->function_count];
    const struct mpilens_function *facts = function_facts(name);
    *function = *facts;
    function->call_class = call_class;
    function->flags = flags;
    function->small_count = find_function(target, function_facts_small_count(facts));
    strncpy(function->name, name, sizeof function->name - 1);
    return target->function_count++;
}

static void put_descriptors(struct fake_target *target)
{
    const uint64_t structs = target->root + target->fields[MPILENS_FIELD_process_struct_descriptors].offset;
    const uint64_t fields = target->root + target->fields[MPILENS_FIELD_process_field_descriptors].offset;
    uint32_t field_count = 0;
    for (uint32_t number = 0; number < MPILENS_STRUCT_COUNT + target->options.extra_structs; number++) {
        const bool is_ours = number < MPILENS_STRUCT_COUNT;
        struct mpilens_struct_descriptor descriptor = {
            .size = is_ours ? target->struct_size[number] : 24,
            .first_field = field_count,
        };
        for (uint32_t i = 0; is_ours && i < known_fields(target, number); i++) {
            const struct fake_field *field = &target->fields[struct_shapes[number].first_field + i];
            fake_target_put(target, MPILENS_STRUCT_field_descriptor,
                            fields + (uint64_t)field_count++ * sizeof(struct mpilens_field_descriptor),
                            &(struct mpilens_field_descriptor){field->offset, field->size});
        }
        uint32_t appended = is_ours ? appended_bytes(target, number) : descriptor.size;
        if (appended > 0)
            fake_target_put(target, MPILENS_STRUCT_field_descriptor,
                            fields + (uint64_t)field_count++ * sizeof(struct mpilens_field_descriptor),
                            &(struct mpilens_field_descriptor){descriptor.size - appended, appended});
        descriptor.field_count = field_count - descriptor.first_field;
        fake_target_put(target, MPILENS_STRUCT_struct_descriptor,
                        structs + (uint64_t)number * sizeof(struct mpilens_struct_descriptor), &descriptor);
    }
    fake_target_put_field(target, target->root, MPILENS_FIELD_process_field_count, field_count);
}

static void put_tables(struct fake_target *target)
{
    for (unsigned kind = 0; kind < MPILENS_TABLE_COUNT; kind++) {
        struct fake_table *table = &target->tables[kind];
        struct mpilens_table *head = &target->process.tables[kind];
        const uint32_t chunk_size = target->struct_size[MPILENS_STRUCT_chunk];
        head->chunk_count = table->chunk_count;
        head->record_bytes = table->record_bytes;
        head->directory =
            table->chunk_count > 0 ? fake_target_reserve(target, (size_t)table->chunk_count * chunk_size) : 0;
        for (uint32_t i = 0; i < table->chunk_count; i++)
            fake_target_put(target, MPILENS_STRUCT_chunk, head->directory + (uint64_t)i * chunk_size,
                            &table->chunks[i]);
    }
}

void fake_target_publish(struct fake_target *target)
{
    struct mpilens_process *process = &target->process;
    put_tables(target);
    const uint32_t function_size = target->struct_size[MPILENS_STRUCT_function];
    process->function_count = target->function_count;
    process->functions = fake_target_reserve(target, (size_t)target->function_count * function_size);
    for (uint32_t i = 0; i < target->function_count; i++)
        fake_target_put(target, MPILENS_STRUCT_function, process->functions + (uint64_t)i * function_size,
                        &target->functions[i]);
    memcpy(process->magic, MPILENS_MAGIC, sizeof process->magic);
    process->byte_order = MPILENS_BYTE_ORDER;
    process->layout_major = MPILENS_LAYOUT_MAJOR;
    process->layout_minor = (uint16_t)(MPILENS_LAYOUT_MINOR + target->options.minor);
    process->word_size = target->options.word_size;
    process->process_size = target->struct_size[MPILENS_STRUCT_process];
    process->structs_offset = target->fields[MPILENS_FIELD_process_struct_descriptors].offset;
    process->struct_count = MPILENS_STRUCT_COUNT + target->options.extra_structs;
    process->fields_offset = target->fields[MPILENS_FIELD_process_field_descriptors].offset;
    fake_target_put(target, MPILENS_STRUCT_process, target->root, process);
    put_descriptors(target);
}
