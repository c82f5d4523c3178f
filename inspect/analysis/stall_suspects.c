/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds ranks that differ from others in the same call.
 */
#include "analysis/stall_suspects.h"

#include "analysis/stall_words.h"
#include "base/allocation.h"
#include "model/process_index.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ALIKE = 3, /* ranks, two thirds of which agree, before another one differs */
};

/* In what ranks may differ, what says most first. */
typedef char *describe_function(const struct process *process);
static describe_function *const differences[] = {describe_hindrance, describe_broken_socket, describe_full_socket};

static const struct process *involved(const struct waits *waits, const struct stalled_ranks *stalled, size_t number)
{
    return job_index_process(&waits->index, stalled->involved.items[number]);
}

/* The ranks of which something is said that is not said of all of them, and the first of those texts; NULL: none. */
static char *find_told(const struct waits *waits, const struct stalled_ranks *stalled, describe_function *describe,
                       struct ranks *suspects)
{
    char *first = NULL;
    for (size_t i = 0; i < stalled->involved.count; i++) {
        const struct process *process = involved(waits, stalled, i);
        char *said = process != NULL ? describe(process) : NULL;
        if (said == NULL)
            continue;
        ranks_add(suspects, process->rank);
        if (first == NULL)
            first = said;
        else
            free(said);
    }
    ranks_finish(suspects);
    return first;
}

static int compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* The text that at least two thirds have; NULL: none has so many. */
static const char *find_usual(char *const *texts, size_t count)
{
    const char **sorted = allocate((count + 1) * sizeof *sorted);
    const char *usual = NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = texts[i];
    qsort(sorted, count, sizeof *sorted, compare_texts);
    for (size_t first = 0, end; first < count && usual == NULL; first = end) {
        for (end = first + 1; end < count && strcmp(sorted[end], sorted[first]) == 0;)
            end++;
        if ((end - first) * 3 >= count * 2)
            usual = sorted[first];
    }
    free(sorted);
    return usual;
}

/* The few that do something else than the others; what the first of them does. NULL: none. */
static char *find_odd(const struct waits *waits, const struct stalled_ranks *stalled, describe_function *describe,
                      struct ranks *suspects)
{
    const size_t count = stalled->involved.count;
    char **texts = allocate((count + 1) * sizeof *texts);
    size_t known = 0;
    for (; known < count; known++) {
        const struct process *process = involved(waits, stalled, known);
        texts[known] = process != NULL ? describe(process) : NULL;
        if (texts[known] == NULL)
            break;
    }
    char *said = NULL;
    const char *usual = known == count && count >= LEAST_ALIKE ? find_usual(texts, count) : NULL;
    for (size_t i = 0; i < count && usual != NULL; i++) {
        if (strcmp(texts[i], usual) == 0)
            continue;
        ranks_add(suspects, stalled->involved.items[i]);
        if (said == NULL)
            said = format_text("%s, while the others %s", texts[i], describe_others(usual));
    }
    ranks_finish(suspects);
    for (size_t i = 0; i < known; i++)
        free(texts[i]);
    free(texts);
    return said;
}

char *stall_find_suspects(const struct waits *waits, const struct stalled_ranks *stalled, struct ranks *suspects)
{
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        char *said = find_told(waits, stalled, differences[i], suspects);
        if (suspects->count > 0 && suspects->count < stalled->involved.count)
            return said;
        if (i == 0 && suspects->count > 0) /* whatever keeps all of them from running explains all */
            return said;
        ranks_clear(suspects);
        free(said);
    }
    return find_odd(waits, stalled, describe_running, suspects);
}

/* "poll < progress < MPIR_Allreduce"; NULL: not known. */
static const char *find_inside(const struct process *process)
{
    const struct call_stack *stack = process->kernel != NULL ? find_call_stack(process, process->kernel->tid) : NULL;
    return stack != NULL && stack->inside != NULL && stack->inside[0] != '\0' ? stack->inside : NULL;
}

static const char separator[] = " < ";

/* How many characters at the end of both are the same functions. */
static size_t common_end(const char *left, size_t left_length, const char *right)
{
    const size_t right_length = strlen(right), step = strlen(separator);
    size_t same = 0, whole = 0;
    while (same < left_length && same < right_length &&
           left[left_length - same - 1] == right[right_length - same - 1]) {
        same++;
        const bool ends_left = same == left_length || (same + step <= left_length &&
                                                       strncmp(left + left_length - same - step, separator, step) == 0);
        const bool ends_right =
            same == right_length ||
            (same + step <= right_length && strncmp(right + right_length - same - step, separator, step) == 0);
        whole = ends_left && ends_right ? same : whole;
    }
    return whole;
}

/* What all of them have been called by inside MPI; "": nothing, or one has not been seen. Their length in *ret_length;
 * *ret_differ: they are elsewhere within. */
static const char *find_common(const struct waits *waits, const struct ranks *ranks, size_t *ret_length,
                               bool *ret_differ)
{
    const char *common = NULL;
    size_t length = 0;
    bool differ = false;
    for (size_t i = 0; i < ranks->count; i++) {
        const struct process *process = job_index_process(&waits->index, ranks->items[i]);
        const char *inside = process != NULL ? find_inside(process) : NULL;
        if (inside == NULL)
            return "";
        if (common == NULL) {
            common = inside;
            length = strlen(inside);
            continue;
        }
        const size_t same = common_end(common, length, inside);
        differ = differ || same < length || same < strlen(inside);
        common += length - same;
        length = same;
    }
    *ret_length = length;
    *ret_differ = differ;
    return common != NULL ? common : "";
}

/* Ranks that look around are met everywhere: their stacks are told as far as they agree. */
static void add_inside(const struct waits *waits, const struct ranks *ranks, struct finding *finding)
{
    size_t length = 0;
    bool differ = false;
    const char *common = find_common(waits, ranks, &length, &differ);
    for (size_t i = 0; i < ranks->count; i++) {
        const struct process *process = job_index_process(&waits->index, ranks->items[i]);
        const char *inside = process != NULL ? find_inside(process) : NULL;
        if (inside == NULL)
            continue;
        evidence_add(&finding->evidence, process->rank, 0,
                     length > 0 ? format_text("inside MPI: %s%.*s", differ ? "... < " : "", (int)length, common)
                                : format_text("inside MPI: %s", inside),
                     copy_text(""), -1);
    }
}

static void add_of(const struct waits *waits, const struct ranks *ranks, struct finding *finding)
{
    for (size_t i = 0; i < ranks->count; i++) {
        const struct process *process = job_index_process(&waits->index, ranks->items[i]);
        if (process != NULL && process->kernel != NULL)
            add_kernel_evidence(process, finding);
    }
    add_inside(waits, ranks, finding);
}

void stall_add_evidence(const struct waits *waits, const struct stalled_ranks *stalled, const struct ranks *suspects,
                        struct finding *finding)
{
    struct ranks others = {0};
    for (size_t i = 0; i < stalled->involved.count; i++)
        if (!ranks_has(suspects, stalled->involved.items[i]))
            ranks_add(&others, stalled->involved.items[i]);
    ranks_finish(&others);
    add_of(waits, suspects, finding);
    add_of(waits, &others, finding);
    ranks_clear(&others);
}
