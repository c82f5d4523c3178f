/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Tests of reading source files, whose names are not to be trusted.
 */
#include "source/source.h"
#include "source_directory.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 5 << 20, MOST_READ = 4 << 20 };

static const char *in_root(const char *name)
{
    return arena_text("%s/%s", source_directory, name);
}

TestSuite(source_file, .init = source_directory_make, .fini = source_directory_remove);

/* Its path. */
static const char *write_file(const char *name, const char *text, mode_t mode)
{
    const char *path = in_root(name);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    fputs(text, file);
    fclose(file);
    cr_assert_eq(chmod(path, mode), 0);
    return path;
}

static void expect_state(const struct source_query *query, enum source_state state, const char *what)
{
    struct source_file file = source_file_read(query);
    cr_expect_eq(file.state, state, "%s: %d instead of %d", what, file.state, state);
    cr_expect_str_eq(file.path, query->path, "%s", what);
    cr_expect(file.text == NULL || state == SOURCE_READ, "%s: its text was read", what);
}

Test(source_file, text_and_times)
{
    struct stat information;
    const char *path = write_file("a.c", "one\ntwo\n", 0600), *module = write_file("a", "", 0700);
    struct source_file file = source_file_read(&(struct source_query){.path = path, .module = module});
    cr_assert_eq(file.state, SOURCE_READ);
    cr_expect_eq(file.bytes, 8);
    cr_expect_eq(memcmp(file.text, "one\ntwo\n", 8), 0);
    cr_assert_eq(stat(path, &information), 0);
    cr_expect_eq(file.changed.tv_nsec, information.st_mtim.tv_nsec);
    cr_assert_eq(stat(module, &information), 0);
    cr_expect_eq(file.built.tv_sec, information.st_mtim.tv_sec);
    cr_expect_not(file.is_of_directory);
}

/* As a process in a container sees it. */
Test(source_file, below_the_root_of_the_process)
{
    cr_assert_eq(mkdir(in_root("src"), 0755), 0);
    write_file("src/mpilens_only_here.c", "here\n", 0644);
    const struct source_query query = {.path = "/src/mpilens_only_here.c", .root = source_directory};
    struct source_file file = source_file_read(&query);
    cr_expect_eq(file.state, SOURCE_READ);
    cr_expect_str_eq(file.path, query.path);
}

Test(source_file, what_is_no_source_is_not_opened)
{
    cr_assert_eq(mkfifo(in_root("fifo.c"), 0644), 0);
    cr_assert_eq(mkdir(in_root("directory.c"), 0755), 0);
    cr_assert_eq(symlink("/dev/zero", in_root("device.c")), 0);
    cr_assert_eq(symlink("loop.c", in_root("loop.c")), 0);
    static const char *const names[] = {"fifo.c", "directory.c", "device.c", "loop.c"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_state(&(struct source_query){.path = in_root(names[i])}, SOURCE_UNREADABLE, names[i]);
    expect_state(&(struct source_query){.path = in_root("none.c")}, SOURCE_MISSING, "missing");
    expect_state(&(struct source_query){.path = in_root("none/none.c")}, SOURCE_MISSING, "missing directory");
    expect_state(&(struct source_query){.path = in_root("fifo.c/none.c")}, SOURCE_MISSING, "below no directory");
}

Test(source_file, no_permission)
{
    const char *path = write_file("secret.c", "secret\n", 0);
    if (geteuid() == 0)
        cr_assert_eq(seteuid(65534), 0);
    struct source_file file = source_file_read(&(struct source_query){.path = path});
    cr_expect_eq(file.state, SOURCE_UNREADABLE);
    cr_expect_eq(file.error, EACCES);
    if (getuid() == 0)
        cr_assert_eq(seteuid(0), 0);
}

Test(source_file, root_is_shown_what_others_may_read)
{
    const char *open = write_file("open.c", "open\n", 0644), *closed = write_file("closed.c", "closed\n", 0640);
    cr_assert_eq(mkdir(in_root("home"), 0700), 0);
    const char *inside = write_file("home/inside.c", "inside\n", 0644);
    cr_assert_eq(symlink("home/inside.c", in_root("link.c")), 0);
    const struct source_query of_nobody = {.is_by_root = true},
                              of_user = {.is_by_root = true, .root = "/proc/self/root", .user = geteuid()},
                              of_other = {.is_by_root = true, .root = "/proc/self/root", .user = geteuid() + 1},
                              of_container = {.is_by_root = true, .root = "/nowhere", .user = geteuid()};
    const struct {
        const char *path;
        struct source_query query;
        enum source_state state;
    } cases[] = {{open, of_nobody, SOURCE_READ},
                 {open, of_other, SOURCE_READ},
                 {closed, of_nobody, SOURCE_WITHHELD},
                 {closed, of_other, SOURCE_WITHHELD},
                 {closed, of_user, SOURCE_READ},
                 {inside, of_nobody, SOURCE_WITHHELD},
                 {inside, of_user, SOURCE_READ},
                 {in_root("link.c"), of_other, SOURCE_WITHHELD},
                 {open, of_container, SOURCE_READ},
                 {closed, of_container, SOURCE_WITHHELD},
                 {"/proc/self/maps", of_user, SOURCE_WITHHELD},
                 {"/proc/version", of_nobody, SOURCE_WITHHELD}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct source_query query = cases[i].query;
        query.path = cases[i].path;
        expect_state(&query, cases[i].state, arena_text("%s, case %zu", cases[i].path, i));
    }
}

Test(source_file, of_a_directory_where_the_first_must_not_be_shown)
{
    const char *path = write_file("closed.c", "closed\n", 0640);
    cr_assert_eq(mkdir(in_root("copy"), 0755), 0);
    write_file("copy/closed.c", "copy\n", 0644);
    const char *const directories[] = {in_root("copy")};
    const struct source_query query = {
        .path = path, .is_by_root = true, .directories = directories, .directory_count = 1};
    struct source_file file = source_file_read(&query);
    cr_expect_eq(file.state, SOURCE_READ);
    cr_expect_str_eq(file.path, in_root("copy/closed.c"));
    cr_expect(file.is_of_directory);
}

Test(source_file, only_the_beginning_of_a_large_one)
{
    const char *path = write_file("large.c", "", 0644);
    cr_assert_eq(truncate(path, MANY), 0);
    struct source_file file = source_file_read(&(struct source_query){.path = path});
    cr_expect_eq(file.state, SOURCE_READ);
    cr_expect_eq(file.bytes, MOST_READ);
    cr_expect(file.is_cut);
}

Test(source_file, in_directories)
{
    cr_assert_eq(mkdir(in_root("one"), 0755), 0);
    cr_assert_eq(mkdir(in_root("two"), 0755), 0);
    cr_assert_eq(mkdir(in_root("two/src"), 0755), 0);
    write_file("outside.c", "", 0644);
    const char *const directories[] = {in_root("none"), in_root("one"), in_root("two")};
    struct source_query query = {
        .path = "/mpilens-build/heat/src/solve.c", .directories = directories, .directory_count = 3};
    expect_state(&query, SOURCE_MISSING, "in none");
    write_file("two/solve.c", "", 0644);
    const char *nearer = write_file("two/src/solve.c", "", 0644);
    struct source_file file = source_file_read(&query);
    cr_expect_str_eq(file.path, nearer);
    cr_expect(file.is_of_directory);
    const char *first = write_file("one/solve.c", "", 0644);
    file = source_file_read(&query);
    cr_expect_str_eq(file.path, first);
    query.path = "/mpilens-build/../outside.c";
    expect_state(&query, SOURCE_MISSING, "no way out of a directory");
    query.path = write_file("here.c", "", 0644);
    write_file("one/here.c", "", 0644);
    expect_state(&query, SOURCE_READ, "the path itself is first");
}
