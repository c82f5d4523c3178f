/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How every verb reads its arguments: by argp, whose tables of options shells and manual pages read, too.
 */
#ifndef MPILENS_INSPECT_VERBS_COMMAND_LINE_H
#define MPILENS_INSPECT_VERBS_COMMAND_LINE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

/* argp_parse(), which names the option that was probably meant where it does not know one. */
void command_line_parse(const struct argp *argp, int argument_count, char **arguments, unsigned flags, void *input);

/* What is done with a verb's parser and arguments, its name first, instead of parsing. The command ends after it.
 * `in_order`: what stands behind the first word that is no option is for a program. */
typedef void (*command_line_reader)(const struct argp *argp, int argument_count, char **arguments, bool in_order);
void command_line_read_by(command_line_reader reader);

/* All options, those of children too, in the order of the tables; without --help, --usage and --version. */
void command_line_visit(const struct argp *argp, void (*visit)(const struct argp_option *option, void *context),
                        void *context);

/* Whether the option has a letter. */
bool command_line_has_letter(const struct argp_option *option);
/* The option that a word which begins with "-" names, by its beginning or its last letter; NULL: there is none. */
const struct argp_option *command_line_find(const struct argp *argp, const char *word);
/* Whether the value of the option is the next word. `option` NULL: no. */
bool command_line_takes_next(const struct argp_option *option, const char *word);

#endif
