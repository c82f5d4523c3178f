/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sentences about members that disagree about a collective call: who does otherwise, how many they are, and who has not
 * come.
 */
#include "analysis/cause_text.h"
#include "analysis/round_classes.h"
#include "base/allocation.h"

#include <stdlib.h>
#include <string.h>

/* Classes that a sentence speaks of. */
enum { MOST_SPOKEN_OF = 3 };

/* The last one came so short a time ago that others may be on their way. */
static const double early_s = 10;

static bool is_amount(enum round_difference difference)
{
    return difference == ROUND_OTHER_SIZE || difference == ROUND_OTHER_SIGNATURE;
}

/* " with root 2 at f.c:14". */
static void write_arguments(FILE *stream, const struct round_class *class, enum round_difference difference)
{
    const struct collective_call *call = class->call;
    if (difference == ROUND_OTHER_ROOT)
        fprintf(stream, " with root %d", call->root);
    if (difference == ROUND_OTHER_OP)
        fprintf(stream, " with %s", call->has_own_op ? "an op of its own" : call->op_name);
    if (is_amount(difference)) {
        char *amount = describe_amount(call);
        fprintf(stream, " with %s", amount);
        free(amount);
    }
    char *at = describe_at(call->site);
    fprintf(stream, "%s%s", at, class->has_other_sites && at[0] != '\0' ? " and elsewhere" : "");
    free(at);
}

/* "calls MPI_Barrier at f.c:14". */
static void write_class(FILE *stream, const struct round_class *class, enum round_difference difference)
{
    fprintf(stream, "call%s %s", class->ranks.count == 1 ? "s" : "", class->call->function);
    write_arguments(stream, class, difference);
}

/* "rank 1 (1 of 4 ranks) calls MPI_Barrier at f.c:14 where the others call MPI_Allreduce at f.c:13". */
static void write_odd_ones(FILE *stream, const struct round_classes *classes, enum round_difference difference)
{
    const struct round_class *usual = &classes->items[0];
    for (size_t i = 1; i < classes->count && i <= MOST_SPOKEN_OF; i++) {
        const struct round_class *class = &classes->items[i];
        char *ranks = ranks_name(&class->ranks);
        fprintf(stream, "%s%s (%zu of %zu ranks) ", i > 1 ? ", " : "", ranks, class->ranks.count, classes->size);
        write_class(stream, class, difference);
        free(ranks);
    }
    if (classes->count > MOST_SPOKEN_OF + 1)
        fputs(", and more ranks differ,", stream);
    const bool same = strcmp(usual->call->function, classes->items[1].call->function) == 0;
    fprintf(stream, " where the other%s call%s %s", usual->ranks.count == 1 ? "" : "s",
            usual->ranks.count == 1 ? "s" : "", same ? "it" : usual->call->function);
    write_arguments(stream, usual, difference);
}

/* "ranks [0,1] call MPI_Barrier at f.c:14, ranks [2,3] call MPI_Allreduce at f.c:13". */
static void write_sides(FILE *stream, const struct round_classes *classes, enum round_difference difference)
{
    for (size_t i = 0; i < classes->count && i <= MOST_SPOKEN_OF; i++) {
        char *ranks = ranks_name(&classes->items[i].ranks);
        fprintf(stream, "%s%s ", i > 0 ? ", " : "", ranks);
        write_class(stream, &classes->items[i], difference);
        free(ranks);
    }
    if (classes->count > MOST_SPOKEN_OF + 1)
        fputs(", and more ranks differ", stream);
}

static void write_missing(FILE *stream, const struct round_classes *classes)
{
    if (classes->missing.count == 0)
        return;
    char *ranks = ranks_name(&classes->missing);
    fprintf(stream, "; %s %s not reached it yet", ranks, classes->missing.count == 1 ? "has" : "have");
    free(ranks);
    if (classes->last_s < 0 || classes->last_s > early_s)
        return;
    char *age = describe_age(classes->last_s);
    fprintf(stream, " (the last rank arrived %s ago)", age);
    free(age);
}

void cause_write_mismatch(FILE *stream, const struct cause_text *text, const struct cause *cause)
{
    const struct collective_round *round = &cause->round;
    struct round_classes classes = round_classes_find(round);
    char *place = describe_order(text, round->one);
    fprintf(stream, "the ranks disagree about collective call %llu on %s: ", (unsigned long long)round->serial, place);
    free(place);
    if (round_classes_have_usual(&classes) && classes.count > 1)
        write_odd_ones(stream, &classes, round->difference);
    else
        write_sides(stream, &classes, round->difference);
    write_missing(stream, &classes);
    round_classes_clear(&classes);
}
