/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The verbs by their names.
 */

#include "verbs/verbs_internal.h"

#include <string.h>

const struct verb verbs[] = {
#define VERB(name, only_reads, summary) {#name, summary, verb_##name, only_reads},
#define OWN_VERB(name, only_reads)      {#name, NULL, verb_##name, only_reads},
#include "verbs/verbs.def"
};
const size_t verb_count = sizeof verbs / sizeof *verbs;

const struct verb *verb_find(const char *name)
{
    for (size_t i = 0; i < verb_count; i++)
        if (strcmp(verbs[i].name, name) == 0)
            return &verbs[i];
    return NULL;
}

/* Other commands have these words for it. */
static const struct synonym {
    const char *name, *verb, *option;
} synonyms[] = {{"ps", "list", NULL}, {"stack", "show", "--stack"}};

static const struct synonym *find_synonym(const char *name)
{
    for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
        if (strcmp(synonyms[i].name, name) == 0)
            return &synonyms[i];
    return NULL;
}

void verb_expand(int *argument_count, char ***arguments)
{
    const int count = *argument_count;
    const int place = count > 2 && strcmp((*arguments)[1], "help") == 0 ? 2 : 1;
    const struct synonym *synonym = find_synonym((*arguments)[place]);
    if (synonym == NULL)
        return;
    char **expanded = allocate(((size_t)count + 2) * sizeof *expanded); /* until the command ends */
    int used = 0;
    for (int i = 0; i < count; i++) {
        expanded[used++] = i == place ? copy_text(synonym->verb) : (*arguments)[i];
        if (i == place && synonym->option != NULL)
            expanded[used++] = copy_text(synonym->option);
    }
    expanded[used] = NULL;
    *argument_count = used;
    *arguments = expanded;
}

const char *verb_find_similar(const char *name)
{
    enum { VERBS = sizeof verbs / sizeof *verbs };
    const char *names[VERBS + 2] = {[VERBS] = "help", "version"};
    for (size_t i = 0; i < verb_count; i++)
        names[i] = verbs[i].summary != NULL ? verbs[i].name : NULL;
    return similar_word(name, names, sizeof names / sizeof *names);
}
