/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Escaping, tables and lines for terminals, JSON, shared names.
 */
#ifndef MPILENS_INSPECT_TEXT_TEXT_H
#define MPILENS_INSPECT_TEXT_TEXT_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct redaction;
struct text_line;
struct text_table;

/* -- broken_text.c --
 * Breaking texts into lines. A word with a place in it ("ring.c:12") is never broken. Texts are as escaped_text() makes
 * them, so every character of UTF-8 is whole.
 */

/* A copy with line breaks, and `indent` spaces behind each, so that lines have at most `width` columns. Words that are
 * too long are broken behind commas, slashes and "::", else anywhere; not those with a place, nor the first one where
 * `is_whole`. The caller frees it. */
char *broken_text(const char *text, size_t width, size_t indent, bool is_whole);
/* The columns of the longest word; of those that may be broken not more than `most`. */
size_t longest_word(const char *text, size_t most, bool is_whole);

/* -- escaped_text.c --
 * Texts of applications are any bytes. A terminal obeys some of them, and a line break would let a name pass for a line
 * of ours.
 */

/* Call once, before texts are written: takes the character set from the environment, UTF-8 if that names none. */
void escaped_text_set_locale(void);
/* Whether the locale has the characters of UTF-8. */
bool text_has_unicode(void);
/* A copy for people: characters of UTF-8 as they are, where the locale has them; "\n", "\t", "\x1b" for control
 * characters, "\xff" for each byte that is part of no character, and so too for characters that break lines or turn the
 * direction of writing. Escaping twice changes nothing. The caller frees it. */
char *escaped_text(const char *text);

/* -- html_text.c --
 * Texts in HTML and SVG.
 */

/* As text of the page or of an attribute in quotes, whatever it is. */
void html_write_text(FILE *stream, const char *text);

/* -- json_stream.c --
 * Writes JSON incrementally: documents may be too large to be in memory as a whole.
 */

enum json_style {
    JSON_INDENTED, /* a line for each value */
    JSON_COMPACT,  /* one line */
    JSON_IN_HTML,  /* the same, without characters that mean something in HTML */
};

/* More containers are never open: a datatype has three for each of its levels. */
enum { JSON_STREAM_DEPTH = 64 };

/* Begins with file and style alone, all else 0. */
struct json_stream {
    FILE *file;
    enum json_style style;
    size_t depth;                    /* of the innermost container that is open */
    char closing[JSON_STREAM_DEPTH]; /* of the open containers */
    bool is_empty;                   /* the innermost */
    int error;                       /* errno of what failed first, 0: nothing; nothing is written any more */
};

/* Names are members of the innermost object that is open, NULL in an array and of the document itself; they are written
 * as they are. */
/* A whole document of a verb, with the schema that it follows. */
void json_stream_open_document(struct json_stream *stream, const char *verb);
void json_stream_open_object(struct json_stream *stream, const char *name);
void json_stream_open_array(struct json_stream *stream, const char *name);
void json_stream_close(struct json_stream *stream);

void json_stream_null(struct json_stream *stream, const char *name);
void json_stream_boolean(struct json_stream *stream, const char *name, bool value);
void json_stream_integer(struct json_stream *stream, const char *name, int64_t number);
/* Text that is not UTF-8 is written as valid_text() makes it. */
void json_stream_any_text(struct json_stream *stream, const char *name, const char *text);
void json_stream_any_address(struct json_stream *stream, const char *name, uint64_t address);
/* As the others, of an object whose names are any texts. */
void json_stream_named_text(struct json_stream *stream, const char *name, const char *text);

/* The same, or null where the value is not known. */
void json_stream_integer_if(struct json_stream *stream, const char *name, bool is_known, int64_t number);
void json_stream_number(struct json_stream *stream, const char *name, int64_t number);      /* negative: not known */
void json_stream_identifier(struct json_stream *stream, const char *name, uint64_t number); /* 0: not known */
void json_stream_text(struct json_stream *stream, const char *name, const char *text);      /* NULL, "": not known */
void json_stream_address(struct json_stream *stream, const char *name, uint64_t address);   /* 0: not known */
/* To a microsecond; negative or beyond 30,000 years: not known. */
void json_stream_seconds(struct json_stream *stream, const char *name, double seconds);
/* The id that an object has at all its members, as text: many readers have no such large numbers. 0: not known. */
void json_stream_unique_id(struct json_stream *stream, const char *name, uint64_t id);

/* Ends the document with a line break. 0, or -1 and errno. */
int json_stream_finish(struct json_stream *stream);

/* -- printed_line.c --
 * Lines for people, with texts of applications in them. On a terminal a line that is too long is broken between words.
 */

/* Columns of the terminal that the stream is; of a stream in memory, of standard output. 0: it is none. */
size_t terminal_width(FILE *stream);
/* Standard output goes to a terminal of this width later on; 0: no more. */
void terminal_width_keep(size_t columns);
/* Whether it is a terminal that obeys escape sequences. */
bool obeys_escapes(FILE *stream);
/* Whether what is written there is colored by default: on a terminal that can, unless the user wants none (NO_COLOR).
 */
bool is_colored(FILE *stream);
/* Writes a line, all of it escaped, and a line break. */
__attribute__((format(printf, 2, 3))) void print_line(FILE *stream, const char *format, ...);
struct reason;
/* Writes a message for people: "mpilens: " and the reason, and its list below. */
void print_reason(FILE *stream, const struct reason *reason);
/* As print_line, between an escape sequence and the one that takes its effect back; NULL: none. */
__attribute__((format(printf, 3, 4))) void print_colored_line(FILE *stream, const char *color, const char *format, ...);

/* Writes what is still kept back. 0, or -1 when something could not be written since the stream was opened. */
int finish_output(FILE *stream);

/* -- redaction.c -- Names that others must not see, replaced by numbered words: host-1, user-1, arg-1, address-1, and
 * directories of files: path-1/solve.c. The same name gets the same word in all texts. Directories that are alike on
 * all hosts, such as /usr/lib and /proc, stay.
 */

enum redacted_name {
    REDACTED_HOST,
    REDACTED_USER,
    REDACTED_ARGUMENT,
    REDACTED_ADDRESS,
    REDACTED_PATH,
    REDACTED_NAMES,
};

/* The form of a text. Elements of HTML and names of members in JSON are left alone. */
enum redacted_form {
    REDACTED_TEXT,
    REDACTED_HTML,
    REDACTED_XML, /* with names in the attributes of its elements, too */
    REDACTED_JSON,
    REDACTED_FORMS,
};

struct redaction *redaction_create(void);
void redaction_destroy(struct redaction *redaction); /* NULL is fine */
/* The word for this name from now on, as long as the redaction lasts. Paths and addresses of the internet are found
 * without having been added. A path with blanks is where it is the beginning of a string of a document; elsewhere its
 * directory must be added. */
const char *redaction_add(struct redaction *redaction, enum redacted_name what, const char *name);
/* Whether it must: its name has blanks, quotes and the like. */
bool redaction_needs(const char *directory);
/* The text with such words, in the arena in use; with NULL the text itself. */
const char *redaction_apply(struct redaction *redaction, enum redacted_form form, const char *text);

/* -- text_columns.c --
 * The width of texts in cells of a terminal: each character has one cell, two, or none.
 */

/* The width of the character of UTF-8 with this many bytes: 2 for East Asian characters and pictures, 0 for combining
 * characters. */
size_t character_columns(const char *character, size_t length);
/* Columns of a text as valid_text() makes it. */
size_t text_columns(const char *text);

/* -- text_layout.c --
 * The widths of a table's columns on a terminal.
 */

/* The text between two columns of a table. */
#define COLUMN_SEPARATOR "  "

/* Widths in columns of the terminal; natural >= words >= least. */
struct column_need {
    size_t natural; /* of the longest cell */
    size_t words;   /* no word is broken */
    size_t least;   /* width of the longest unbreakable part */
};

/* Shares `width` among the columns and the separators: the widest ones give first. False: it is too little. */
bool share_width(const struct column_need *needs, size_t count, size_t width, bool breaks_words, size_t *ret_widths);

/* -- text_pool.c --
 * Names that thousands of records share (functions, datatypes, files), each stored once.
 */

/* Zero-initialised is empty. */
struct text_pool {
    struct arena arena; /* with all texts: its end is the pool's */
    struct arena_node *root;
};

/* The pool's copy of `text`, valid as long as its arena; the same pointer for the same text. */
const char *text_pool_add(struct text_pool *pool, const char *text);

/* -- text_table.c --
 * Tables for people, through libsmartcols. Cells may have texts of applications: all are escaped. On a terminal no line
 * is wider than that: cells have several lines where they must, columns in the middle are put together where there are
 * many, and where even that is too wide, each row is a paragraph.
 */

struct text_column {
    const char *name;
    bool right; /* aligned */
    bool whole; /* the first word of a cell is never broken, such as a file and line */
};

struct text_table *text_table_create(const struct text_column *columns, size_t column_count, bool headings, bool color);
/* The width of the terminal, 0: as wide as it becomes. If it is not set, the stream decides. */
void text_table_set_width(struct text_table *table, size_t width);
/* Appends a line of column_count cells, which are copied; `color` is a colour name of terminal-colors.d or NULL. */
void text_table_add(struct text_table *table, const char *const cells[], const char *color);
/* The same below a line that was added before, NULL: below none; the first column shows it as a tree. Add all that is
 * below a line before the next. The result stands for the line until the table is finished. */
struct text_line *text_table_add_below(struct text_table *table, struct text_line *parent, const char *const cells[]);
/* Writes the table, if it has lines, and destroys it. 0, or -1 when writing failed. */
int text_table_finish(struct text_table *table, FILE *stream);

/* -- valid_text.c --
 * Texts of applications are any bytes; documents are UTF-8.
 */

/* How many bytes the character at the beginning of the text has, 0: it is none. */
size_t utf8_character(const char *text);
/* The same, 0 also for control characters and what XML forbids. */
size_t valid_character(const char *text);
/* A copy with U+FFFD in the place of each byte that is part of no character; control characters become spaces. The
 * caller frees it. */
char *valid_text(const char *text);

#endif
