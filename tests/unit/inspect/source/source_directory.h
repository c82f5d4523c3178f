/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A directory for source files, which everybody may go into; for the beginning and the end of each test of a suite.
 */
#ifndef TESTS_SOURCE_DIRECTORY_H
#define TESTS_SOURCE_DIRECTORY_H

extern char source_directory[];

void source_directory_make(void);
void source_directory_remove(void);

#endif
