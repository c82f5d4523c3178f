/* SPDX-License-Identifier: BSD-3-Clause */
#include "source_directory.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char source_directory[64];

void source_directory_make(void)
{
    strcpy(source_directory, "/tmp/mpilens-source-XXXXXX");
    cr_assert_not_null(mkdtemp(source_directory));
    cr_assert_eq(chmod(source_directory, 0755), 0);
}

void source_directory_remove(void)
{
    const char *command = arena_text("rm -rf %s", source_directory);
    cr_expect_eq(system(command), 0); /* NOLINT(cert-env33-c): the name is ours */
}
