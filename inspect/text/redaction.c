/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Replaces names by numbered words.
 */
#include "text/text.h"

#include "base/base.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 256, LEAST_IN_ARGUMENT = 4 };

struct redacted {
    const char *name, *word;
};

/* Their names have blanks and the like, where a path seems to end; as one form writes them. */
struct odd_directories {
    const char **items;
    size_t count;
};

struct redaction {
    struct arena arena;                     /* of its names, which many texts have one after the other */
    struct arena_node *names, *directories; /* of struct redacted */
    struct odd_directories odd[REDACTED_FORMS];
    unsigned count[REDACTED_NAMES];
};

static int compare(const void *left, const void *right)
{
    return strcmp(((const struct redacted *)left)->name, ((const struct redacted *)right)->name);
}

struct redaction *redaction_create(void)
{
    return allocate(sizeof(struct redaction));
}

void redaction_destroy(struct redaction *redaction)
{
    if (redaction != NULL)
        arena_clear(&redaction->arena);
    free(redaction);
}

static const char *find(const struct arena_node *tree, const char *name)
{
    const struct redacted wanted = {.name = name};
    const struct redacted *found = arena_find(&wanted, tree, compare);
    return found != NULL ? found->word : NULL;
}

/* The first word stays. */
static const char *keep(struct redaction *redaction, struct arena_node **tree, const char *name, const char *word)
{
    struct arena *outer = arena_use(&redaction->arena);
    struct redacted *redacted = arena_allocate(sizeof *redacted);
    *redacted = (struct redacted){.name = arena_copy(name), .word = arena_copy(word)};
    redacted = arena_search(redacted, tree, compare);
    arena_use(outer);
    return redacted->word;
}

static const char *add(struct redaction *redaction, struct arena_node **tree, enum redacted_name what, const char *name)
{
    static const char *const words[] = {"host", "user", "arg", "address", "path"};
    const char *known = find(*tree, name);
    return known != NULL ? known
                         : keep(redaction, tree, name, arena_text("%s-%u", words[what], ++redaction->count[what]));
}

static bool is_word(char character)
{
    return isalnum((unsigned char)character) != 0 || character == '_' || (character & 0x80) != 0;
}

/* Names of files; '/' stands between them. */
static bool is_of_path(char character)
{
    return is_word(character) || (character != '\0' && strchr("/.+-~@%#", character) != NULL);
}

/* The parts that an argument may have in other texts, such as the name of a file. */
static void add_parts(struct redaction *redaction, const char *argument, const char *word)
{
    for (const char *at = argument; *at != '\0';) {
        const char *end = at;
        bool has_letter = false;
        for (; is_word(*end) || *end == '.' || *end == '-' || *end == '+'; end++)
            has_letter = has_letter || isalpha((unsigned char)*end) != 0;
        if (end - at >= LEAST_IN_ARGUMENT && has_letter && is_word(*at) && argument[0] != '-')
            keep(redaction, &redaction->names, arena_text("%.*s", (int)(end - at), at), word);
        at = end + (*end != '\0');
    }
}

bool redaction_needs(const char *directory)
{
    while (is_of_path(*directory))
        directory++;
    return *directory != '\0';
}

/* As a string of JSON, without its quotes. */
static const char *write_string(const char *text, enum json_style style)
{
    FILE *stream = arena_open();
    json_stream_any_text(&(struct json_stream){.file = stream, .style = style}, NULL, text);
    const char *string = arena_close(stream);
    return arena_text("%.*s", (int)strlen(string) - 2, string + 1);
}

static const char *write_html(const char *text)
{
    FILE *stream = arena_open();
    html_write_text(stream, text);
    return arena_close(stream);
}

static void add_written(struct redaction *redaction, enum redacted_form form, const char *written, const char *word)
{
    struct odd_directories *odd = &redaction->odd[form];
    for (size_t i = 0; i < odd->count; i++)
        if (strcmp(odd->items[i], written) == 0)
            return;
    struct arena *outer = arena_use(&redaction->arena);
    odd->items = arena_append(odd->items, &odd->count, sizeof *odd->items);
    odd->items[odd->count - 1] = arena_copy(written);
    arena_use(outer);
    keep(redaction, &redaction->directories, written, word);
}

/* As each form writes it: in documents, a quote of the plain name could be the beginning of a string. */
static void add_odd(struct redaction *redaction, const char *directory, const char *word)
{
    const char *const texts[] = {directory, arena_take(escaped_text(directory))};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        add_written(redaction, REDACTED_TEXT, texts[i], word);
        add_written(redaction, REDACTED_HTML, write_html(texts[i]), word);
        add_written(redaction, REDACTED_XML, write_html(texts[i]), word);
        add_written(redaction, REDACTED_JSON, write_string(texts[i], JSON_COMPACT), word);
        add_written(redaction, REDACTED_JSON, write_string(texts[i], JSON_IN_HTML), word);
    }
}

static const char *add_directory(struct redaction *redaction, const char *directory)
{
    const bool is_new = find(redaction->directories, directory) == NULL;
    const char *word = add(redaction, &redaction->directories, REDACTED_PATH, directory);
    if (!is_new || !redaction_needs(directory))
        return word;
    add_odd(redaction, directory, word);
    /* as it is seen from a directory above it */
    for (const char *slash = strchr(directory + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/'))
        if (redaction_needs(slash + 1) && find(redaction->directories, slash + 1) == NULL) {
            keep(redaction, &redaction->directories, slash + 1, word);
            add_odd(redaction, slash + 1, word);
        }
    return word;
}

const char *redaction_add(struct redaction *redaction, enum redacted_name what, const char *name)
{
    if (what == REDACTED_PATH)
        return add_directory(redaction, name);
    if (what != REDACTED_ARGUMENT)
        return name[0] != '\0' ? add(redaction, &redaction->names, what, name) : "";
    const char *word = arena_text("arg-%u", ++redaction->count[what]);
    const char *value = strchr(name, '=');
    add_parts(redaction, value != NULL ? value + 1 : name, word);
    return word;
}

/* Directories that say nothing about who uses them. */
static bool is_of_system(const char *path)
{
    static const char *const kept[] = {"/usr/",  "/lib/", "/lib64/", "/bin/", "/sbin/",
                                       "/proc/", "/sys/", "/dev/",   "/etc/"};
    static const char *const told[] = {"/usr/local/", "/usr/src/", "/dev/shm/"};
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (strncmp(path, told[i], strlen(told[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strncmp(path, kept[i], strlen(kept[i])) == 0)
            return true;
    return false;
}

/* Length of what begins here and a word replaces, 0: nothing does. `before`: the character in front of it. */
static size_t match_name(const struct redaction *redaction, const char *text, char before, const char **ret_word)
{
    char name[LONGEST_NAME];
    size_t found = 0;
    if (is_word(before) || !is_word(text[0]))
        return 0;
    for (size_t i = 0; i + 1 < sizeof name && is_of_path(text[i]) && text[i] != '/'; i++) {
        name[i] = text[i];
        name[i + 1] = '\0';
        if (is_word(text[i + 1]))
            continue;
        const char *word = find(redaction->names, name);
        if (word == NULL)
            continue;
        *ret_word = word;
        found = i + 1;
    }
    return found;
}

/* The directory in front of the name of a file that is known and may have blanks; 0: none begins here. */
static size_t match_odd(const struct redaction *redaction, enum redacted_form form, const char *text)
{
    const struct odd_directories *odd = &redaction->odd[form];
    size_t longest = 0;
    for (size_t i = 0; i < odd->count; i++) {
        const size_t length = strlen(odd->items[i]);
        if (length > longest && strncmp(odd->items[i], text, length) == 0 && text[length] == '/')
            longest = length;
    }
    return longest;
}

/* Bytes of a string of JSON until it or its first line ends. */
static size_t string_length(const char *text)
{
    size_t length = 0;
    while (text[length] != '\0' && text[length] != '"' && strncmp(text + length, "\\n", 2) != 0)
        length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
    return length;
}

/* A path that names a file or directory of the user: from the root, or one of several parts that ends with a suffix.
 * A path that begins a string of a document may have blanks. */
static size_t match_path(struct redaction *redaction, enum redacted_form form, const char *text, char before,
                         const char **ret_word)
{
    if (is_of_path(before) || is_of_system(text))
        return 0;
    const size_t odd = match_odd(redaction, form, text);
    if (odd == 0 && text[0] == '/' && !is_of_path(text[1]))
        return 0;
    size_t length = odd;
    if (form == REDACTED_JSON && before == '"' && text[0] == '/')
        length = string_length(text);
    while (is_of_path(text[length]))
        length++;
    while (length > 0 && text[length - 1] == '.')
        length--;
    const char *path = arena_text("%.*s", (int)length, text);
    const char *slash = strrchr(path, '/');
    if (slash == NULL || strncmp(path, "//", 2) == 0 || (odd == 0 && path[0] != '/' && strchr(slash, '.') == NULL))
        return 0;
    const char *directory = arena_text("%.*s", (int)(slash - path), path);
    if (path[0] != '/' && directory[strspn(directory, "./")] == '\0')
        return 0;
    /* the name below a directory such as /home may be a user's */
    if (path[0] == '/' && (slash == path || strchr(path + 1, '/') == slash) && strcmp(directory, "/tmp") != 0) {
        *ret_word = add(redaction, &redaction->directories, REDACTED_PATH, path);
        return length;
    }
    const char *name = redaction_apply(redaction, REDACTED_TEXT, slash + 1);
    *ret_word = arena_text("%s/%s", add(redaction, &redaction->directories, REDACTED_PATH, directory), name);
    return length;
}

/* 10.1.2.3, and [fe80::1] without its brackets. */
static size_t match_address(struct redaction *redaction, const char *text, char before, const char **ret_word)
{
    int parts[4], end = 0;
    size_t length;
    if (before == '[') {
        length = strspn(text, "0123456789abcdefABCDEF:.%");
        const char *colon = memchr(text, ':', length);
        if (text[length] != ']' || colon == NULL || memchr(colon + 1, ':', length - (size_t)(colon + 1 - text)) == NULL)
            return 0;
    } else {
        if (is_word(before) || before == '.' || !isdigit((unsigned char)text[0]) ||
            sscanf(text, "%3d.%3d.%3d.%3d%n", &parts[0], &parts[1], &parts[2], &parts[3], &end) != 4 ||
            is_word(text[end]) || parts[0] == 127 || parts[0] == 0)
            return 0;
        length = (size_t)end;
    }
    *ret_word = add(redaction, &redaction->names, REDACTED_ADDRESS, arena_text("%.*s", (int)length, text));
    return length;
}

/* Whether this stands in front of the place in the text. */
static bool follows(const char *place, const char *begin, const char *expected)
{
    const size_t length = strlen(expected);
    return (size_t)(place - begin) >= length && strncmp(place - length, expected, length) == 0;
}

/* Sites that forms name, of everybody. */
static bool is_of_form(const char *host)
{
    return strcmp(host, "www.w3.org") == 0 || strcmp(host, "json.schemastore.org") == 0;
}

/* The host of an address behind "://". */
static size_t match_site(struct redaction *redaction, const char *text, const char *begin, const char **ret_word)
{
    if (!follows(text, begin, "://"))
        return 0;
    const size_t length = strcspn(text, " \t\n\"'<>()/");
    const char *host = arena_text("%.*s", (int)length, text);
    if (length == 0 || is_of_form(host))
        return 0;
    *ret_word = add(redaction, &redaction->names, REDACTED_HOST, host);
    return length;
}

/* "\n", "\u001b": how JSON and escaped text write one character; "\\" too, and a line's end in a command of GitHub. 0:
 * there is none. */
static size_t skip_escape(const char *text)
{
    if (strncmp(text, "%0A", 3) == 0)
        return 3;
    if (text[0] != '\\' || text[1] == '\0')
        return 0;
    const size_t most = text[1] == 'u' ? 4 : text[1] == 'x' ? 2 : 0;
    size_t digits = 0;
    while (digits < most && isxdigit((unsigned char)text[2 + digits]))
        digits++;
    return 2 + digits;
}

/* How much of the text is no name but belongs to its form. */
static size_t skip_form(enum redacted_form form, const char *text)
{
    if (form == REDACTED_HTML && text[0] == '<')
        return strcspn(text, ">") + (strchr(text, '>') != NULL);
    if (form == REDACTED_XML && text[0] == '<') /* "<name", "</name" */
        return strcspn(text, " >");
    if (form != REDACTED_JSON || text[0] != '"')
        return 0;
    const size_t length = strcspn(text + 1, "\"\\") + 2;
    return text[length - 1] == '"' && text[length] == ':' ? length : 0;
}

const char *redaction_apply(struct redaction *redaction, enum redacted_form form, const char *text)
{
    if (redaction == NULL)
        return text;
    FILE *stream = arena_open();
    const struct redaction *names = redaction;
    const char *form_end = text; /* no name begins before it */
    for (const char *at = text; *at != '\0';) {
        const char before = at > form_end && !follows(at, text, "file://") ? at[-1] : ' ';
        const char *word = NULL;
        size_t length = skip_form(form, at);
        if (length == 0 && form != REDACTED_HTML)
            length = skip_escape(at);
        if (length > 0) {
            fwrite(at, 1, length, stream);
            at += length;
            form_end = at;
            continue;
        }
        if ((length = match_site(redaction, at, text, &word)) > 0 ||
            (length = match_path(redaction, form, at, before, &word)) > 0 ||
            (length = match_address(redaction, at, before, &word)) > 0 ||
            (length = match_name(names, at, before, &word)) > 0) {
            fputs(word, stream);
            at += length;
        } else {
            fputc(*at++, stream);
        }
    }
    return arena_close(stream);
}
