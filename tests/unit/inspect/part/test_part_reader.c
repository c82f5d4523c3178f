/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Parts as lines: a part that counts as whole equals the part that was sent, whatever was done to the lines on the way;
 * else the reason says what is missing. Damage is random, by a fixed seed.
 */
#include "base/base.h"
#include "part/part.h"

#include <criterion/criterion.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 24, TRIES = 300 };

static uint64_t random_state = 1;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005U + 1442695040888963407U;
    return limit > 0 ? (uint32_t)(random_state >> 33) % limit : 0;
}

/* Bytes that zstd cannot make much smaller. */
static char *make_bytes(size_t count)
{
    char *bytes = allocate(count + 1);
    for (size_t i = 0; i < count; i++)
        bytes[i] = (char)random_below(64);
    return bytes;
}

struct lines {
    char **items;
    size_t count;
};

/* The lines that `write` writes, without newlines. */
static void add_lines(struct lines *lines, const char *text)
{
    char *copy = copy_text(text);
    char *rest = NULL;
    for (char *line = strtok_r(copy, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
        lines->items = array_append(lines->items, &lines->count, sizeof *lines->items);
        lines->items[lines->count - 1] = copy_text(line);
    }
    free(copy);
}

static void add_part(struct lines *lines, const char *host, int round, const void *bytes, size_t count)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_eq(part_write(stream, host, round, bytes, count), 0);
    fclose(stream);
    add_lines(lines, text);
    free(text);
}

static void add_error(struct lines *lines, const char *host, const char *words)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_eq(part_write_error(stream, host, words), 0);
    cr_assert_eq(part_write_status(stream, host, 3), 0);
    fclose(stream);
    add_lines(lines, text);
    free(text);
}

static void clear(struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++)
        free(lines->items[i]);
    free(lines->items);
    *lines = (struct lines){0};
}

static void shuffle(struct lines *lines)
{
    for (size_t i = lines->count; i > 1; i--) {
        const size_t other = random_below((uint32_t)i);
        char *line = lines->items[i - 1];
        lines->items[i - 1] = lines->items[other];
        lines->items[other] = line;
    }
}

/* In pieces of random length, with a label before each line. */
static struct part_reader *read_lines(const struct lines *lines, const char *label)
{
    struct part_reader *reader = part_reader_create(MOST_BYTES);
    struct part_stream stream = {.length = 0};
    for (size_t i = 0; i < lines->count; i++) {
        char *line = format_text("%s%s\n", label, lines->items[i]);
        const size_t length = strlen(line);
        for (size_t done = 0, piece; done < length; done += piece) {
            piece = 1 + random_below(300);
            piece = piece < length - done ? piece : length - done;
            part_reader_feed(reader, &stream, line + done, piece);
        }
        free(line);
    }
    part_reader_end(reader, &stream);
    return reader;
}

Test(base64, is_that_of_rfc_4648)
{
    static const char *const pairs[][2] = {
        {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},         {"foo", "Zm9v"},
        {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[16] = "", bytes[16] = "";
        base64_encode(pairs[i][0], strlen(pairs[i][0]), text);
        cr_expect_str_eq(text, pairs[i][1]);
        cr_expect(base64_decode(pairs[i][1], strlen(pairs[i][1]), bytes));
        cr_expect_str_eq(bytes, pairs[i][0]);
    }
    char bytes[16];
    cr_expect(!base64_decode("Zg==", 4, bytes));
    cr_expect(!base64_decode("Z", 1, bytes));
    cr_expect(!base64_decode("Zh", 2, bytes), "bits that belong to no byte");
    cr_expect(!base64_decode("Zm 9", 4, bytes));
}

Test(part_lines, are_short_and_plain)
{
    struct lines lines = {0};
    char *bytes = make_bytes(100000);
    add_part(&lines, "a-host.with.a.name.of.sixty-four.characters.or.even.more.than.that.com", 2, bytes, 100000);
    add_error(&lines, "n1", "what\tis @mpilens n2 100% wrong?\xff");
    for (size_t i = 0; i < lines.count; i++) {
        cr_expect_leq(strlen(lines.items[i]) + 1, MOST_LINE_BYTES, "%s", lines.items[i]);
        for (const char *next = lines.items[i]; *next != '\0'; next++)
            cr_expect(*next >= ' ' && *next <= '~', "%s", lines.items[i]);
        cr_expect_null(strstr(lines.items[i] + 1, "@"), "%s", lines.items[i]);
    }
    free(bytes);
    clear(&lines);
}

Test(part_reader, gives_back_what_was_sent_in_any_order)
{
    static const size_t counts[] = {0, 1, 71, 72, 73, 5000, 300000};
    static const char *const hosts[] = {"n1", "n2.example.org", "n-3"};
    for (int try = 0; try < 7; try++) {
        struct lines lines = {0};
        char *bytes[3][2];
        for (int host = 0; host < 3; host++)
            for (int round = 1; round <= 2; round++) {
                bytes[host][round - 1] = make_bytes(counts[try]);
                add_part(&lines, hosts[host], round, bytes[host][round - 1], counts[try]);
            }
        add_part(&lines, hosts[1], 2, bytes[1][1], counts[try]); /* twice */
        shuffle(&lines);
        struct part_reader *reader = read_lines(&lines, try % 2 == 0 ? "" : "n1: ");
        struct received_part part;
        int taken = 0;
        while (part_reader_take(reader, &part)) {
            for (int host = 0; host < 3; host++)
                if (strcmp(part.host, hosts[host]) == 0) {
                    cr_expect_eq(part.count, counts[try]);
                    cr_expect_eq(memcmp(part.bytes, bytes[host][part.round - 1], part.count), 0);
                    taken++;
                }
            free(part.bytes);
        }
        cr_expect_eq(taken, 6, "%d of 6 parts of %zu bytes", taken, counts[try]);
        cr_expect_eq(part_reader_host_count(reader), 3);
        cr_expect_str_eq(part_reader_others(reader), "");
        part_reader_destroy(reader);
        for (int i = 0; i < 6; i++)
            free(bytes[i / 2][i % 2]);
        clear(&lines);
    }
}

Test(part_reader, says_what_a_host_has_said)
{
    struct lines lines = {0};
    struct reason reason;
    char *words = format_text("no job '%s' here: 100%% of @mpilens lines are\x1b short", "x");
    add_error(&lines, "n1", words);
    struct part_reader *reader = read_lines(&lines, "[n1] ");
    cr_expect_eq(part_reader_state(reader, "n1", 1, &reason), PART_FAILED);
    cr_expect_str_eq(reason.text, words);
    cr_expect_eq(part_reader_status(reader, "n1"), 3);
    cr_expect_eq(part_reader_status(reader, "n2"), -1);
    cr_expect_eq(part_reader_state(reader, "n2", 1, &reason), PART_NOTHING);
    part_reader_destroy(reader);
    clear(&lines);
    free(words);
}

/* A mark of progress is a line that stands alone, and no part. */
Test(part_lines, marks_are_read_as_they_were_written)
{
    char *text = NULL;
    size_t length = 0, rest, ranks = 0;
    double quiet_s = 0;
    struct part_line line;
    FILE *stream = open_memstream(&text, &length);
    cr_assert_eq(part_write_mark(stream, "n2", 12.3456, 4), 0);
    fclose(stream);
    cr_assert(part_line_find(text, length, &line, &rest));
    cr_assert(part_parse_mark(&line, &quiet_s, &ranks));
    cr_expect_float_eq(quiet_s, 12.346, 1e-9);
    cr_expect_eq(ranks, 4);
    struct part_stream reading = {.length = 0};
    struct part_reader *reader = part_reader_create(MOST_BYTES);
    struct reason reason;
    part_reader_feed(reader, &reading, text, length);
    cr_expect_eq(part_reader_state(reader, "n2", 1, &reason), PART_NOTHING);
    cr_expect_str_empty(part_reader_others(reader));
    part_reader_destroy(reader);
    text[strcspn(text, "4")] = '5';
    cr_expect_not(part_line_find(text, length, &line, &rest), "the check is that of another text");
    line = (struct part_line){.word = PART_WORD_MARK, .text = "12 ", .length = 3};
    cr_expect_not(part_parse_mark(&line, &quiet_s, &ranks));
    free(text);
}

Test(part_reader, names_lines_that_are_missing)
{
    struct lines lines = {0};
    struct reason reason;
    char *bytes = make_bytes(20000);
    add_part(&lines, "n1", 1, bytes, 20000);
    const size_t count = lines.count - 2;
    for (size_t i = 1; i < 4; i++)
        lines.items[i][60] ^= 1; /* lines 0 to 2: the first is the begin */
    lines.items[10][3] = 'x';
    struct part_reader *reader = read_lines(&lines, "");
    char *expected = format_text("4 of %zu lines of its answer are missing (0-2, 9)", count);
    cr_expect_eq(part_reader_state(reader, "n1", 1, &reason), PART_TORN);
    cr_expect_str_eq(reason.text, expected);
    part_reader_destroy(reader);
    free(expected);
    free(bytes);
    clear(&lines);
}

Test(part_reader, two_hosts_of_one_name_are_told)
{
    struct lines lines = {0};
    struct reason reason;
    char *one = make_bytes(9000), *other = make_bytes(9000);
    add_part(&lines, "localhost", 1, one, 9000);
    free(lines.items[--lines.count]); /* else the first one is whole */
    add_part(&lines, "localhost", 1, other, 9000);
    struct part_reader *reader = read_lines(&lines, "");
    cr_expect_eq(part_reader_state(reader, "localhost", 1, &reason), PART_TORN);
    cr_expect_not_null(strstr(reason.text, "two different answers"), "%s", reason.text);
    part_reader_destroy(reader);
    free(one);
    free(other);
    clear(&lines);
}

Test(part_reader, keeps_what_engines_say)
{
    struct part_reader *reader = part_reader_create(MOST_BYTES);
    struct part_stream stream = {.length = 0};
    static const char text[] = "ssh: connect to host n3: No route to host\r\n\n\x1b[31msrun: error\n";
    part_reader_feed(reader, &stream, text, strlen(text));
    cr_expect_str_eq(part_reader_others(reader), "ssh: connect to host n3: No route to host\n\\x1b[31msrun: error\n");
    part_reader_destroy(reader);
}

Test(part_reader, takes_no_more_than_it_may)
{
    struct lines lines = {0};
    struct reason reason;
    char *bytes = make_bytes(200000);
    add_part(&lines, "n1", 1, bytes, 200000);
    struct part_reader *reader = part_reader_create(100000);
    struct part_stream stream = {.length = 0};
    for (size_t i = 0; i < lines.count; i++) {
        part_reader_feed(reader, &stream, lines.items[i], strlen(lines.items[i]));
        part_reader_feed(reader, &stream, "\n", 1);
    }
    cr_expect_eq(part_reader_state(reader, "n1", 1, &reason), PART_TORN);
    cr_expect_not_null(strstr(reason.text, "larger than what may be read"), "%s", reason.text);
    part_reader_destroy(reader);
    free(bytes);
    clear(&lines);
}

/* Cuts, joins, repeats, leaves out and overwrites. */
static void damage(struct lines *lines)
{
    for (int i = 0; i < 8; i++) {
        const size_t at = random_below((uint32_t)lines->count);
        const size_t other = random_below((uint32_t)lines->count);
        char *line = lines->items[at];
        switch (random_below(5)) {
        case 0:
            line[random_below((uint32_t)strlen(line) + 1)] = '\0';
            break;
        case 1:
            lines->items[at] = format_text("%s%s", line, lines->items[other]);
            free(line);
            break;
        case 2:
            lines->items[at] = copy_text(lines->items[other]);
            free(line);
            break;
        case 3:
            line[0] = '\0';
            break;
        default:
            if (line[0] != '\0')
                line[random_below((uint32_t)strlen(line))] = (char)(1 + random_below(255));
        }
    }
}

/* Under any damage, a part that counts as whole equals the part that was sent. */
Test(part_reader, never_takes_damage_for_a_part)
{
    char *bytes = make_bytes(3000);
    size_t whole = 0, torn = 0;
    for (int try = 0; try < TRIES; try++) {
        struct lines lines = {0};
        struct reason reason = {.text = ""};
        add_part(&lines, "n1", 1, bytes, 3000);
        damage(&lines);
        struct part_reader *reader = read_lines(&lines, "");
        struct received_part part;
        while (part_reader_take(reader, &part)) {
            cr_expect_str_eq(part.host, "n1");
            cr_expect_eq(part.count, 3000);
            cr_expect_eq(memcmp(part.bytes, bytes, 3000), 0);
            free(part.bytes);
            whole++;
        }
        if (part_reader_state(reader, "n1", 1, &reason) == PART_TORN) {
            cr_expect_neq(reason.text[0], '\0');
            torn++;
        }
        part_reader_destroy(reader);
        clear(&lines);
    }
    cr_expect_gt(torn, TRIES / 2);
    cr_expect_eq(whole + torn, TRIES);
    free(bytes);
}

/* Lines that somebody has made, with checks that fit. */
Test(part_reader, believes_nothing)
{
    for (int try = 0; try < TRIES; try++) {
        struct part_reader *reader = part_reader_create(1 << 20);
        struct part_stream stream = {.length = 0};
        for (int i = 0; i < 60; i++) {
            static const char *const texts[] = {"0 0",
                                                "1 18446744073709551615",
                                                "18446744073709551615 1",
                                                "72 99999999",
                                                "1000000 1000000",
                                                "QUJD",
                                                "",
                                                "-1 -1",
                                                "2 ffffffff",
                                                "255"};
            const char *text = texts[random_below(10)];
            const struct part_line line = {.host = "n1",
                                           .round = (int)random_below(MOST_ROUNDS + 1),
                                           .word = (enum part_word)random_below(PART_WORD_MARK + 1),
                                           .number = random_below(2) ? random_below(20) : random_below(999999999),
                                           .text = text,
                                           .length = strlen(text)};
            char written[MOST_LINE_BYTES + 1];
            part_reader_feed(reader, &stream, written, part_line_write(&line, written));
        }
        struct received_part part;
        while (part_reader_take(reader, &part))
            free(part.bytes);
        struct reason reason;
        part_reader_state(reader, "n1", 1, &reason);
        part_reader_destroy(reader);
    }
}

struct writes {
    size_t count, torn;
};

static ssize_t note_write(void *context, const char *bytes, size_t count)
{
    struct writes *writes = context;
    writes->count++;
    writes->torn += count > PIPE_BUF || bytes[count - 1] != '\n';
    return (ssize_t)count;
}

/* Else lines of hosts that share a pipe get into each other. */
Test(part_reader, each_write_ends_with_a_line)
{
    struct writes writes = {.count = 0};
    FILE *stream = fopencookie(&writes, "w", (cookie_io_functions_t){.write = note_write});
    setvbuf(stream, NULL, _IOFBF, PIPE_BUF);
    char *bytes = make_bytes(100000);
    cr_assert_eq(part_write(stream, "n1", 1, bytes, 100000), 0);
    cr_assert_eq(part_write_status(stream, "n1", 0), 0);
    fclose(stream);
    cr_expect_gt(writes.count, 10);
    cr_expect_eq(writes.torn, 0, "%zu of %zu", writes.torn, writes.count);
    free(bytes);
}
