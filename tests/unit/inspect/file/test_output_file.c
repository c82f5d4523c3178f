/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Files that are written in a directory in which others plant and swap things.
 */
#include "base/base.h"
#include "file/file.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char directory[] = "/tmp/mpilens-output-XXXXXX";
static struct output_file file;
static struct reason reason;

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    umask(022);
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
}

TestSuite(output_file, .init = begin, .fini = end);

static void put(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    cr_assert_not_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static void expect_content(const char *path, const char *text)
{
    char bytes[64] = "";
    FILE *stream = fopen(path, "r");
    cr_assert_not_null(stream, "%s", path);
    cr_expect(fgets(bytes, sizeof bytes, stream) != NULL || text[0] == '\0');
    fclose(stream);
    cr_expect_str_eq(bytes, text);
}

static void create(const char *path, mode_t mode)
{
    cr_assert_eq(output_file_create(path, mode, &file, &reason), 0, "%s", reason.text);
    cr_assert_eq(write(file.descriptor, "new", 3), 3);
}

static mode_t mode_of(const char *path)
{
    struct stat status;
    cr_assert_eq(lstat(path, &status), 0);
    return status.st_mode & 07777;
}

/* Counts hidden ones as other files. */
static size_t count_entries(void)
{
    glob_t found;
    cr_assert_eq(glob("*", 0, NULL, &found) & ~GLOB_NOMATCH, 0);
    size_t count = found.gl_pathc;
    globfree(&found);
    cr_assert_eq(glob(".[!.]*", 0, NULL, &found) & ~GLOB_NOMATCH, 0);
    count += found.gl_pathc;
    globfree(&found);
    return count;
}

/* As file systems that have no files without a name answer. */
static void forbid_unnamed(void)
{
    struct sock_filter instructions[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 4),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, O_TMPFILE & ~O_DIRECTORY),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, O_TMPFILE & ~O_DIRECTORY, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EOPNOTSUPP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog program = {sizeof instructions / sizeof *instructions, instructions};
    cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
}

Test(output_file, appears_whole_and_private)
{
    create("a", OUTPUT_MODE_PRIVATE);
    cr_expect_eq(count_entries(), 0);
    cr_assert_eq(output_file_finish(&file, &reason), 0, "%s", reason.text);
    expect_content("a", "new");
    cr_expect_eq(mode_of("a"), 0600);
    cr_expect_eq(count_entries(), 1);
}

Test(output_file, has_the_mode_that_it_is_given)
{
    create("a", OUTPUT_MODE_OF_UMASK);
    cr_assert_eq(output_file_finish(&file, &reason), 0, "%s", reason.text);
    cr_expect_eq(mode_of("a"), 0644);
    umask(077);
    create("b", 0640);
    cr_assert_eq(output_file_finish(&file, &reason), 0, "%s", reason.text);
    cr_expect_eq(mode_of("b"), 0640);
}

static void expect_replacement(void)
{
    put("a", "old");
    create("a", OUTPUT_MODE_PRIVATE);
    expect_content("a", "old");
    output_file_discard(&file);
    expect_content("a", "old");
    cr_expect_eq(count_entries(), 1);
    create("a", OUTPUT_MODE_PRIVATE);
    cr_assert_eq(output_file_finish(&file, &reason), 0, "%s", reason.text);
    expect_content("a", "new");
    cr_expect_eq(count_entries(), 1);
}

Test(output_file, replaces_an_old_one)
{
    expect_replacement();
}

Test(output_file, replaces_an_old_one_where_each_file_has_a_name)
{
    forbid_unnamed();
    expect_replacement();
}

static void expect_refusal(const char *path, const char *why)
{
    cr_expect_eq(output_file_create(path, OUTPUT_MODE_PRIVATE, &file, &reason), -1);
    cr_expect_not_null(strstr(reason.text, why), "%s", reason.text);
}

Test(output_file, does_not_take_what_is_no_file)
{
    put("victim", "old");
    cr_assert_eq(symlink("victim", "link"), 0);
    cr_assert_eq(mkfifo("fifo", 0600), 0);
    expect_refusal("link", "is there and is not a file");
    expect_refusal("fifo", "is there and is not a file");
    expect_refusal("/dev/null", "is there and is not a file");
    expect_refusal(".", "names no file");
    expect_refusal("./", "names no file");
    expect_refusal("victim/a", "Not a directory");
    expect_refusal("nowhere/a", "No such file or directory");
    expect_content("victim", "old");
    create("planted later", OUTPUT_MODE_PRIVATE);
    cr_assert_eq(symlink("victim", "planted later"), 0);
    cr_expect_eq(output_file_finish(&file, &reason), -1);
    expect_content("victim", "old");
    cr_expect_eq(count_entries(), 4);
}

Test(output_file, does_not_write_into_what_has_taken_its_name)
{
    glob_t found;
    put("victim", "old");
    forbid_unnamed();
    create("a", OUTPUT_MODE_PRIVATE);
    cr_assert_eq(glob(".a.*", 0, NULL, &found), 0);
    cr_assert_eq(unlink(found.gl_pathv[0]), 0);
    cr_assert_eq(symlink("victim", found.gl_pathv[0]), 0);
    cr_assert_eq(write(file.descriptor, "more", 4), 4);
    cr_expect_eq(output_file_finish(&file, &reason), -1);
    cr_expect_not_null(strstr(reason.text, "somebody else changes files"), "%s", reason.text);
    expect_content("victim", "old");
    cr_expect_eq(access("a", F_OK), -1);
    cr_expect_eq(readlink(found.gl_pathv[0], (char[8]){0}, 8), 6, "it is not ours to remove");
    globfree(&found);
}

Test(output_file, follows_only_links_of_its_user_to_a_directory)
{
    cr_assert_eq(mkdir("real", 0700), 0);
    cr_assert_eq(mkdir("real/deep", 0700), 0);
    cr_assert_eq(symlink("real", "link"), 0);
    cr_assert_eq(symlink("../link/deep/.", "real/back"), 0);
    create("link/back//a", OUTPUT_MODE_PRIVATE);
    cr_assert_eq(output_file_finish(&file, &reason), 0, "%s", reason.text);
    expect_content("real/deep/a", "new");
    cr_assert_eq(symlink("loop", "loop"), 0);
    expect_refusal("loop/a", "Too many levels");
    if (geteuid() != 0)
        cr_skip_test("only root can make a link of somebody else's");
    cr_assert_eq(lchown("link", 65534, 65534), 0);
    expect_refusal("link/b", "a symbolic link of another user");
    expect_refusal("real/back/b", "a symbolic link of another user");
}

Test(output_file, without_a_name)
{
    setenv("TMPDIR", directory, 1);
    for (int i = 0; i < 2; i++) {
        const int descriptor = unnamed_file_create();
        cr_assert_geq(descriptor, 0);
        cr_expect_eq(write(descriptor, "x", 1), 1);
        cr_expect_eq(count_entries(), 0);
        close(descriptor);
        forbid_unnamed();
    }
}
