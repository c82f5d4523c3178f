/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens part: sends what this host's ranks of a job are doing to who collects them, as lines. mpilens itself starts
 * it on the hosts of a job.
 */
#include "base/base.h"
#include "discover/discover.h"
#include "gather/gather.h"
#include "job/job.h"
#include "monitor/monitor.h"
#include "part/part.h"
#include "snapshot/snapshot.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char description[] =
    "Send what this host's ranks of a job are doing as lines of text, which 'mpilens why FILE' "
    "reads. mpilens itself starts this verb on the hosts of a job.";

static const char more[] =
    "JOB is the identity of the job, such as 'slurm 4711.0' (job.identity of --json), or TARGETs as of other "
    "verbs.\n\n"
    "Each line begins with @mpilens and the name of the host, so lines of several hosts may be mixed. With --merge, "
    "lines "
    "of several hosts are read from standard input and one part is sent for all.\n\n"
    "With --rounds stdin, the first round is sent, then a line that says 'ready'; after a line 'go' on standard input, "
    "the second one. A rank stands still that is the same in both.\n\n"
    "It ends when the process that has started it ends, or does not say 'go' within a minute. With --marks, which "
    "'mpilens guard' uses, it ends with the job or with standard input. 'mpilens guard' also uses --end, where it has "
    "to "
    "end the job; it goes on to its end whoever ends.\n\n"
    "Exit status: 0 the part was sent (it may have no ranks), 2 wrong usage, 3 some rank could not be read, or "
    "none.\n\n"
    "Examples:\n"
    "  clush -w n[1-8] mpilens part \"'slurm 4711.0'\" > lines; mpilens why lines\n"
    "  mpilens part 4711 --full > n1.lines";

enum { MOST_WAIT_MS = 60000, PAUSE_MS = 200 };

struct sending {
    const struct options *options;
    const struct dll *dll;
    char host[256];
    struct job_request request;
    struct reason reason;
    bool is_unread; /* some rank was not read */
};

/* A time at which nothing happens, between two samples that nobody else has asked for. */
static void pause_between(void)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    nanosleep(&pause, NULL);
}

/* Ranks that run elsewhere are the affair of those hosts. */
static void leave_out_others(struct job *job)
{
    size_t kept = 0;
    for (size_t i = 0; i < job->process_count; i++) {
        struct process *process = &job->processes[i];
        if (process->reason == NULL || process->pid > 0 || process->state == PROCESS_EXITED)
            job->processes[kept++] = *process;
        else
            process_clear(process);
    }
    job->process_count = kept;
    rank_set_clear(&job->absent);
}

static int send_job(struct sending *sending, struct job *job, int round)
{
    const enum snapshot_extent extent = sending->options->part.full && round == 2 ? SNAPSHOT_FULL
                                        : round == 1                              ? SNAPSHOT_MARKS
                                                                                  : SNAPSHOT_LIGHT;
    void *bytes = NULL;
    size_t count = 0;
    leave_out_others(job);
    for (size_t i = 0; i < job->process_count; i++)
        sending->is_unread = sending->is_unread || job->processes[i].state == PROCESS_UNREADABLE;
    if (snapshot_pack(job, extent, &bytes, &count, &sending->reason) != 0)
        return -1;
    start_over_no_more();
    const int result = part_write(stdout, sending->host, round, bytes, count);
    free(bytes);
    return result == 0 ? 0 : reason_set(&sending->reason, "standard output: %s", strerror(errno));
}

/* Whether the line "go" comes in time. */
static bool is_told_to_go(struct reason *ret_reason)
{
    char line[64] = "";
    size_t length = 0;
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    const double end_s = monotonic_s() + MOST_WAIT_MS / 1000.0;
    while (length + 1 < sizeof line && memchr(line, '\n', length) == NULL) {
        const double left_s = end_s - monotonic_s();
        if (left_s <= 0 || (poll(&input, 1, (int)(left_s * 1000) + 1) < 0 && errno != EINTR))
            break;
        if (input.revents == 0)
            continue;
        const ssize_t count = read(STDIN_FILENO, line + length, sizeof line - 1 - length);
        if (count <= 0)
            break;
        length += (size_t)count;
    }
    if (strncmp(line, "go\n", 3) == 0 || strncmp(line, "go\r", 3) == 0)
        return true;
    reason_set(ret_reason, "nobody has said 'go' for the second round");
    return false;
}

static bool has_ended_here(const char *identity)
{
    return ended_job_identity(&(struct ended_choice){.identity = identity, .most = 1}) != NULL;
}

/* A host that has no rank of the job has an empty part. */
static bool has_rank_here(struct sending *sending)
{
    const char *identity = sending->request.identity;
    const struct found_job *found;
    struct reason unread;
    if (identity == NULL)
        return true;
    struct found_jobs jobs = find_jobs(sending->dll, ANY_USER);
    const bool is_here = find_job_with_identity(sending->dll, &jobs, identity, &found, &unread);
    return is_here || unread.text[0] != '\0' || has_ended_here(identity); /* which reading will say */
}

static enum exit_status send_nothing(struct sending *sending)
{
    const int first = sending->options->part.rounds ? 1 : sending->options->part.round == 1 ? 1 : 2;
    const int last = sending->options->part.round == 1 ? 1 : 2;
    int result = 0;
    for (int round = first; round <= last && result == 0; round++) {
        struct job none = {.size = -1, .samples = 2, .interval_s = -1};
        if (sending->request.identity != NULL)
            none.identity = copy_text(sending->request.identity);
        result = send_job(sending, &none, round);
        job_clear(&none);
        if (result == 0 && round == 1 && last == 2) {
            part_write_ready(stdout, sending->host, 1);
            result = is_told_to_go(&sending->reason) ? 0 : -1;
        }
    }
    return result == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}

/* The first round, and with `both` the sign for the second one. */
static enum exit_status send_first(struct sending *sending, struct job *before, bool both)
{
    enum exit_status status = send_job(sending, before, 1) == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
    if (both && status == EXIT_GOOD) {
        part_write_ready(stdout, sending->host, 1);
        status = is_told_to_go(&sending->reason) ? EXIT_GOOD : EXIT_UNREADABLE;
    }
    return status;
}

static enum exit_status send_second(struct sending *sending, const struct job *before, double first_s)
{
    struct job job;
    const double begun_s = monotonic_s();
    enum exit_status status =
        sample_job_last(sending->dll, &sending->request, before, PAUSE_MS / 1000.0, &job, &sending->reason);
    if (status != EXIT_GOOD)
        return status;
    job.interval_s = sending->options->part.rounds ? begun_s - first_s : -1;
    status = send_job(sending, &job, 2) == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
    job_clear(&job);
    return status;
}

static enum exit_status send_rounds(struct sending *sending)
{
    struct job before;
    const bool has_first = sending->options->part.rounds || sending->options->part.round == 1;
    enum exit_status status = sample_job_first(sending->dll, &sending->request, &before, &sending->reason);
    if (status != EXIT_GOOD)
        return status;
    const double first_s = monotonic_s();
    if (has_first)
        status = send_first(sending, &before, sending->options->part.rounds);
    else
        pause_between();
    if (status == EXIT_GOOD && sending->options->part.round != 1)
        status = send_second(sending, &before, first_s);
    job_clear(&before);
    return status == EXIT_GOOD && sending->is_unread ? EXIT_UNREADABLE : status;
}

/* The job of which nothing is known but that there is no other. 1, 0: there is none here, -1: there are several. */
static int find_only(struct sending *sending, char *ret_target, size_t bytes)
{
    pid_t pid;
    const int found = wide_job_find_only(sending->dll, sending->options->slurm_job, &pid, &sending->reason);
    if (found == 1)
        snprintf(ret_target, bytes, "%ld", (long)pid);
    return found;
}

static enum exit_status send_progress(struct sending *sending)
{
    const struct options *options = sending->options;
    const struct mark_plan plan = {.host = sending->host,
                                   .identity = options->target_count == 1 ? options->targets[0] : NULL,
                                   .slurm_job = options->slurm_job,
                                   .interval_s = options->part.marks_s};
    if (plan.identity == NULL || read_identity_word(options->targets[0]))
        return send_marks(sending->dll, &plan, &sending->reason);
    reason_set(&sending->reason, "--marks takes the identity of a job, such as 'slurm 4711.0', not '%s'",
               plan.identity);
    return EXIT_USAGE;
}

/* Ends a job, and sends nothing of it. */
static enum exit_status end_job(struct sending *sending)
{
    const struct options *options = sending->options;
    const struct end_here_plan plan = {.identity = options->target_count == 1 ? options->targets[0] : NULL,
                                       .mark = options->part.guard,
                                       .patience_s = options->part.end_s};
    if (options->target_count > 1 || (plan.identity != NULL && !read_identity_word(options->targets[0])) ||
        (plan.identity == NULL && plan.mark == NULL)) {
        reason_set(&sending->reason, "--end takes the identity of a job, such as 'slurm 4711.0', or --guard");
        return EXIT_USAGE;
    }
    sending->request.identity = plan.identity;
    return end_here(sending->dll, &plan, &sending->reason) == 0 ? send_nothing(sending) : EXIT_UNREADABLE;
}

static enum exit_status send_part(struct sending *sending)
{
    const struct options *options = sending->options;
    struct site_cache sites = {0};
    char pid[32], *only[] = {pid};
    if (options->part.rounds && options->part.round != 0) {
        reason_set(&sending->reason, "say one of --round and --rounds");
        return EXIT_USAGE;
    }
    if (options->part.marks_s > 0)
        return send_progress(sending);
    if (options->part.ends)
        return end_job(sending);
    const int found = options->target_count == 0 ? find_only(sending, pid, sizeof pid) : 1;
    if (found < 0)
        return EXIT_UNREADABLE;
    if (found == 0)
        return send_nothing(sending);
    const bool is_identity = options->target_count == 1 && read_identity_word(options->targets[0]);
    sending->request = (struct job_request){.targets = options->target_count == 0 ? only : options->targets,
                                            .target_count = is_identity                  ? 0
                                                            : options->target_count == 0 ? 1
                                                                                         : options->target_count,
                                            .identity = is_identity ? options->targets[0] : NULL,
                                            .may_have_ended = true,
                                            .stop = options->stop,
                                            .stacks = options->stacks,
                                            .stacks_suffice = true,
                                            .plan.depth = COLLECT_ALL};
    if (options->part.full) {
        sending->request.plan.more = snapshot_ask_handles;
        sending->request.plan.context = &sites;
        sending->request.plan.is_recorded = true;
    }
    const enum exit_status status = has_rank_here(sending) ? send_rounds(sending) : send_nothing(sending);
    site_cache_clear(&sites);
    return status;
}

/* Says of a host that was merged with others in which part it is or why it has none, and how its command has ended. */
static void send_host(const struct sending *sending, const struct part_reader *reader, const struct part_job *parts,
                      const char *host)
{
    struct reason reason = {.text = "it has not answered"};
    const char *refusal = part_job_lost_reason(parts, host);
    const int status = part_reader_status(reader, host);
    bool is_missing = refusal != NULL;
    for (int round = 1; round <= MOST_ROUNDS && refusal == NULL; round++) {
        if (parts->parts[round - 1] == 0)
            continue;
        if (part_reader_state(reader, host, round, &reason) == PART_WHOLE)
            part_write_merged(stdout, host, round, sending->host);
        else
            is_missing = true;
    }
    if (is_missing)
        part_write_error(stdout, host, refusal != NULL ? refusal : reason.text);
    if (status >= 0 || is_missing) /* all that can come from it has come */
        part_write_status(stdout, host, status >= 0 ? status : EXIT_UNREADABLE);
}

static bool is_name_of_host(const struct part_reader *reader, const char *name)
{
    char said[MOST_HOST_BYTES + 1];
    part_host_name(name, said);
    for (size_t i = 0; i < part_reader_host_count(reader); i++)
        if (strcmp(part_reader_host(reader, i), said) == 0)
            return true;
    return false;
}

/* The name under which the part is sent: not a host's name, as that host's own part may be missing. 0, or -1 and a
 * reason. */
static int name_merged(struct sending *sending, const struct part_reader *reader)
{
    enum { MOST_OWN = MOST_HOST_BYTES - 24 };
    if (sending->options->part.host != NULL)
        return is_name_of_host(reader, sending->host)
                   ? reason_set(&sending->reason, "one of the hosts is called %s: name another with --as",
                                sending->host)
                   : 0;
    char *name = format_text("%.*s_merged", MOST_OWN, sending->host);
    for (int number = 2; is_name_of_host(reader, name); number++) {
        free(name);
        name = format_text("%.*s_merged%d", MOST_OWN, sending->host, number);
    }
    snprintf(sending->host, sizeof sending->host, "%s", name);
    free(name);
    return 0;
}

static int send_merged(struct sending *sending, const struct part_reader *reader, struct part_job *parts)
{
    int result = name_merged(sending, reader);
    for (int round = 1; round <= MOST_ROUNDS && result == 0; round++) {
        struct job *job = &parts->rounds[round - 1];
        if (parts->parts[round - 1] == 0)
            continue;
        job_settle_parts(job, true);
        job->samples = job_least_samples(job);
        result = send_job(sending, job, round);
    }
    for (size_t i = 0; i < part_reader_host_count(reader) && result == 0; i++)
        send_host(sending, reader, parts, part_reader_host(reader, i));
    return result;
}

static enum exit_status merge_parts(struct sending *sending)
{
    const struct collect_plan plan = {.depth = COLLECT_ALL};
    const struct collect_plan with_memory = {
        .depth = COLLECT_ALL, .more = snapshot_ask_handles, .is_recorded = true}; /* which is kept as it is */
    struct part_reader *reader = part_reader_create((size_t)1 << 31);
    struct part_job parts;
    part_job_begin(&parts);
    int result =
        take_part_lines(sending->dll, stdin, sending->options->part.full ? &with_memory : &plan, reader, &parts);
    if (result != 0)
        reason_set(&sending->reason, "standard input: %s", strerror(errno));
    else
        result = send_merged(sending, reader, &parts);
    part_job_clear(&parts);
    part_reader_destroy(reader);
    return result == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}

enum exit_status verb_part(int argument_count, char **arguments)
{
    struct options options;
    struct dll dll;
    enum exit_status status = EXIT_UNREADABLE;
    options_parse(argument_count, arguments, OPTIONS_TARGETS | OPTIONS_STACKS | OPTIONS_PART, description, more,
                  &options);
    struct sending sending = {.options = &options, .dll = &dll};
    if (options.part.host != NULL)
        snprintf(sending.host, sizeof sending.host, "%s", options.part.host);
    else
        gethostname(sending.host, sizeof sending.host - 1);
    if (!options.part.ends) /* which goes on when the connection breaks: it ends by itself */
        end_with_parent();
    if (dll_open(NULL, &dll, &sending.reason) == 0) {
        if (shipment_remove_own()) /* all that is needed of it is open */
            start_over_no_more();
        status = options.part.merge ? merge_parts(&sending) : send_part(&sending);
        dll_close(&dll);
    }
    if (sending.reason.text[0] != '\0')
        part_write_error(stdout, sending.host, sending.reason.text);
    part_write_status(stdout, sending.host, (int)status);
    rank_set_clear(&options.render.ranks);
    return status;
}
