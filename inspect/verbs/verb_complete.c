/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens complete WORD...: completions of the last word of a command line, for the shells. The words follow "mpilens";
 * the last one may be empty. Each line is a candidate, a tab and its description; a line that begins with a colon tells
 * the shell to complete itself: ":files" or, the number of the first word of another command, ":command N".
 */
#include "analysis/findings/findings.h"
#include "base/base.h"
#include "collect/collect.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "handle/handle.h"
#include "launch/launch.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A longer list of ranks helps nobody. */
enum { MOST_OFFERED = 64 };

/* `before` stands in front of what is completed, such as "--rank=0,". */
static void offer(const char *before, const char *beginning, const char *word, const char *meaning)
{
    if (strncmp(word, beginning, strlen(beginning)) != 0)
        return;
    char *escaped = escaped_text(meaning);
    printf("%s%s\t%s\n", before, word, escaped);
    free(escaped);
}

/* The words of a list with commas and blanks between them. */
static void offer_words(const char *before, const char *beginning, const char *list)
{
    char *words = copy_text(list), *rest = words;
    for (const char *word = strsep(&rest, ", "); word != NULL; word = strsep(&rest, ", "))
        if (word[0] != '\0')
            offer(before, beginning, word, "");
    free(words);
}

static void offer_verbs(const char *beginning)
{
    for (size_t i = 0; i < verb_count; i++)
        if (verbs[i].summary != NULL)
            offer("", beginning, verbs[i].name, verbs[i].summary);
}

static void offer_kinds(const char *beginning)
{
    for (int kind = 0; kind < FINDING_KIND_COUNT; kind++)
        offer("", beginning, finding_kind_name((enum finding_kind)kind),
              finding_kind_facts((enum finding_kind)kind)->summary);
}

static struct found_jobs find_own_jobs(void)
{
    return discover_jobs("/proc", geteuid() == 0 ? ANY_USER : geteuid());
}

static void offer_jobs(const char *beginning)
{
    struct found_jobs jobs = find_own_jobs();
    for (size_t i = 0; i < jobs.count; i++) {
        const struct found_job *job = &jobs.items[i];
        const char *program = job->rank_count > 0 ? job->ranks[0].executable : NULL;
        offer("", beginning, arena_text("%ld", (long)found_job_pid(job)),
              arena_text("%s, %zu rank%s here", program != NULL ? file_name(program) : "?", job->rank_count,
                         job->rank_count == 1 ? "" : "s"));
    }
}

/* The job that the words name, or the only one; NULL: neither. */
static const struct found_job *find_named_job(const struct found_jobs *jobs, int count, char **words)
{
    for (int i = 0; i < count; i++) {
        const struct found_job *job = find_job_of(jobs, (pid_t)strtol(words[i], NULL, 10));
        if (job != NULL)
            return job;
    }
    return jobs->count == 1 ? &jobs->items[0] : NULL;
}

static void offer_ranks(const char *before, const char *value, int count, char **words)
{
    struct found_jobs jobs = find_own_jobs();
    const struct found_job *job = find_named_job(&jobs, count, words);
    const char *comma = strrchr(value, ',');
    const size_t length = comma != NULL ? (size_t)(comma + 1 - value) : 0;
    const char *listed = arena_text("%s%.*s", before, (int)length, value);
    for (size_t i = 0; job != NULL && i < job->rank_count && i < MOST_OFFERED; i++)
        if (job->ranks[i].rank >= 0)
            offer(listed, value + length, arena_text("%d", job->ranks[i].rank),
                  arena_text("process %ld", (long)job->ranks[i].pid));
}

/* `before` is what stands in front of the value in the same word, such as "--rank=". */
static void offer_value(const struct argp_option *option, const char *before, const char *value, int count,
                        char **words)
{
    static const struct {
        const char *option, *words;
    } values[] = {
        {"color", "auto, always, never"}, {"queues", "concerned, all, none"}, {"unexpected", "exact, inferred"}};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (strcmp(option->name, values[i].option) == 0)
            offer_words(before, value, values[i].words);
    if (strcmp(option->arg, "FILE") == 0) {
        puts(":files");
    } else if (strcmp(option->arg, "RANKS") == 0) {
        offer_ranks(before, value, count, words);
    } else if (strcmp(option->name, "format") == 0) {
        offer_words(before, value, machine_format_names());
    } else if (strcmp(option->name, "mpi") == 0) {
        for (size_t i = 0; i < mpi_family_count; i++)
            offer(before, value, mpi_families[i].name, mpi_families[i].title);
    } else if (strcmp(option->name, "engine") == 0) {
        offer_words(before, value, engine_names());
    }
}

static void offer_option(const struct argp_option *option, void *context)
{
    const char *beginning = context;
    offer("", beginning, arena_text("--%s", option->name), option->doc);
    if (command_line_has_letter(option) && beginning[1] != '-') {
        char letter[] = {'-', (char)option->key, '\0'};
        offer("", beginning, letter, option->doc);
    }
}

static void offer_options(const struct argp *argp, const char *word, int count, char **words)
{
    const char *equals = strchr(word, '=');
    if (equals == NULL) {
        command_line_visit(argp, offer_option, (void *)word);
        offer("", word, "--help", "Explain the verb and its options");
        return;
    }
    const struct argp_option *option = command_line_find(argp, word);
    if (option == NULL || option->arg == NULL)
        return;
    offer_value(option, arena_text("%.*s", (int)(equals + 1 - word), word), equals + 1, count, words);
}

/* Completions of the argument after the options of a verb; `number`: its place among these words. */
static void offer_argument(const char *verb, const char *word, int number)
{
    if (strcmp(verb, "explain") == 0) {
        offer_kinds(word);
        return;
    }
    if (strcmp(verb, "handle") == 0 && number > 0) {
        offer_words("", word, handle_kind_names());
        return;
    }
    if (strcmp(verb, "gdb") == 0 && number == 0) {
        offer_ranks("", word, 0, NULL);
        return;
    }
    offer_jobs(word);
    puts(":files");
}

static void complete(const struct argp *argp, int argument_count, char **arguments, bool in_order)
{
    const int last = argument_count - 1;
    const char *word = arguments[last];
    int number = 0;
    bool only_words = false;
    for (int i = 1; i < last; i++) {
        const bool is_option = !only_words && arguments[i][0] == '-' && arguments[i][1] != '\0';
        const struct argp_option *option = is_option ? command_line_find(argp, arguments[i]) : NULL;
        if (is_option && strcmp(arguments[i], "--") == 0) {
            only_words = true;
        } else if (option != NULL && command_line_takes_next(option, arguments[i])) {
            if (++i == last) {
                offer_value(option, "", word, last, arguments);
                return;
            }
        } else if (!is_option && in_order) {
            printf(":command %d\n", i);
            return;
        } else if (!is_option) {
            number++;
        }
    }
    if (!only_words && word[0] == '-')
        offer_options(argp, word, last, arguments);
    else if (in_order)
        printf(":command %d\n", last);
    else if (argp->args_doc != NULL)
        offer_argument(strrchr(arguments[0], ' ') + 1, word, number);
}

enum exit_status verb_complete(int argument_count, char **arguments)
{
    if (argument_count < 2)
        return EXIT_USAGE;
    const char *first = arguments[1];
    const struct verb *verb = verb_find(first);
    if (argument_count == 2) {
        offer_verbs(first);
        offer("", first, "help", "explain a verb");
        offer("", first, "--help", "list the verbs");
        offer("", first, "--version", "print the version");
    } else if (strcmp(first, "help") == 0) {
        offer_verbs(arguments[2]);
    } else if (verb != NULL && verb->summary != NULL) {
        command_line_read_by(complete);
        return verb->function(argument_count - 1, arguments + 1);
    }
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}
