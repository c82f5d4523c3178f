/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The command that starts gdb on ranks of a job.
 */
#include "verbs/verbs_internal.h"

#include "analysis/analysis.h"
#include "base/base.h"
#include "discover/discover.h"
#include "engine/engine.h"
#include "stack/stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ranks to look into, in the order in which they were named. */
struct chosen {
    const struct process **items;
    size_t count;
};

static bool is_here(const struct process *process)
{
    return process->host == NULL || is_this_host(process->host);
}

static bool has_core(const struct job *job, const struct process *process)
{
    return process->core != NULL && !process->has_ended && process_is_read_now(job, process) &&
           (process->reason == NULL || process_was_seen(process));
}

/* Alive, on whatever host. */
static bool is_alive(const struct job *job, const struct process *process)
{
    return process->core == NULL && process->pid > 0 && process->state != PROCESS_EXITED &&
           process_is_read_now(job, process);
}

bool gdb_is_at_hand(const struct job *job, const struct process *process)
{
    return has_core(job, process) || (is_alive(job, process) && is_here(process));
}

static int explain_absence(const struct job *job, int rank, const struct process *process, const char *job_words,
                           struct reason *ret_reason)
{
    const char *blank = job_words != NULL ? " " : "", *words = job_words != NULL ? job_words : "";
    if (process != NULL && !process_is_read_now(job, process))
        return reason_set(ret_reason,
                          "a snapshot has no registers, so gdb cannot look into rank %d: 'mpilens show --rank %d%s%s'",
                          rank, rank, blank, words);
    if (process != NULL && process->core != NULL && process->has_ended && process->crash_how != NULL)
        return reason_set(ret_reason, "rank %d has ended, and a black box has no registers; to look into its crash: %s",
                          rank, process->crash_how);
    if (process != NULL && process->core != NULL && process->has_ended)
        return reason_set(ret_reason,
                          "rank %d has ended, and a black box has no registers: 'mpilens show --rank %d%s%s'", rank,
                          rank, blank, words);
    const char *reason = process != NULL ? process->reason : job->absent_reason;
    return reason_set(ret_reason, "gdb cannot look into rank %d: %s", rank,
                      reason != NULL ? reason : "its process is not known");
}

static bool has_process(const struct chosen *chosen, const struct process *process)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (chosen->items[i] == process)
            return true;
    return false;
}

static int choose(const struct job *job, const struct rank_set *ranks, const char *job_words, struct chosen *ret_chosen,
                  struct reason *ret_reason)
{
    for (size_t i = 0; i < ranks->count; i++)
        for (int64_t next = ranks->ranges[i].first; next <= ranks->ranges[i].last; next += ranks->ranges[i].stride) {
            const int rank = (int)next;
            const struct process *process = find_process(job, rank);
            if (process == NULL || !(has_core(job, process) || is_alive(job, process)))
                return explain_absence(job, rank, process, job_words, ret_reason);
            if (has_process(ret_chosen, process))
                continue;
            ret_chosen->items = array_append((void *)ret_chosen->items, &ret_chosen->count, sizeof *ret_chosen->items);
            ret_chosen->items[ret_chosen->count - 1] = process;
        }
    return 0;
}

/* gdb takes the words of `file` apart, and the rest of the line of `core-file` as it is. */
static char *escape_for_gdb(const char *path)
{
    char *text;
    FILE *stream = open_text(&text);
    for (; *path != '\0'; path++)
        fprintf(stream, strchr(" \t\n'\"\\", *path) != NULL ? "\\%c" : "%c", *path);
    fclose(stream);
    return text;
}

static void add_inferior(struct engine_words *words, const struct process *process)
{
    if (process->core == NULL) {
        engine_words_add(words, "-ex");
        engine_words_add(words, "with pagination off -- attach %ld", (long)process->pid); /* no page is to be turned */
        return;
    }
    char *program = process->executable != NULL ? escape_for_gdb(process->executable) : NULL;
    if (program != NULL) {
        engine_words_add(words, "-ex");
        engine_words_add(words, "file %s", program);
    }
    engine_words_add(words, "-ex");
    engine_words_add(words, "with pagination off -- core-file %s", process->core);
    free(program);
}

/* gdb may lack the right to load the scripts by itself; it loads them once only. NULL: they are not installed. */
static char *find_scripts(void)
{
    struct reason reason;
    char *path = installation_find("gdb/mpilens.py", "inspect/gdb", &reason);
    return path != NULL ? path : installation_find("mpilens.py", "inspect/gdb", &reason);
}

/* Those of the runtime, which gdb finds beside it, are in the directory above; it would warn that it must not load
 * them. */
static void add_scripts(struct engine_words *words, const char *scripts)
{
    const char *directory = strrchr(scripts, '/');
    while (directory > scripts && *--directory != '/')
        ;
    engine_words_add(words, "-iex");
    engine_words_add(words, "add-auto-load-safe-path %.*s", (int)(directory - scripts), scripts);
    engine_words_add_command(words, (const char *const[]){"-ix", scripts, NULL});
}

/* Without scripts where these are NULL. */
static void add_gdb(struct engine_words *words, const struct chosen *chosen, const char *scripts)
{
    engine_words_add_command(words, (const char *const[]){"gdb", "-q", NULL});
    if (scripts != NULL)
        add_scripts(words, scripts);
    for (size_t i = 0; i < chosen->count; i++) {
        if (i > 0) {
            engine_words_add_command(words, (const char *const[]){"-ex", "add-inferior -no-connection", "-ex", NULL});
            engine_words_add(words, "inferior %zu", i + 1);
        }
        add_inferior(words, chosen->items[i]);
    }
    if (chosen->count > 1)
        engine_words_add_command(words, (const char *const[]){"-ex", "inferior 1", NULL});
    if (scripts != NULL && chosen->items[0]->crash_signal == 0)
        engine_words_add_command(words, (const char *const[]){"-ex", "mpi frame", NULL});
}

static void add_gdb_here(struct engine_words *words, const struct chosen *chosen)
{
    char *scripts = find_scripts();
    add_gdb(words, chosen, scripts);
    free(scripts);
}

/* The same command there, which has the job, so that any pid there is enough. */
static void add_mpilens(struct engine_words *words, const struct chosen *chosen)
{
    char *program = realpath("/proc/self/exe", NULL);
    char *ranks;
    FILE *stream = open_text(&ranks);
    for (size_t i = 0; i < chosen->count; i++)
        fprintf(stream, "%s%d", i > 0 ? "," : "", chosen->items[i]->rank);
    fclose(stream);
    char *pid = format_text("%ld", (long)chosen->items[0]->pid);
    engine_words_add_command(words,
                             (const char *const[]){program != NULL ? program : "mpilens", "gdb", ranks, pid, NULL});
    free(pid);
    free(ranks);
    free(program);
}

static int add_ssh(struct engine_words *words, const struct chosen *chosen, bool is_shipped, struct reason *ret_reason)
{
    const char *host = chosen->items[0]->host;
    struct engine_words there = {0};
    if (!is_host_name(host))
        return reason_set(ret_reason, "'%s' is no name of a host", host);
    if (is_shipped)
        add_gdb(&there, chosen, NULL);
    else
        add_mpilens(&there, chosen);
    engine_words_add_command(words, (const char *const[]){"ssh", "-t", host, NULL});
    engine_words_add_for_shell(words, (const char *const *)there.items);
    return 0;
}

static int refuse_several_hosts(const struct chosen *chosen, const char *job_words, struct reason *ret_reason)
{
    char *text;
    FILE *stream = open_text(&text);
    for (size_t i = 0; i < chosen->count; i++)
        fprintf(stream, "%s'mpilens gdb %d%s%s'", i > 0 ? ", " : "", chosen->items[i]->rank,
                job_words != NULL ? " " : "", job_words != NULL ? job_words : "");
    fclose(stream);
    reason_set(ret_reason, "these ranks are on several hosts; start a gdb for each: %s", text);
    free(text);
    return -1;
}

static bool is_one_host(const struct job *job, const struct chosen *chosen)
{
    const struct process *first = chosen->items[0];
    for (size_t i = 1; i < chosen->count; i++) {
        const struct process *other = chosen->items[i];
        const bool at_hand = gdb_is_at_hand(job, other);
        if (at_hand != gdb_is_at_hand(job, first) || (!at_hand && !is_same_host(first->host, other->host)))
            return false;
    }
    return true;
}

int gdb_command_make(const struct job *job, const struct rank_set *ranks, const char *job_words, bool is_shipped,
                     struct engine_words *ret_words, struct reason *ret_reason)
{
    struct chosen chosen = {0};
    struct engine_words words = {0};
    int result = choose(job, ranks, job_words, &chosen, ret_reason);
    if (result != 0 || chosen.items == NULL)
        result = -1;
    else if (!is_one_host(job, &chosen))
        result = refuse_several_hosts(&chosen, job_words, ret_reason);
    else if (gdb_is_at_hand(job, chosen.items[0]))
        add_gdb_here(&words, &chosen);
    else
        result = add_ssh(&words, &chosen, is_shipped, ret_reason);
    free((void *)chosen.items);
    if (result == 0)
        *ret_words = words;
    return result;
}
