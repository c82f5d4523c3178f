/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Remembers findings, and runs a command for new ones.
 */
#include "monitor/monitor.h"

#include "base/base.h"
#include "engine/engine.h"
#include "file/file.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* More findings of one job are not told. */
enum { MOST_FINDINGS = 32 };
enum { MOST_TEXT = 4096, MOST_WORD = 1024 };
/* Files that this process may have open, and that no command needs. */
enum { MOST_FILES = 1024 };
/* For all commands of one verdict. */
static const double most_s = 2 * ON_FINDING_SECONDS;

/* Each text is cut to fit. */
struct logged_finding {
    char kind[MOST_WORD], headline[MOST_TEXT], ranks[MOST_WORD], culprits[MOST_WORD], place[MOST_TEXT], job[MOST_WORD];
};

struct finding_log {
    int json; /* the last verdict; -1: there is no place for it */
    size_t count, run_count;
    struct logged_finding items[MOST_FINDINGS];
};

struct finding_log *finding_log_begin(void)
{
    struct finding_log *log =
        mmap(NULL, sizeof *log, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (log == MAP_FAILED)
        return NULL;
    log->json = unnamed_file_create();
    return log;
}

void finding_log_end(struct finding_log *log)
{
    if (log == NULL)
        return;
    if (log->json >= 0)
        close(log->json);
    munmap(log, sizeof *log);
}

/* "0-3,7"; of very many ranges the first ones, then "...". */
static const char *list_ranks(const struct ranks *ranks)
{
    enum { LONGEST_RANGE = 32 };
    FILE *stream = arena_open();
    for (size_t i = 0, next; i < ranks->count; i = next) {
        for (next = i + 1; next < ranks->count && ranks->items[next] == ranks->items[next - 1] + 1;)
            next++;
        if (ftell(stream) > MOST_WORD - LONGEST_RANGE) {
            fputs(",...", stream);
            break;
        }
        fprintf(stream, "%s%d", i > 0 ? "," : "", ranks->items[i]);
        if (next > i + 1)
            fprintf(stream, "-%d", ranks->items[next - 1]);
    }
    return arena_close(stream);
}

static void put(char *to, size_t bytes, const char *text)
{
    char *valid = valid_text(text != NULL ? text : "");
    snprintf(to, bytes, "%s", valid);
    free(valid);
}

static void describe(const struct machine_verdict *verdict, const struct finding *finding,
                     struct logged_finding *ret_logged)
{
    const struct evidence *evidence = source_main_evidence(finding);
    const struct site *site = evidence != NULL ? &evidence->place.site : NULL;
    put(ret_logged->kind, sizeof ret_logged->kind, finding_kind_name(finding->kind));
    put(ret_logged->headline, sizeof ret_logged->headline, finding->message);
    put(ret_logged->ranks, sizeof ret_logged->ranks, list_ranks(&finding->ranks));
    put(ret_logged->culprits, sizeof ret_logged->culprits, list_ranks(&finding->culprits));
    put(ret_logged->place, sizeof ret_logged->place, site != NULL ? arena_text("%s:%d", site->path, site->line) : "");
    put(ret_logged->job, sizeof ret_logged->job, verdict->job->id);
}

/* Not by the sentence, which may say how long something takes. */
static bool is_same(const struct logged_finding *left, const struct logged_finding *right)
{
    return strcmp(left->kind, right->kind) == 0 && strcmp(left->ranks, right->ranks) == 0 &&
           strcmp(left->culprits, right->culprits) == 0 && strcmp(left->place, right->place) == 0 &&
           strcmp(left->job, right->job) == 0;
}

static bool is_known(const struct finding_log *log, const struct logged_finding *wanted)
{
    for (size_t i = 0; i < log->count; i++)
        if (is_same(&log->items[i], wanted))
            return true;
    return false;
}

static void keep_json(const struct finding_log *log, const struct machine_verdict *verdict)
{
    if (log->json < 0 || ftruncate(log->json, 0) != 0)
        return;
    FILE *stream = file_open_stream(log->json, "w");
    if (stream == NULL)
        return;
    machine_write(stream, machine_format_find("json"), verdict);
    fclose(stream);
}

size_t finding_log_add(struct finding_log *log, const struct machine_verdict *verdict)
{
    size_t added = 0;
    if (log == NULL)
        return 0;
    for (size_t i = 0; i < verdict->findings->count && log->count < MOST_FINDINGS; i++) {
        struct logged_finding *logged = &log->items[log->count];
        describe(verdict, &verdict->findings->items[i], logged);
        if (is_known(log, logged))
            continue;
        log->count++;
        added++;
    }
    if (added > 0)
        keep_json(log, verdict);
    return added;
}

size_t finding_log_count(const struct finding_log *log)
{
    return log != NULL ? log->count - log->run_count : 0;
}

void finding_log_say(FILE *stream, const struct finding_log *log)
{
    for (size_t i = log != NULL ? log->run_count : 0; log != NULL && i < log->count; i++)
        print_line(stream, "mpilens: %s: %s", log->items[i].kind, log->items[i].headline);
}

/* --- the command --- */

static char **environment_of(const struct logged_finding *finding, const char *snapshot)
{
    const char *file = snapshot[0] != '\0' && snapshot[0] != '/'
                           ? arena_text("%s/%s", arena_take(get_current_dir_name()), snapshot)
                           : snapshot;
    const char *const more[] = {
        arena_text("MPILENS_KIND=%s", finding->kind),
        arena_text("MPILENS_HEADLINE=%s", finding->headline),
        arena_text("MPILENS_RANKS=%s", finding->ranks),
        arena_text("MPILENS_CULPRITS=%s", finding->culprits),
        arena_text("MPILENS_PLACE=%s", finding->place),
        arena_text("MPILENS_JOB=%s", finding->job),
        arena_text("MPILENS_FILE=%s", file),
    };
    return engine_environment(more, sizeof more / sizeof *more);
}

/* It inherits no signal that this process waits for or ignores, no file, and no terminal's attention. */
static void become_command(const char *command, char **environment, int input, pid_t parent)
{
    char shell[] = "sh", option[] = "-c";
    char *words[] = {shell, option, copy_text(command), NULL};
    sigset_t none;
    sigemptyset(&none);
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NOT_EXECUTABLE);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (input < 0)
        input = open("/dev/null", O_RDONLY);
    dup2(input, STDIN_FILENO);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    for (int file = STDERR_FILENO + 1; file < MOST_FILES; file++)
        fcntl(file, F_SETFD, FD_CLOEXEC);
    execve("/bin/sh", words, environment);
    _exit(EXIT_NOT_EXECUTABLE);
}

/* Whether it has ended in time; else it is killed, with all of its session that has stayed in its group. */
static bool wait_for(pid_t command, double until_s, int *ret_status)
{
    const int process = pidfd_open(command, 0);
    struct pollfd end = {.fd = process, .events = POLLIN};
    int ready = -1;
    while (process >= 0 && ready <= 0 && monotonic_s() < until_s)
        ready = poll(&end, 1, (int)((until_s - monotonic_s()) * 1e3) + 1);
    if (process >= 0)
        close(process);
    if (ready <= 0)
        kill(-command, SIGKILL);
    while (waitpid(command, ret_status, 0) < 0 && errno == EINTR)
        continue;
    return ready > 0;
}

static void run(FILE *stream, const struct finding_log *log, const struct logged_finding *finding, const char *command,
                const char *snapshot, double until_s)
{
    char **environment = environment_of(finding, snapshot);
    const int input = log->json >= 0 && lseek(log->json, 0, SEEK_SET) == 0 ? log->json : -1;
    const pid_t parent = getpid();
    int status;
    const pid_t child = fork();
    if (child == 0)
        become_command(command, environment, input, parent);
    if (child < 0)
        print_line(stream, "mpilens: --on-finding: %s: %s", command, strerror(errno));
    else if (!wait_for(child, until_s, &status))
        print_line(stream, "mpilens: --on-finding: %s: has taken too long, and was killed", command);
    else if (WIFSIGNALED(status))
        print_line(stream, "mpilens: --on-finding: %s: died of %s", command,
                   arena_take(describe_signal(WTERMSIG(status))));
    else if (WEXITSTATUS(status) != 0)
        print_line(stream, "mpilens: --on-finding: %s: exit status %d", command, WEXITSTATUS(status));
}

void finding_log_run(FILE *stream, struct finding_log *log, const char *command, const char *snapshot)
{
    const double last_s = monotonic_s() + most_s;
    for (double now_s; finding_log_count(log) > 0; log->run_count++) {
        now_s = monotonic_s();
        if (now_s < last_s)
            run(stream, log, &log->items[log->run_count], command, snapshot, fmin(last_s, now_s + ON_FINDING_SECONDS));
        else
            print_line(stream, "mpilens: --on-finding: no time is left for the finding %s",
                       log->items[log->run_count].kind);
    }
}
