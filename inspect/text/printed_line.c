/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints lines for people.
 */
#include "text/text.h"

#include "base/base.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Indents the lines behind the first, beyond the indentation of the line. */
enum { CONTINUATION_INDENT = 2 };

/* 0: as standard output says. */
static size_t kept_width;

void terminal_width_keep(size_t columns)
{
    kept_width = columns;
}

size_t terminal_width(FILE *stream)
{
    struct winsize size;
    const int file = fileno(stream) >= 0 ? fileno(stream) : STDOUT_FILENO;
    if (kept_width > 0 && file == STDOUT_FILENO)
        return kept_width;
    return isatty(file) && ioctl(file, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool obeys_escapes(FILE *stream)
{
    const char *terminal = getenv("TERM");
    return isatty(fileno(stream)) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

bool is_colored(FILE *stream)
{
    const char *no_color = getenv("NO_COLOR");
    return obeys_escapes(stream) && (no_color == NULL || no_color[0] == '\0');
}

static void print_text(FILE *stream, const char *color, const char *text)
{
    char *escaped = escaped_text(text);
    const size_t width = terminal_width(stream);
    char *lines =
        width > 0 ? broken_text(escaped, width, strspn(escaped, " ") + CONTINUATION_INDENT, false) : copy_text(escaped);
    fprintf(stream, "%s%s%s\n", color != NULL ? color : "", lines, color != NULL ? "\033[0m" : "");
    free(lines);
    free(escaped);
}

__attribute__((format(printf, 3, 0))) static void print_formatted(FILE *stream, const char *color, const char *format,
                                                                  va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        return;
    print_text(stream, color, text);
    free(text);
}

void print_line(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_formatted(stream, NULL, format, arguments);
    va_end(arguments);
}

void print_reason(FILE *stream, const struct reason *reason)
{
    print_line(stream, "mpilens: %s", reason->text);
    if (reason->list != NULL)
        fputs(reason->list, stream);
}

void print_colored_line(FILE *stream, const char *color, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_formatted(stream, color, format, arguments);
    va_end(arguments);
}

int finish_output(FILE *stream)
{
    return fflush(stream) == 0 && !ferror(stream) ? 0 : -1;
}
