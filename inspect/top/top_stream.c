/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Facts of the full-screen view as bytes, from one process of this program to another one.
 */
#include "top/top.h"

#include <stdlib.h>
#include <string.h>

static void write_text(FILE *stream, const char *text)
{
    fwrite(text, strlen(text) + 1, 1, stream);
}

static void write_number(FILE *stream, uint64_t number)
{
    fwrite(&number, sizeof number, 1, stream);
}

static void write_rows(FILE *stream, const struct top_rows *rows)
{
    write_number(stream, rows->count);
    write_number(stream, rows->left_out);
    for (size_t i = 0; i < rows->count; i++) {
        const struct top_row *row = &rows->items[i];
        write_text(stream, row->ranks);
        write_text(stream, row->text);
        write_text(stream, row->site);
        write_number(stream, row->count);
        fwrite(&row->first, sizeof row->first, 1, stream);
        fwrite(&row->age_s, sizeof row->age_s, 1, stream);
    }
}

static void write_facts(FILE *stream, const struct top_facts *facts)
{
    write_text(stream, facts->job);
    write_text(stream, facts->clock);
    write_text(stream, facts->verdict);
    write_text(stream, facts->traffic);
    write_text(stream, facts->host);
    write_number(stream, facts->verdict_kind);
    write_number(stream, facts->job_ranks);
    write_number(stream, facts->rank_count);
    fwrite(facts->characters, 1, facts->rank_count, stream);
    fwrite(facts->blamed, 1, facts->rank_count, stream);
    fwrite(facts->ranks, sizeof *facts->ranks, facts->rank_count, stream);
    write_rows(stream, &facts->awaited);
    write_rows(stream, &facts->calls);
}

void top_facts_write(FILE *stream, const struct top_facts *facts)
{
    char *bytes = NULL;
    size_t count = 0;
    FILE *memory = open_memstream(&bytes, &count);
    if (memory == NULL)
        return;
    write_facts(memory, facts);
    fclose(memory);
    write_number(stream, count);
    fwrite(bytes, 1, count, stream);
    free(bytes);
}

struct reader {
    const char *next;
    size_t left;
    bool is_broken;
};

static void take_bytes(struct reader *reader, void *ret_bytes, size_t count)
{
    reader->is_broken = reader->is_broken || count > reader->left;
    if (reader->is_broken)
        return;
    memcpy(ret_bytes, reader->next, count);
    reader->next += count;
    reader->left -= count;
}

static uint64_t take_number(struct reader *reader)
{
    uint64_t number = 0;
    take_bytes(reader, &number, sizeof number);
    return number;
}

static const char *take_text(struct reader *reader)
{
    const size_t length = strnlen(reader->next, reader->left);
    reader->is_broken = reader->is_broken || length == reader->left;
    if (reader->is_broken)
        return "";
    const char *text = arena_copy(reader->next);
    reader->next += length + 1;
    reader->left -= length + 1;
    return text;
}

/* An array of `count` elements that stand there. */
static void *take_array(struct reader *reader, size_t count, size_t element_bytes)
{
    reader->is_broken = reader->is_broken || count > reader->left / element_bytes;
    void *items = arena_allocate((reader->is_broken ? 0 : count) * element_bytes + 1);
    take_bytes(reader, items, reader->is_broken ? 0 : count * element_bytes);
    return items;
}

static struct top_rows take_rows(struct reader *reader)
{
    struct top_rows rows = {.count = 0};
    const uint64_t count = take_number(reader);
    rows.left_out = take_number(reader);
    for (uint64_t i = 0; i < count && !reader->is_broken; i++) {
        rows.items = arena_append(rows.items, &rows.count, sizeof *rows.items);
        struct top_row *row = &rows.items[rows.count - 1];
        row->ranks = take_text(reader);
        row->text = take_text(reader);
        row->site = take_text(reader);
        row->count = take_number(reader);
        take_bytes(reader, &row->first, sizeof row->first);
        take_bytes(reader, &row->age_s, sizeof row->age_s);
    }
    return rows;
}

int top_facts_read(const char *bytes, size_t count, struct top_facts *ret_facts)
{
    struct reader reader = {.next = bytes, .left = count};
    struct top_facts facts = {.job = take_text(&reader)};
    facts.clock = take_text(&reader);
    facts.verdict = take_text(&reader);
    facts.traffic = take_text(&reader);
    facts.host = take_text(&reader);
    facts.verdict_kind = (uint32_t)take_number(&reader);
    facts.job_ranks = take_number(&reader);
    facts.rank_count = take_number(&reader);
    facts.characters = take_array(&reader, facts.rank_count, 1);
    facts.blamed = take_array(&reader, facts.rank_count, 1);
    facts.ranks = take_array(&reader, facts.rank_count, sizeof *facts.ranks);
    facts.awaited = take_rows(&reader);
    facts.calls = take_rows(&reader);
    if (reader.is_broken || reader.left > 0)
        return -1;
    *ret_facts = facts;
    return 0;
}
