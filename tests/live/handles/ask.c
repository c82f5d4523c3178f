/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Questions and answers as one JSON file per rank in the directory MPILENS_LIVE_DIRECTORY.
 */
#include "ask.h"

#include <fcntl.h>
#include <stdarg.h>

enum { TEXTS = 64, TEXT_BYTES = 64, PATH_BYTES = 4096 };

static FILE *file;
static int rank;
static int count;

static void begin_question(const char *arguments)
{
    fprintf(file, "%s{\"ask\": \"%s\", ", count > 0 ? ",\n" : "", arguments);
    count++;
}

int ask_begin(void)
{
    char path[PATH_BYTES];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(path, sizeof path, "%s/rank-%d.json", directory != NULL ? directory : ".", rank);
    file = fopen(path, "w");
    if (file == NULL) {
        fail(path);
    }
    fprintf(file, "{\"rank\": %d, \"pid\": %d, \"questions\": [\n", rank, getpid());
    return rank;
}

void ask(const char *arguments, const char *answer, ...)
{
    va_list values;
    begin_question(arguments);
    fputs("\"answer\": ", file);
    va_start(values, answer);
    vfprintf(file, answer, values);
    va_end(values);
    fputs("}", file);
}

void ask_in_vain(const char *arguments, const char *text)
{
    begin_question(arguments);
    fprintf(file, "\"fails\": \"%s\"}", text);
}

void ask_end(void)
{
    char path[PATH_BYTES];
    char line[16];
    const char *directory = getenv("MPILENS_LIVE_DIRECTORY");
    fputs("]}\n", file);
    if (fclose(file) != 0) {
        fail("expectations");
    }
    if (directory == NULL) {
        return;
    }
    snprintf(path, sizeof path, "%s/ready", directory);
    int ready = open(path, O_WRONLY);
    int length = snprintf(line, sizeof line, "%d\n", rank);
    if (ready < 0 || write(ready, line, (size_t)length) != length) {
        fail(path);
    }
    close(ready);
}

static char *next_text(void)
{
    static char texts[TEXTS][TEXT_BYTES];
    static int next;
    return texts[next++ % TEXTS];
}

const char *ask_value(const char *kind, uint64_t value)
{
    char *text = next_text();
    snprintf(text, TEXT_BYTES, "%s 0x%llx", kind, (unsigned long long)value);
    return text;
}

const char *ask_text(uint64_t value)
{
    char *text = next_text();
    snprintf(text, TEXT_BYTES, "0x%llx", (unsigned long long)value);
    return text;
}

/* For Fortran: the integer of a handle, and the variable in which it is; texts end with a NUL. */
void ask_fortran(const char *kind, const int *value, const char *variable, const char *answer);
void ask_fortran(const char *kind, const int *value, const char *variable, const char *answer)
{
    char arguments[TEXT_BYTES];
    snprintf(arguments, sizeof arguments, "--fortran %s %d", kind, *value);
    ask(arguments, "{\"fortran\": %d, %s}", *value, answer);
    if (variable[0] != '\0') {
        ask(variable, "{\"fortran\": %d, %s}", *value, answer);
    }
}

/* Such an integer names nothing. */
void ask_fortran_in_vain(const char *kind, const int *value, const char *text);
void ask_fortran_in_vain(const char *kind, const int *value, const char *text)
{
    char arguments[TEXT_BYTES];
    snprintf(arguments, sizeof arguments, "--fortran %s %d", kind, *value);
    ask_in_vain(arguments, text);
}

/* A status and what has no integer of its own. */
void ask_variable(const char *variable, const char *answer);
void ask_variable(const char *variable, const char *answer)
{
    ask(variable, "{%s}", answer);
}
