/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Archives, as another program reads them.
 */
#include "base/base.h"
#include "file/file.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-zip-XXXXXX";
static struct zip_file zip;
static struct reason reason;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
}

TestSuite(zip_file, .init = begin, .fini = end);

/* Python checks the sums of what it reads. */
static void expect_true(const char *expression)
{
    char command[1024];
    snprintf(command, sizeof command,
             "python3 -c \"import zipfile; z = zipfile.ZipFile('a.zip'); assert z.testzip() is None; assert %s\"",
             expression);
    cr_expect_eq(system(command), 0, "%s", expression);
}

Test(zip_file, is_read_by_others)
{
    enum { LARGE = 1 << 20 };
    char *large = allocate(LARGE);
    uint64_t bytes;
    struct stat status;
    memset(large, 'x', LARGE);
    cr_assert_eq(zip_file_create("a.zip", 0600, &zip, &reason), 0, "%s", reason.text);
    zip_file_add(&zip, "job/a.txt", "one\n", 4, 1000000000);
    zip_file_add(&zip, "job/empty", "", 0, 1000000000);
    zip_file_add(&zip, "job/large", large, LARGE, 0);
    cr_expect_neq(access("a.zip", F_OK), 0, "it appears before it is whole");
    cr_assert_eq(zip_file_finish(&zip, &bytes, &reason), 0, "%s", reason.text);
    cr_expect_eq(stat("a.zip", &status), 0);
    cr_expect_eq((uint64_t)status.st_size, bytes);
    cr_expect_eq(status.st_mode & 0777, 0600);
    expect_true("z.namelist() == ['job/a.txt', 'job/empty', 'job/large']");
    expect_true("z.read('job/a.txt') == b'one\\\\n' and z.read('job/empty') == b''");
    expect_true("z.read('job/large') == b'x' * (1 << 20)");
    expect_true("z.infolist()[0].date_time[:2] == (2001, 9) and z.infolist()[0].external_attr >> 16 == 0o100600");
    free(large);
}

Test(zip_file, nothing_is_left)
{
    cr_assert_eq(zip_file_create("a.zip", 0600, &zip, &reason), 0);
    zip_file_add(&zip, "a", "a", 1, 0);
    zip_file_discard(&zip);
    zip_file_discard(&zip);
    cr_expect_neq(access("a.zip", F_OK), 0);
    cr_expect_eq(zip_file_create("nowhere/a.zip", 0600, &zip, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "nowhere/a.zip"), "%s", reason.text);
}
