/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Expands and folds lists of hosts.
 */
#include "engine/engine.h"

#include "base/base.h"
#include "discover/discover.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Brackets in one name, digits of a number in them, and all that is looked at of a list. */
enum { MOST_BRACKETS = 4, MOST_DIGITS = 9, MOST_LIST_BYTES = 1 << 20 };

bool is_host_name(const char *name)
{
    size_t length = 0;
    if (!isalnum((unsigned char)name[0]))
        return false;
    while (isalnum((unsigned char)name[length]) || (name[length] != '\0' && strchr(".-_", name[length]) != NULL))
        length++;
    return name[length] == '\0' && length <= MOST_HOST_NAME_BYTES;
}

/* Every name counts, so that a list of ranges of ranges comes to an end. */
static int append(struct host_list *list, const char *name)
{
    if (list->count >= MOST_HOSTS || !is_host_name(name))
        return -1;
    list->names = arena_append(list->names, &list->count, sizeof *list->names);
    list->names[list->count - 1] = arena_copy(name);
    return 0;
}

int host_list_add(struct host_list *list, const char *name)
{
    const bool is_last = list->count > 0 && strcmp(list->names[list->count - 1], name) == 0;
    return is_last ? 0 : append(list, name);
}

/* Reads digits; *ret_end is behind them. */
static bool read_number(const char *text, const char **ret_end, long *ret_number)
{
    size_t digits = 0;
    while (isdigit((unsigned char)text[digits]))
        digits++;
    if (digits == 0 || digits > MOST_DIGITS)
        return false;
    *ret_number = strtol(text, NULL, 10);
    *ret_end = text + digits;
    return true;
}

static int expand(struct host_list *list, const char *before, const char *rest, int brackets);

/* One of "1-3,07", which *text stands at: *text is behind it then. */
static int expand_range(struct host_list *list, const char *before, const char **text, const char *rest, int brackets)
{
    const char *end;
    long first, last;
    if (!read_number(*text, &end, &first))
        return -1;
    const int width = (int)(end - *text);
    last = first;
    if (*end == '-' && (!read_number(end + 1, &end, &last) || last < first || last - first >= MOST_HOSTS))
        return -1;
    *text = end;
    for (long number = first; number <= last; number++) {
        char *name = format_text("%s%0*ld", before, width, number);
        const int result = strlen(name) <= MOST_HOST_NAME_BYTES ? expand(list, name, rest, brackets) : -1;
        free(name);
        if (result != 0)
            return -1;
    }
    return 0;
}

/* `before` has no brackets, `rest` may have some. */
static int expand(struct host_list *list, const char *before, const char *rest, int brackets)
{
    const char *open = strchr(rest, '[');
    const char *close = open != NULL ? strchr(open, ']') : NULL;
    if (open == NULL) {
        char *name = format_text("%s%s", before, rest);
        const int result = append(list, name);
        free(name);
        return result;
    }
    if (close == NULL || brackets == MOST_BRACKETS)
        return -1;
    char *beginning = format_text("%s%.*s", before, (int)(open - rest), rest);
    const char *range = open;
    int result = 0;
    do {
        range++;
        result = expand_range(list, beginning, &range, close + 1, brackets + 1);
    } while (result == 0 && *range == ',');
    free(beginning);
    return result == 0 && range == close ? 0 : -1;
}

/* Behind the item that `text` begins with: at a comma outside brackets, or the end. */
static const char *item_end(const char *text)
{
    bool is_inside = false;
    for (; *text != '\0' && (is_inside || *text != ','); text++)
        is_inside = *text == '[' || (is_inside && *text != ']');
    return text;
}

int host_list_parse(struct host_list *list, const char *text)
{
    struct host_list all = {.count = 0};
    int result = strnlen(text, MOST_LIST_BYTES) < MOST_LIST_BYTES ? 0 : -1;
    for (const char *item = text; result == 0; item++) {
        const char *end = item_end(item);
        char *one = strndup(item, (size_t)(end - item));
        result = one != NULL ? expand(&all, "", one, 0) : -1;
        free(one);
        item = end;
        if (*end == '\0')
            break;
    }
    for (size_t i = 0; result == 0 && i < all.count; i++)
        result = host_list_add(list, all.names[i]);
    return result;
}

/* "[3:1-4,7]" is "[001-004,007]" elsewhere. Writes what stands in the brackets, up to the closing one. */
static const char *write_numbers(FILE *stream, const char *text)
{
    const char *end;
    long width, number;
    if (!read_number(text, &end, &width) || width > MOST_DIGITS || *end != ':')
        return NULL;
    do {
        if (!read_number(end + 1, &end, &number))
            return NULL;
        fprintf(stream, "%0*ld", (int)width, number);
        if (*end == '-' || *end == ',')
            fputc(*end, stream);
    } while (*end == '-' || *end == ',');
    return *end == ']' ? end : NULL;
}

int host_list_parse_node_regex(struct host_list *list, const char *text)
{
    char *plain = NULL;
    size_t bytes = 0;
    if (strnlen(text, MOST_LIST_BYTES) == MOST_LIST_BYTES)
        return -1;
    FILE *stream = open_memstream(&plain, &bytes);
    bool is_good = stream != NULL;
    for (const char *next = text; is_good && *next != '\0' && *next != '@'; next++) {
        fputc(*next, stream);
        if (*next != '[')
            continue;
        next = write_numbers(stream, next + 1);
        is_good = next != NULL;
        if (!is_good)
            break;
        fputc(']', stream);
    }
    if (stream != NULL)
        fclose(stream);
    const int result = is_good ? host_list_parse(list, plain) : -1;
    free(plain);
    return result;
}

struct numbered_name {
    const char *name;
    size_t number; /* its place in the list */
};

static int compare_names(const void *left_name, const void *right_name)
{
    const struct numbered_name *left = left_name, *right = right_name;
    const int order = strcmp(left->name, right->name);
    if (order != 0)
        return order;
    return left->number < right->number ? -1 : left->number > right->number;
}

void host_list_finish(struct host_list *list)
{
    struct numbered_name *sorted = allocate(list->count * sizeof *sorted);
    for (size_t i = 0; i < list->count; i++)
        sorted[i] = (struct numbered_name){.name = list->names[i], .number = i};
    if (list->count > 1)
        qsort(sorted, list->count, sizeof *sorted, compare_names);
    for (size_t i = 1; i < list->count; i++)
        if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
            list->names[sorted[i].number] = NULL;
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->names[i] != NULL)
            list->names[kept++] = list->names[i];
    list->count = kept;
    free(sorted);
}

size_t host_list_find(const struct host_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->names[i], name) == 0)
            return i;
    for (size_t i = 0; i < list->count; i++)
        if (is_same_host(list->names[i], name))
            return i;
    return list->count;
}

const char *host_list_find_own(const struct host_list *list)
{
    char own[MOST_HOST_NAME_BYTES + 1] = "";
    if (gethostname(own, sizeof own - 1) != 0)
        return NULL;
    const size_t number = host_list_find(list, own);
    return number < list->count ? list->names[number] : NULL;
}

const char *host_list_join(const struct host_list *list)
{
    FILE *stream = arena_open();
    for (size_t i = 0; i < list->count; i++)
        fprintf(stream, "%s%s", i > 0 ? "," : "", list->names[i]);
    return arena_close(stream);
}

/* A name in three parts: "rack1n", "08", "-ib.cluster". */
struct split_name {
    const char *name;
    size_t beginning; /* letters before the number */
    size_t digits;    /* 0: it has none */
    long number;
};

/* The number is the last one before the domain. */
static struct split_name split(const char *name)
{
    struct split_name parts = {.name = name, .beginning = strcspn(name, ".")};
    size_t end = parts.beginning;
    while (end > 0 && !isdigit((unsigned char)name[end - 1]))
        end--;
    size_t start = end;
    while (start > 0 && isdigit((unsigned char)name[start - 1]) && end - start < MOST_DIGITS)
        start--;
    if (start == end || start == 0)
        return parts;
    parts.beginning = start;
    parts.digits = end - start;
    parts.number = strtol(name + start, NULL, 10);
    return parts;
}

static const char *ending(const struct split_name *name)
{
    return name->name + name->beginning + name->digits;
}

static bool is_one_bracket(const struct split_name *left, const struct split_name *right)
{
    return left->digits > 0 && right->digits > 0 && left->beginning == right->beginning &&
           strncmp(left->name, right->name, left->beginning) == 0 && strcmp(ending(left), ending(right)) == 0;
}

static int compare_split(const void *left_name, const void *right_name)
{
    const struct split_name *left = left_name, *right = right_name;
    const size_t least = left->beginning < right->beginning ? left->beginning : right->beginning;
    int order = strncmp(left->name, right->name, least);
    if (order == 0)
        order = left->beginning < right->beginning ? -1 : left->beginning > right->beginning;
    if (order == 0)
        order = strcmp(ending(left), ending(right));
    if (order == 0)
        order = left->digits < right->digits ? -1 : left->digits > right->digits;
    if (order == 0)
        order = left->number < right->number ? -1 : left->number > right->number;
    return order;
}

/* Writes the names of one bracket, which are `names` up to `count`. */
static void write_bracket(FILE *stream, const struct split_name *names, size_t count)
{
    if (count == 1) {
        fputs(names->name, stream);
        return;
    }
    fprintf(stream, "%.*s[", (int)names->beginning, names->name);
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && names[end].digits == names[i].digits && names[end].number == names[end - 1].number + 1)
            end++;
        fprintf(stream, "%s%.*s", i > 0 ? "," : "", (int)names[i].digits, names[i].name + names[i].beginning);
        if (end > i + 1)
            fprintf(stream, "-%.*s", (int)names[i].digits, names[end - 1].name + names[i].beginning);
        i = end;
    }
    fprintf(stream, "]%s", ending(names));
}

const char *host_list_fold(const struct host_list *list)
{
    struct split_name *names = allocate(list->count * sizeof *names);
    FILE *stream = arena_open();
    for (size_t i = 0; i < list->count; i++)
        names[i] = split(list->names[i]);
    if (list->count > 1)
        qsort(names, list->count, sizeof *names, compare_split);
    for (size_t i = 0; i < list->count;) {
        size_t end = i + 1;
        while (end < list->count && is_one_bracket(&names[i], &names[end]))
            end++;
        fputs(i > 0 ? "," : "", stream);
        write_bracket(stream, names + i, end - i);
        i = end;
    }
    free(names);
    return arena_close(stream);
}
