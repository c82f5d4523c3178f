/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the ranks of a job are doing: those that do the same at the same place together, also where their peers only
 * follow a rule.
 */
#ifndef MPILENS_INSPECT_WORDS_ACTIVITIES_H
#define MPILENS_INSPECT_WORDS_ACTIVITIES_H

#include "base/rank_texts.h"
#include "words/describe.h"
#include "words/open_call.h"

/* What one or several ranks are doing. */
struct activity {
    char *text;
    char *site;
    double least_age_s, most_age_s; /* -1: not known */
    const char *color;              /* NULL: none */
    const struct rank_text *ranks;  /* ascending */
    size_t order;                   /* of the first of what it stands for */
};

/* What has been added, by its text without peers. */
struct alike;

/* See activities_of_nobody. */
struct activities {
    struct activity **items; /* once they are closed, as first found */
    size_t count;
    struct alike **alike;
    size_t alike_count;
    size_t order;                   /* of what is added next */
    struct rank_texts alike_texts;  /* of all of `alike`, by number */
    struct rank_texts closed_texts; /* likewise of `items`, until they are closed */
};

/* Empty; with `apart` nothing will stand for several ranks. */
struct activities activities_of_nobody(bool apart);
/* What one thread of the rank does; ranks ascend. Takes the texts. */
void activities_add(struct activities *activities, int rank, struct open_call call, char *site, double age_s,
                    const char *color);
/* Makes the items of what was added. */
void activities_close(struct activities *activities);
void activities_clear(struct activities *activities);

#endif
