/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finds ranks that differ from others in the same call.
 */
#include "analysis/stalls/stalls_internal.h"

#include "base/base.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_ALIKE = 3, /* ranks, two thirds of which agree, before another one differs */
};

typedef const char *describe_function(const struct process *process);

/* The possible statements about a rank, the most telling first. */
static const struct {
    describe_function *describe;
    bool tells_of_all; /* also where it is said of all of them */
} differences[] = {{describe_hindrance, true}, {describe_broken_socket, false}, {describe_full_socket, true}};

static const struct process *involved(const struct waits *waits, const struct stalled_ranks *stalled, size_t number)
{
    return job_index_process(&waits->index, stalled->involved.items[number]);
}

/* The ranks of which something is said. */
static struct stall_suspects find_told(const struct waits *waits, const struct stalled_ranks *stalled,
                                       describe_function *describe)
{
    struct stall_suspects suspects = {.are_alike = true};
    for (size_t i = 0; i < stalled->involved.count; i++) {
        const struct process *process = involved(waits, stalled, i);
        const char *said = process != NULL ? describe(process) : NULL;
        if (said == NULL)
            continue;
        ranks_add(&suspects.ranks, process->rank);
        if (suspects.said == NULL) {
            suspects.said = said;
        } else {
            suspects.are_alike = suspects.are_alike && strcmp(suspects.said, said) == 0;
        }
    }
    ranks_finish(&suspects.ranks);
    return suspects;
}

/* The text that at least two thirds have; NULL: none. */
static const char *find_usual(const char *const *texts, size_t count)
{
    const char **sorted = allocate((count + 1) * sizeof *sorted);
    const char *usual = NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = texts[i];
    qsort(sorted, count, sizeof *sorted, texts_compare);
    for (size_t first = 0, end; first < count && usual == NULL; first = end) {
        for (end = first + 1; end < count && strcmp(sorted[end], sorted[first]) == 0;)
            end++;
        if ((end - first) * 3 >= count * 2)
            usual = sorted[first];
    }
    free(sorted);
    return usual;
}

/* The few that do something else than the others. */
static struct stall_suspects find_odd(const struct waits *waits, const struct stalled_ranks *stalled)
{
    const size_t count = stalled->involved.count;
    struct stall_suspects suspects = {.are_alike = true};
    const char **texts = allocate((count + 1) * sizeof *texts);
    size_t known = 0;
    for (; known < count; known++) {
        const struct process *process = involved(waits, stalled, known);
        texts[known] = process != NULL ? describe_running(process) : NULL;
        if (texts[known] == NULL)
            break;
    }
    const char *usual = known == count && count >= LEAST_ALIKE ? find_usual(texts, count) : NULL;
    const char *first = NULL;
    for (size_t i = 0; i < count && usual != NULL; i++) {
        if (strcmp(texts[i], usual) == 0)
            continue;
        ranks_add(&suspects.ranks, stalled->involved.items[i]);
        suspects.are_alike = suspects.are_alike && (first == NULL || strcmp(first, texts[i]) == 0);
        first = first != NULL ? first : texts[i];
    }
    if (first != NULL)
        suspects.said = arena_text("%s, while the others %s", first, describe_others(usual));
    ranks_finish(&suspects.ranks);
    free(texts);
    return suspects;
}

struct stall_suspects stall_find_suspects(const struct waits *waits, const struct stalled_ranks *stalled)
{
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++) {
        struct stall_suspects suspects = find_told(waits, stalled, differences[i].describe);
        if (suspects.ranks.count > 0 && (suspects.ranks.count < stalled->involved.count || differences[i].tells_of_all))
            return suspects;
    }
    return find_odd(waits, stalled);
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

/* The functions by which all of them were called inside MPI; "": none, or one was not seen. *ret_length: their length;
 * *ret_differ: they are at different places within. */
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
        evidence_add_text(&finding->evidence, process->rank,
                          length > 0 ? arena_text("inside MPI: %s%.*s", differ ? "... < " : "", (int)length, common)
                                     : arena_text("inside MPI: %s", inside));
    }
}

static void add_of(const struct waits *waits, const struct ranks *ranks, struct finding *finding)
{
    for (size_t i = 0; i < ranks->count; i++) {
        const struct process *process = job_index_process(&waits->index, ranks->items[i]);
        if (process != NULL && process->kernel != NULL)
            add_kernel_evidence(process, finding);
        if (process != NULL && process->state == PROCESS_FINALIZING)
            add_manager_evidence(process, finding);
    }
    add_inside(waits, ranks, finding);
}

void stall_add_evidence(const struct waits *waits, const struct stalled_ranks *stalled,
                        const struct stall_suspects *suspects, struct finding *finding)
{
    struct ranks others = {0};
    for (size_t i = 0; i < stalled->involved.count; i++)
        if (!ranks_has(&suspects->ranks, stalled->involved.items[i]))
            ranks_add(&others, stalled->involved.items[i]);
    ranks_finish(&others);
    add_of(waits, &suspects->ranks, finding);
    add_of(waits, &others, finding);
}
