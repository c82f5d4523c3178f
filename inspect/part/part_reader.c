/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts parts together from their lines.
 */
#include "part/part.h"

#include "base/base.h"
#include "text/text.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum {
    MOST_HOSTS = 1 << 17,
    MOST_EARLY_LINES = 4096, /* of a part that has not said how many it has */
    MOST_OTHERS = 20,        /* lines that are kept */
    MOST_NAMED_RUNS = 4,     /* of missing lines */
    MOST_UNKNOWN = 512,      /* bytes that one that is no line of a part may have */
};

/* One reading of one host. */
struct part {
    unsigned char *packed; /* PART_LINE_CONTENT bytes for each line; NULL: none has come, or they were unpacked */
    unsigned char *has;    /* each line: whether it has come */
    size_t room;           /* lines that both have room for */
    size_t count;          /* lines that have come */
    size_t packed_bytes;   /* as the begin says */
    size_t bytes;          /* unpacked, as the begin says */
    uint32_t lines, sum;   /* as the end says */
    bool has_begun, has_ended, is_ready;
    bool is_whole;
    char *gateway;     /* the host whose part this one is in; NULL: none */
    const char *fault; /* why it will never be whole; NULL: it may */
};

struct host {
    char name[MOST_HOST_BYTES + 1];
    struct part parts[MOST_ROUNDS];
    char *errors[MOST_ERROR_LINES];
    int status;
};

struct finished {
    struct received_part part;
    struct finished *next;
};

struct part_reader {
    size_t most_bytes, used_bytes;
    void *tree; /* tsearch, of hosts by name */
    struct host **hosts;
    size_t host_count;
    struct host *last; /* whose line came last */
    struct finished *first, **end;
    char *others;
    size_t other_count;
};

struct part_reader *part_reader_create(size_t most_bytes)
{
    struct part_reader *reader = allocate(sizeof *reader);
    reader->most_bytes = most_bytes;
    reader->end = &reader->first;
    reader->others = copy_text("");
    return reader;
}

static void keep_tree(void *host)
{
    (void)host; /* it is in the array, too */
}

static size_t room_bytes(const struct part *part)
{
    return part->room * (PART_LINE_CONTENT + 1);
}

static void drop_lines(struct part_reader *reader, struct part *part)
{
    reader->used_bytes -= room_bytes(part);
    free(part->packed);
    free(part->has);
    part->packed = NULL;
    part->has = NULL;
    part->room = 0;
}

static void destroy_host(struct part_reader *reader, struct host *host)
{
    for (size_t i = 0; i < MOST_ROUNDS; i++) {
        drop_lines(reader, &host->parts[i]);
        free(host->parts[i].gateway);
    }
    for (size_t i = 0; i < MOST_ERROR_LINES; i++)
        free(host->errors[i]);
    free(host);
}

void part_reader_destroy(struct part_reader *reader)
{
    struct received_part part;
    if (reader == NULL)
        return;
    while (part_reader_take(reader, &part))
        free(part.bytes);
    tdestroy(reader->tree, keep_tree);
    for (size_t i = 0; i < reader->host_count; i++)
        destroy_host(reader, reader->hosts[i]);
    free(reader->hosts);
    free(reader->others);
    free(reader);
}

static int compare_hosts(const void *left, const void *right)
{
    return strcmp(((const struct host *)left)->name, ((const struct host *)right)->name);
}

static struct host *find_host(const struct part_reader *reader, const char *name)
{
    struct host wanted = {.status = -1};
    if (strlen(name) > MOST_HOST_BYTES)
        return NULL;
    memcpy(wanted.name, name, strlen(name) + 1);
    struct host *const *found = tfind(&wanted, &reader->tree, compare_hosts);
    return found != NULL ? *found : NULL;
}

/* NULL: there are too many. */
static struct host *find_or_add_host(struct part_reader *reader, const char *name)
{
    if (reader->last != NULL && strcmp(reader->last->name, name) == 0)
        return reader->last;
    struct host *host = find_host(reader, name);
    if (host == NULL && reader->host_count < MOST_HOSTS) {
        host = allocate(sizeof *host);
        memcpy(host->name, name, strlen(name) + 1);
        host->status = -1;
        tsearch(host, &reader->tree, compare_hosts);
        reader->hosts = array_append(reader->hosts, &reader->host_count, sizeof(struct host *));
        reader->hosts[reader->host_count - 1] = host;
    }
    reader->last = host;
    return host;
}

static void give_up(struct part_reader *reader, struct part *part, const char *fault)
{
    part->fault = fault;
    drop_lines(reader, part);
}

static size_t lines_of(size_t packed_bytes)
{
    return (packed_bytes + PART_LINE_CONTENT - 1) / PART_LINE_CONTENT;
}

static const char too_big[] = "it is larger than what may be read at a time";
static const char two_answers[] = "two different answers came under this name: do two hosts have it?";

/* False: there may be no more. */
static bool make_room(struct part_reader *reader, struct part *part, size_t lines)
{
    size_t room = part->room > 0 ? part->room : 16;
    const size_t most = part->has_begun ? lines_of(part->packed_bytes) : MOST_EARLY_LINES;
    if (lines <= part->room)
        return true;
    while (room < lines)
        room *= 2;
    room = room < most ? room : most;
    const size_t more = (room - part->room) * (PART_LINE_CONTENT + 1);
    if (more > reader->most_bytes - reader->used_bytes)
        return false;
    unsigned char *packed = realloc(part->packed, room * PART_LINE_CONTENT);
    unsigned char *has = packed != NULL ? realloc(part->has, room) : NULL;
    if (packed != NULL)
        part->packed = packed;
    if (has == NULL)
        return false;
    part->has = has;
    memset(part->has + part->room, 0, room - part->room);
    part->room = room;
    reader->used_bytes += more;
    return true;
}

static void take_content(struct part_reader *reader, struct part *part, const struct part_line *line)
{
    unsigned char bytes[PART_LINE_TEXT];
    const size_t most = part->has_begun ? lines_of(part->packed_bytes) : MOST_EARLY_LINES;
    const size_t count = line->length * 3 / 4;
    if (line->number >= most || !base64_decode(line->text, line->length, bytes))
        return;
    if (!make_room(reader, part, (size_t)line->number + 1)) {
        give_up(reader, part, too_big);
        return;
    }
    unsigned char *place = part->packed + (size_t)line->number * PART_LINE_CONTENT;
    if (part->has[line->number] && memcmp(place, bytes, count) != 0) {
        give_up(reader, part, two_answers);
        return;
    }
    part->count += !part->has[line->number];
    part->has[line->number] = 1;
    memcpy(place, bytes, count);
}

/* `text` has two numbers. */
static bool parse_two(const struct part_line *line, int base, size_t *ret_first, size_t *ret_second)
{
    char text[PART_LINE_TEXT + 1];
    char *end;
    memcpy(text, line->text, line->length);
    text[line->length] = '\0';
    *ret_first = (size_t)strtoull(text, &end, 10);
    if (end == text || *end != ' ')
        return false;
    const char *second = end + 1;
    *ret_second = (size_t)strtoull(second, &end, base);
    return end != second && *end == '\0';
}

static void take_begin(struct part_reader *reader, struct part *part, const struct part_line *line)
{
    size_t packed_bytes, bytes;
    if (!parse_two(line, 10, &packed_bytes, &bytes))
        return;
    if (part->has_begun && (packed_bytes != part->packed_bytes || bytes != part->bytes)) {
        give_up(reader, part, two_answers);
        return;
    }
    part->has_begun = true;
    part->packed_bytes = packed_bytes;
    part->bytes = bytes;
    if (packed_bytes > reader->most_bytes || bytes > reader->most_bytes)
        give_up(reader, part, too_big);
}

static void take_end(struct part_reader *reader, struct part *part, const struct part_line *line)
{
    size_t lines, sum;
    if (!parse_two(line, 16, &lines, &sum) || lines > UINT32_MAX || sum > UINT32_MAX)
        return;
    if (part->has_ended && (part->lines != lines || part->sum != sum)) {
        give_up(reader, part, two_answers);
        return;
    }
    part->has_ended = true;
    part->lines = (uint32_t)lines;
    part->sum = (uint32_t)sum;
}

static void add_finished(struct part_reader *reader, const struct received_part *part)
{
    struct finished *finished = allocate(sizeof *finished);
    finished->part = *part;
    *reader->end = finished;
    reader->end = &finished->next;
}

/* NULL: it is not what the begin and the end have said. */
static void *unpack(const struct part *part)
{
    if (crc32_z(0, part->packed, part->packed_bytes) != part->sum)
        return NULL;
    char *bytes = malloc(part->bytes > 0 ? part->bytes : 1);
    if (bytes != NULL && ZSTD_decompress(bytes, part->bytes, part->packed, part->packed_bytes) == part->bytes)
        return bytes;
    free(bytes);
    return NULL;
}

static void finish_if_whole(struct part_reader *reader, const struct host *host, int round, struct part *part)
{
    const size_t lines = lines_of(part->packed_bytes);
    if (!part->has_begun || !part->has_ended || part->fault != NULL || part->count != lines || lines == 0)
        return;
    if (part->lines != lines || part->room < lines) {
        give_up(reader, part, "its beginning and its end do not fit together");
        return;
    }
    if (part->bytes > reader->most_bytes - reader->used_bytes) {
        give_up(reader, part, too_big);
        return;
    }
    const struct received_part received = {
        .host = host->name, .round = round, .bytes = unpack(part), .count = part->bytes};
    if (received.bytes == NULL) {
        give_up(reader, part, "its checksum is wrong");
        return;
    }
    drop_lines(reader, part);
    part->is_whole = true;
    reader->used_bytes += received.count;
    add_finished(reader, &received);
}

static void take_of_part(struct part_reader *reader, struct host *host, const struct part_line *line)
{
    struct part *part = &host->parts[line->round - 1];
    if (line->word == PART_WORD_READY)
        part->is_ready = true;
    if (line->word == PART_WORD_MERGED && part->gateway == NULL && line->length <= MOST_HOST_BYTES)
        part->gateway = format_text("%.*s", (int)line->length, line->text);
    if (part->is_whole || part->fault != NULL)
        return;
    if (line->word == PART_WORD_BEGIN)
        take_begin(reader, part, line);
    else if (line->word == PART_WORD_CONTENT)
        take_content(reader, part, line);
    else if (line->word == PART_WORD_END)
        take_end(reader, part, line);
    finish_if_whole(reader, host, line->round, part);
}

static int digit_of(char character)
{
    const char *digits = "0123456789abcdef";
    const char *found = character != '\0' ? strchr(digits, character) : NULL;
    return found != NULL ? (int)(found - digits) : -1;
}

/* As it was before it was escaped. */
static char *restore(const struct part_line *line)
{
    char *text = allocate(line->length + 1);
    size_t length = 0;
    for (size_t i = 0; i < line->length; i++) {
        const bool is_escaped = line->text[i] == '%' && line->length - i > 2;
        const int high = is_escaped ? digit_of(line->text[i + 1]) : -1;
        const int low = is_escaped ? digit_of(line->text[i + 2]) : -1;
        if (high >= 0 && low >= 0 && (high > 0 || low > 0)) {
            text[length++] = (char)(high * 16 + low);
            i += 2;
        } else {
            text[length++] = line->text[i];
        }
    }
    return text;
}

static void take_line(struct part_reader *reader, const struct part_line *line)
{
    struct host *host = find_or_add_host(reader, line->host);
    if (host == NULL)
        return;
    if (line->word == PART_WORD_ERROR) {
        if (line->number >= MOST_ERROR_LINES)
            return;
        free(host->errors[line->number]);
        host->errors[line->number] = restore(line);
    } else if (line->word == PART_WORD_STATUS) {
        char text[4] = "";
        memcpy(text, line->text, line->length < 3 ? line->length : 3);
        host->status = (int)strtol(text, NULL, 10) & 0xff;
    } else if (line->word != PART_WORD_MARK && line->round > 0) {
        take_of_part(reader, host, line);
    }
}

static void keep_other(struct part_reader *reader, const char *text, size_t length)
{
    char line[MOST_UNKNOWN];
    while (length > 0 && (text[length - 1] == '\r' || text[length - 1] == '\n'))
        length--;
    if (length == 0 || reader->other_count == MOST_OTHERS)
        return;
    length = length < sizeof line - 1 ? length : sizeof line - 1;
    memcpy(line, text, length);
    line[length] = '\0';
    char *escaped = escaped_text(line);
    char *others = format_text("%s%s\n", reader->others, escaped);
    free(escaped);
    free(reader->others);
    reader->others = others;
    reader->other_count++;
}

static void take_text(struct part_reader *reader, const char *text, size_t length)
{
    struct part_line line;
    size_t rest;
    bool has_line = false;
    while (part_line_find(text, length, &line, &rest)) {
        has_line = true;
        take_line(reader, &line);
        text += rest;
        length -= rest;
    }
    if (!has_line)
        keep_other(reader, text, length);
}

void part_reader_feed(struct part_reader *reader, struct part_stream *stream, const char *bytes, size_t count)
{
    const char *end = bytes + count;
    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        const char *stop = newline != NULL ? newline + 1 : end;
        if (stream->length == 0 && newline != NULL) {
            take_text(reader, bytes, (size_t)(stop - bytes));
            bytes = stop;
            continue;
        }
        size_t piece = (size_t)(stop - bytes);
        if (piece > sizeof stream->line - stream->length)
            piece = sizeof stream->line - stream->length;
        memcpy(stream->line + stream->length, bytes, piece);
        stream->length += piece;
        bytes += piece;
        if (stream->line[stream->length - 1] == '\n' || stream->length == sizeof stream->line)
            part_reader_end(reader, stream);
    }
}

void part_reader_end(struct part_reader *reader, struct part_stream *stream)
{
    if (stream->length > 0)
        take_text(reader, stream->line, stream->length);
    stream->length = 0;
}

bool part_reader_take(struct part_reader *reader, struct received_part *ret_part)
{
    struct finished *finished = reader->first;
    if (finished == NULL)
        return false;
    *ret_part = finished->part;
    reader->used_bytes -= finished->part.count;
    reader->first = finished->next;
    if (reader->first == NULL)
        reader->end = &reader->first;
    free(finished);
    return true;
}

size_t part_reader_host_count(const struct part_reader *reader)
{
    return reader->host_count;
}

const char *part_reader_host(const struct part_reader *reader, size_t number)
{
    return number < reader->host_count ? reader->hosts[number]->name : NULL;
}

/* "3-5, 9 and 17 more"; of lines counted from 0. The caller frees it. */
static char *name_missing(const struct part *part, size_t lines)
{
    char *text = copy_text("");
    size_t runs = 0, unsaid = 0;
    for (size_t first = 0, last; first < lines; first = last) {
        last = first + 1;
        if (first < part->room && part->has[first])
            continue;
        while (last < lines && (last >= part->room || !part->has[last]))
            last++;
        if (runs++ >= MOST_NAMED_RUNS) {
            unsaid += last - first;
            continue;
        }
        char *before = text;
        text = last - first > 1 ? format_text("%s%s%zu-%zu", before, runs > 1 ? ", " : "", first, last - 1)
                                : format_text("%s%s%zu", before, runs > 1 ? ", " : "", first);
        free(before);
    }
    if (unsaid > 0) {
        char *before = text;
        text = format_text("%s and %zu more", before, unsaid);
        free(before);
    }
    return text;
}

static void explain_torn(const struct part *part, struct reason *ret_reason)
{
    const size_t lines = part->has_begun ? lines_of(part->packed_bytes) : part->has_ended ? part->lines : 0;
    if (part->fault != NULL) {
        reason_set(ret_reason, "%s", part->fault);
    } else if (lines == 0) {
        reason_set(ret_reason, "its answer has no beginning: %zu of its lines have come", part->count);
    } else if (part->count >= lines) {
        reason_set(ret_reason, "its answer has no %s", part->has_begun ? "end" : "beginning");
    } else {
        char *missing = name_missing(part, lines);
        reason_set(ret_reason, "%zu of %zu lines of its answer are missing (%s)", lines - part->count, lines, missing);
        free(missing);
    }
}

static bool explain_failed(const struct host *host, struct reason *ret_reason)
{
    size_t length = 0;
    char text[sizeof ret_reason->text] = "";
    for (size_t i = 0; i < MOST_ERROR_LINES && host->errors[i] != NULL; i++)
        length +=
            (size_t)snprintf(text + length, length < sizeof text ? sizeof text - length : 0, "%s", host->errors[i]);
    if (text[0] != '\0')
        reason_set(ret_reason, "%s", text);
    return text[0] != '\0';
}

enum part_state part_reader_state(const struct part_reader *reader, const char *host_name, int round,
                                  struct reason *ret_reason)
{
    const struct host *host = find_host(reader, host_name);
    if (host == NULL || round < 1 || round > MOST_ROUNDS)
        return PART_NOTHING;
    const struct part *part = &host->parts[round - 1];
    const struct host *gateway = part->gateway != NULL ? find_host(reader, part->gateway) : NULL;
    if (part->is_whole || (gateway != NULL && gateway->parts[round - 1].is_whole))
        return PART_WHOLE;
    if (explain_failed(host, ret_reason))
        return PART_FAILED;
    if (part->gateway != NULL) {
        reason_set(ret_reason, "its answer is in that of %s, of which not all has come", part->gateway);
        return PART_TORN;
    }
    if (part->has_begun || part->has_ended || part->count > 0 || part->fault != NULL) {
        explain_torn(part, ret_reason);
        return PART_TORN;
    }
    if (host->status < 0)
        return PART_NOTHING;
    reason_set(ret_reason, "it has ended with status %d and no answer", host->status);
    return PART_FAILED;
}

bool part_reader_is_ready(const struct part_reader *reader, const char *host_name, int round)
{
    const struct host *host = find_host(reader, host_name);
    return host != NULL && round >= 1 && round <= MOST_ROUNDS && host->parts[round - 1].is_ready;
}

int part_reader_status(const struct part_reader *reader, const char *host_name)
{
    const struct host *host = find_host(reader, host_name);
    return host != NULL ? host->status : -1;
}

const char *part_reader_others(const struct part_reader *reader)
{
    return reader->others;
}
