/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Directories of black boxes: the jobs in them, and how many stay. Other files are left alone.
 */
#include "boxes/boxes.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The part of a black box that identifies it. */
struct head {
    Elf64_Ehdr header;
    Elf64_Phdr notes;
    uint32_t gap;
    Elf64_Nhdr of_process;
    char name[sizeof MPILENS_BOX_NAME];
    struct mpilens_box_process process;
};

enum { NOBODY = 0x3fffffff }; /* no process has this number */

static char directory[] = "/tmp/mpilens-boxes-XXXXXX";

static void read_boot_id(char *text, size_t bytes)
{
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "r");
    cr_assert_not_null(file);
    cr_assert_not_null(fgets(text, (int)bytes, file));
    text[strcspn(text, "\n")] = '\0';
    fclose(file);
}

static struct head head_of(const char *identity, unsigned pid)
{
    struct stat namespace;
    struct head head;
    memset(&head, 0, sizeof head);
    head.header = (Elf64_Ehdr){.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
                               .e_type = ET_CORE,
                               .e_machine = EM_X86_64,
                               .e_version = EV_CURRENT,
                               .e_phoff = offsetof(struct head, notes),
                               .e_ehsize = sizeof head.header,
                               .e_phentsize = sizeof head.notes,
                               .e_phnum = 1};
    head.notes = (Elf64_Phdr){.p_type = PT_NOTE,
                              .p_offset = offsetof(struct head, of_process),
                              .p_filesz = sizeof head - offsetof(struct head, of_process),
                              .p_align = 4};
    head.of_process = (Elf64_Nhdr){sizeof MPILENS_BOX_NAME, sizeof head.process, MPILENS_BOX_PROCESS};
    strcpy(head.name, MPILENS_BOX_NAME);
    head.process = (struct mpilens_box_process){.version = MPILENS_BOX_VERSION, .pid = pid, .root = 1};
    snprintf(head.process.job_identity, sizeof head.process.job_identity, "%s", identity);
    read_boot_id(head.process.boot_id, sizeof head.process.boot_id);
    cr_assert_eq(stat("/proc/self/ns/pid", &namespace), 0);
    head.process.pid_namespace = namespace.st_ino;
    return head;
}

static void write_file(const char *name, const void *bytes, size_t count)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    cr_assert_geq(file, 0);
    cr_assert_eq(write(file, bytes, count), (ssize_t)count);
    close(file);
}

static void wait_for_tick(void)
{
    const struct timespec pause = {.tv_nsec = 20000000}; /* more than the kernel's */
    nanosleep(&pause, NULL);
}

static void add_box(const char *name, const char *identity, unsigned pid)
{
    const struct head head = head_of(identity, pid);
    write_file(name, &head, sizeof head);
    wait_for_tick();
}

static bool is_there(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return access(path, F_OK) == 0;
}

static void make_directory(void)
{
    cr_assert_not_null(mkdtemp(directory));
}

static void remove_directory(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    cr_assert_eq(system(command), 0);
}

TestSuite(boxes, .init = make_directory, .fini = remove_directory);

Test(boxes, are_sorted_into_jobs)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    add_box("a.box", "old", NOBODY);
    add_box("b.box", "new", NOBODY);
    add_box("c.box", "old", NOBODY);
    add_box("d.box", "", NOBODY);
    add_box("e.box", "", NOBODY);
    write_file("f.box", "no box", 6);
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    struct box_jobs jobs = box_jobs_find(&boxes);
    cr_assert_eq(jobs.count, 4, "those without an identity are jobs of their own");
    cr_expect_eq(jobs.items[0].count, 1);
    cr_expect_eq(jobs.items[2].count, 2);
    cr_expect_str_eq(jobs.items[2].boxes->process.job_identity, "old", "its last one counts");
    cr_expect_str_eq(jobs.items[3].boxes->process.job_identity, "new");
    cr_expect_neq(boxes_add(&boxes, "/no/such/directory", &reason), 0);
}

static void add_launched_as(const char *identity, const char *name, unsigned part, uint64_t started, const char *host)
{
    struct head head = head_of(identity, NOBODY);
    head.process.launcher_part = part;
    head.process.launcher_started = started;
    snprintf(head.process.host, sizeof head.process.host, "%s", host);
    write_file(name, &head, sizeof head);
    wait_for_tick();
}

static void add_launched(const char *name, unsigned part, uint64_t started, const char *host)
{
    add_launched_as("hydra n1:50000 0", name, part, started, host);
}

/* Jobs one after the other, whose mpiexec had the same port; the last one had two proxies on a host, and ran on two. */
Test(boxes, of_an_identity_that_came_again)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    add_launched("d.box", 0, 1000, "n1");
    add_launched("b.box", 0, 1000, "n1");
    add_launched("c.box", 0, 2000, "n1");
    add_launched("a.box", 0, 2000, "n1");
    add_launched("e.box", 1, 2001, "n1");
    add_launched("f.box", 0, 7, "n2");
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    struct box_jobs jobs = box_jobs_find(&boxes);
    cr_assert_eq(jobs.count, 2);
    cr_assert_eq(jobs.items[0].count, 4);
    cr_assert_eq(jobs.items[1].count, 2);
    cr_expect_eq(jobs.items[0].boxes[0].process.launcher_started, 2000);
    for (size_t i = 0; i < 2; i++)
        cr_expect_eq(jobs.items[1].boxes[i].process.launcher_started, 1000);
}

/* Two jobs on two hosts, then one that left nothing on the second. */
Test(boxes, of_an_identity_that_came_again_on_fewer_hosts)
{
    static const size_t counts[] = {1, 2, 3};
    struct boxes boxes = {.count = 0};
    struct reason reason;
    add_launched("a.box", 0, 1000, "n1");
    add_launched("b.box", 0, 7, "n2");
    add_launched("c.box", 0, 1000, "n1");
    add_launched("d.box", 0, 2000, "n1");
    add_launched("e.box", 0, 9, "n2");
    add_launched("f.box", 0, 3000, "n1");
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    struct box_jobs jobs = box_jobs_find(&boxes);
    cr_assert_eq(jobs.count, 3);
    for (size_t i = 0; i < 3; i++)
        cr_expect_eq(jobs.items[i].count, counts[i], "job %zu has %zu", i, jobs.items[i].count);
}

/* Ranks below a wrapper named mpirun_env.sh, one for each rank; one whose parents are not known. */
Test(boxes, of_one_job_with_several_launchers)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    add_launched_as("pmix 1234.0", "a.box", 0, 1000, "n1");
    add_launched_as("pmix 1234.0", "b.box", 0, 1001, "n1");
    add_launched("c.box", 0, 1000, "n1");
    add_launched("d.box", 0, 0, "n1");
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    struct box_jobs jobs = box_jobs_find(&boxes);
    cr_assert_eq(jobs.count, 2);
    cr_expect_eq(jobs.items[0].count, 2);
    cr_expect_eq(jobs.items[1].count, 2);
}

/* Older runtimes wrote less. */
Test(boxes, of_before_are_read)
{
    struct boxes boxes = {.count = 0};
    struct reason reason;
    struct head head = head_of("old", NOBODY);
    head.process.launcher_started = 1;
    head.of_process.n_descsz = offsetof(struct mpilens_box_process, launcher_started);
    write_file("a.box", &head, sizeof head);
    head.of_process.n_descsz -= 4;
    write_file("b.box", &head, sizeof head);
    cr_assert_eq(boxes_add(&boxes, directory, &reason), 0);
    cr_assert_eq(boxes.count, 1);
    cr_expect_eq(boxes.items[0].process.launcher_started, 0);
}

Test(boxes, of_old_jobs_go)
{
    add_box("a.box", "first", NOBODY);
    add_box("b.box", "second", NOBODY);
    add_box("c.box", "second", NOBODY);
    add_box("d.box", "third", NOBODY);
    write_file("e.box", "no box", 6);
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 1 << 30, .age_s = 1000});
    cr_expect_not(is_there("a.box"));
    cr_expect(is_there("b.box") && is_there("c.box") && is_there("d.box") && is_there("e.box"));
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 10000, .age_s = 1000});
    cr_expect_not(is_there("b.box") || is_there("c.box"), "a job goes as a whole");
    cr_expect(is_there("d.box"));
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 1 << 30, .age_s = -1});
    cr_expect_not(is_there("d.box"));
}

/* By ranks that could not remove them; one that is being made looks the same. */
Test(boxes, that_were_given_up_go)
{
    static const char nothing[512];
    const struct timespec times[2] = {{.tv_sec = time(NULL) - 120}, {.tv_sec = time(NULL) - 120}};
    char path[128];
    write_file("a.box", nothing, sizeof nothing);
    write_file("b.box", nothing, sizeof nothing);
    write_file("c.box", "no box", 6);
    for (const char *name = "abc"; *name != '\0'; name++) {
        snprintf(path, sizeof path, "%s/%c.box", directory, *name);
        if (*name != 'b')
            cr_assert_eq(utimensat(AT_FDCWD, path, times, 0), 0);
    }
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 1 << 30, .age_s = 1000});
    cr_expect_not(is_there("a.box"));
    cr_expect(is_there("b.box") && is_there("c.box"));
}

Test(boxes, of_jobs_that_ran_for_long_stay)
{
    const pid_t child = fork();
    if (child == 0) {
        pause();
        _exit(0);
    }
    struct head head = head_of("long", (unsigned)child);
    head.process.started = process_start("/proc", child);
    write_file("a.box", &head, sizeof head);
    add_box("b.box", "short", NOBODY);
    add_box("c.box", "short, too", NOBODY);
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 1 << 30, .age_s = 1000});
    cr_expect(is_there("a.box") && is_there("b.box") && is_there("c.box"));
    kill(child, SIGKILL);
    cr_assert_eq(waitpid(child, NULL, 0), child);
    wait_for_tick();
    box_bounds_keep(directory, &(struct box_bounds){.jobs = 2, .bytes = 1 << 30, .age_s = 1000});
    cr_expect(is_there("a.box") && is_there("c.box"));
    cr_expect_not(is_there("b.box"));
}

/* Boxes of living processes, and of others that cannot be seen. */
Test(boxes, of_others_stay)
{
    struct head foreign = head_of("foreign", NOBODY);
    foreign.process.pid_namespace++;
    write_file("a.box", &foreign, sizeof foreign);
    struct head own = head_of("own", (unsigned)getpid());
    own.process.started = process_start("/proc", getpid());
    write_file("b.box", &own, sizeof own);
    box_bounds_keep(directory, &(struct box_bounds){.age_s = 1000});
    cr_expect(is_there("a.box") && is_there("b.box"));
    box_bounds_keep(directory, &(struct box_bounds){.age_s = -1});
    cr_expect_not(is_there("a.box"), "it is too old");
    cr_expect(is_there("b.box"));
}

Test(boxes, are_in_memory_of_the_user)
{
    char *place;
    unsetenv("XDG_RUNTIME_DIR");
    place = box_place_default();
    if (place != NULL) {
        char expected[64];
        snprintf(expected, sizeof expected, "/dev/shm/mpilens-%lu", (unsigned long)geteuid());
        cr_expect_str_eq(place, expected);
    }
    free(place);
    setenv("XDG_RUNTIME_DIR", "/", 1); /* not in memory, or another user's */
    place = box_place_default();
    cr_expect(place == NULL || strncmp(place, "/dev/shm/", strlen("/dev/shm/")) == 0);
    free(place);
}

Test(boxes, of_links_and_foreign_places_are_refused)
{
    char link[128];
    struct reason reason;
    snprintf(link, sizeof link, "%s/link", directory);
    cr_assert_eq(symlink(directory, link), 0);
    cr_expect_null(box_place_prepare(link, &reason));
    cr_expect_str_eq(reason.text, "no black boxes: it is a symbolic link");
    cr_assert_eq(chmod(directory, 0777), 0);
    cr_expect_null(box_place_prepare(directory, &reason));
    cr_expect_str_eq(reason.text, "no black boxes: others may write into the directory: chmod go-w");
}
