/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Answers command lines without a verb by a guess at the intended one.
 */
#include "verbs/verbs_internal.h"

#include "base/base.h"
#include "engine/engine.h"
#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat information;
    return stat(path, &information) == 0 && S_ISREG(information.st_mode) && access(path, X_OK) == 0;
}

/* A PID or a file, which verbs take. */
static bool is_target(const char *word)
{
    return (word[0] != '\0' && strspn(word, "0123456789") == strlen(word)) || access(word, F_OK) == 0;
}

char *verb_refuse_write_start(char *const *words)
{
    static const char *const launcher[] = {"mpiexec", "-n", "4", NULL};
    const bool is_launched = verb_guard_is_launcher(words[0]);
    struct engine_words start = {.count = 0}, line = {.count = 0};
    bool has_run = false;
    if (!is_launched)
        engine_words_add_command(&start, launcher);
    for (size_t i = 0; words[i] != NULL; i++) {
        if (!has_run && (is_launched ? i > 0 && is_program(words[i]) : i == 0)) {
            engine_words_add(&start, "mpilens");
            engine_words_add(&start, "run");
            has_run = true;
        }
        engine_words_add(&start, "%s", words[i]);
    }
    engine_words_add_for_shell(&line, (const char *const *)start.items);
    char *text = has_run ? copy_text(line.items[0]) : format_text("%s ... mpilens run ./app", words[0]);
    return text;
}

enum exit_status verb_refuse(char *const *words)
{
    const char *name = words[0];
    const bool is_option = strncmp(name, "--", 2) == 0;
    const char *similar = verb_find_similar(is_option ? name + 2 : name);
    if (is_option && similar != NULL && verb_find(similar) == NULL) {
        print_line(stderr, "mpilens: there is no option %s; did you mean --%s?", name, similar);
    } else if (verb_guard_is_launcher(name) || is_program(name)) {
        char *start = verb_refuse_write_start(words);
        print_line(stderr, "mpilens: '%s' is a program; start it with: %s", name, start);
        free(start);
    } else if (similar != NULL && !is_option) {
        print_line(stderr, "mpilens: '%s' is not a verb of mpilens; did you mean '%s'?", name, similar);
    } else if (is_target(name)) {
        print_line(stderr, "mpilens: '%s' is not a verb of mpilens; did you mean 'mpilens why %s'?", name, name);
    } else {
        print_line(stderr, "mpilens: '%s' is not a verb of mpilens; 'mpilens --help' lists them", name);
    }
    return EXIT_USAGE;
}
