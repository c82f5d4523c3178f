/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpilens report: packs all that can be said about a job into one file, for somebody else.
 */
#include "analysis/analysis.h"
#include "base/base.h"
#include "doctor/doctor.h"
#include "file/file.h"
#include "job/job.h"
#include "render/html/render_html.h"
#include "render/json/render_json.h"
#include "render/machine/machine.h"
#include "render/text/render_text.h"
#include "snapshot/snapshot.h"
#include "stack/stack.h"
#include "text/text.h"
#include "verbs/verbs_internal.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char description[] =
    "Pack what can be said about a job into one file to send: the verdict, the page, the call stacks and queues, the "
    "last calls, a snapshot, and what 'mpilens doctor' says of this host.";

static const char more[] =
    "TARGET is the PID of any rank or of the launcher (mpiexec, mpirun, srun) or the name of the program, any of which "
    "stands for the whole job, or core files, snapshots or a directory of black boxes. Without TARGET, the only job of "
    "this user on this host is meant.\n\n"
    "The file is a ZIP archive, which every system opens without another program. Without --output, its name has the "
    "program, the host and the time: mpilens-heat-n1-20261129-1355.zip.\n\n"
    "With --redact, names of hosts and users, paths, arguments and addresses of the internet are replaced, the same "
    "name by the same word in all files. Names that the program gives (of functions, files of its source, "
    "communicators) stay. The snapshot has memory of the ranks, in which any names may be, so it is left out, and so "
    "are source lines. Look through the files before you send them.\n\n"
    "With --format, the file has the verdict in that format, too, such as verdict.md of markdown.\n\n"
    "Exit status: 0 the file was written, 2 wrong usage, 3 nothing could be read or written.\n\n"
    "Examples:\n"
    "  mpilens report\n"
    "  mpilens report -o hang.zip 4711\n"
    "  mpilens report --redact heat";

/* Letters of a word in the name of the file. */
enum { MOST_NAME_PART = 64 };

struct report {
    const struct options *options;
    struct job *job;
    const struct analysis *analysis;
    struct redaction *redaction; /* NULL: names stay */
    struct zip_file zip;
    const char *directory; /* in the archive */
    time_t now;
    struct reason *reason;
};

/* Words that are too short or too common to stand for one user. */
static bool is_personal(const char *user)
{
    return user != NULL && user[0] != '\0' && strcmp(user, "root") != 0;
}

static void hide_host(struct redaction *redaction, const char *host)
{
    if (host == NULL || host[0] == '\0' || strcmp(host, "localhost") == 0)
        return;
    const char *dot = strchr(host, '.');
    redaction_add(redaction, REDACTED_HOST, host);
    if (dot != NULL)
        redaction_add(redaction, REDACTED_HOST, arena_text("%.*s", (int)(dot - host), host));
}

static const char *own_host(void)
{
    char host[HOST_NAME_MAX + 1] = "";
    return gethostname(host, sizeof host - 1) == 0 && host[0] != '\0' ? arena_copy(host) : "host";
}

/* "mpiexec 4711 on n1 started ...": the host. */
static void hide_host_of_identity(struct redaction *redaction, const char *identity)
{
    const char *host = identity != NULL ? strstr(identity, " on ") : NULL;
    if (host != NULL)
        hide_host(redaction, arena_text("%.*s", (int)strcspn(host + 4, " ,"), host + 4));
}

static void hide_directory(struct redaction *redaction, const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    if (slash != NULL && slash > path)
        redaction_add(redaction, REDACTED_PATH, arena_text("%.*s", (int)(slash - path), path));
}

/* The path of a source file, among names of functions. */
static void hide_odd_directory(const void *item, void *context)
{
    const char *name = item, *slash = strrchr(name, '/');
    const bool may_be_path = slash != NULL && (name[0] == '/' || strchr(slash, '.') != NULL);
    if (may_be_path && redaction_needs(arena_text("%.*s", (int)(slash - name), name)))
        hide_directory(context, name);
}

/* The path of a library or file of MPI, among names and sentences, in which a slash may be anything. */
static void hide_odd_directory_from_root(const void *item, void *context)
{
    if (((const char *)item)[0] == '/')
        hide_odd_directory(item, context);
}

static void hide_names(struct redaction *redaction, const struct job *job)
{
    const struct passwd *self = getpwuid(getuid());
    for (size_t i = 0; i < job->process_count; i++) {
        hide_host(redaction, job->processes[i].host);
        hide_directory(redaction, job->processes[i].executable);
        hide_directory(redaction, job->processes[i].core);
        if (job->processes[i].reason == NULL)
            hide_host_of_identity(redaction, job->processes[i].job_identity);
    }
    hide_host_of_identity(redaction, job->identity);
    hide_host(redaction, own_host());
    if (is_personal(job->user))
        redaction_add(redaction, REDACTED_USER, job->user);
    if (self != NULL && is_personal(self->pw_name))
        redaction_add(redaction, REDACTED_USER, self->pw_name);
    arena_visit(job->names.root, hide_odd_directory_from_root, redaction);
    arena_visit(job->sites.names.root, hide_odd_directory, redaction);
}

/* Bytes of the command that are the path of a program with blanks; 0: it is one word. */
static size_t bytes_of_program(const struct job *job)
{
    for (size_t i = 0; i < job->process_count; i++) {
        const char *path = job->processes[i].executable;
        const size_t length = path != NULL ? strlen(path) : 0;
        if (length > 0 && strncmp(job->command, path, length) == 0 &&
            (job->command[length] == ' ' || job->command[length] == '\0'))
            return length;
    }
    return 0;
}

/* The program stays as a path, each of its arguments becomes a word. */
static void hide_arguments(struct redaction *redaction, struct job *job)
{
    if (job->command == NULL)
        return;
    FILE *command = arena_open();
    const size_t bytes = bytes_of_program(job);
    char *rest = job->command + bytes;
    fputs(redaction_apply(redaction, REDACTED_TEXT, arena_text("%.*s", (int)bytes, job->command)), command);
    for (char *word = strsep(&rest, " "); word != NULL; word = strsep(&rest, " "))
        if (ftell(command) == 0)
            fputs(redaction_apply(redaction, REDACTED_TEXT, word), command);
        else if (word[0] != '\0')
            fprintf(command, " %s", redaction_add(redaction, REDACTED_ARGUMENT, word));
    free(job->command);
    job->command = copy_text(arena_close(command));
}

static void add_file(struct report *report, const char *name, const void *bytes, size_t count)
{
    zip_file_add(&report->zip, arena_text("%s/%s", report->directory, name), bytes, count, report->now);
}

typedef int write_function(FILE *stream, const struct report *report);

/* Texts are written to a file, for which no terminal breaks their lines. */
static int add_text(struct report *report, const char *name, enum redacted_form form, write_function *write)
{
    const struct arena_mark texts = arena_mark();
    const int descriptor = unnamed_file_create();
    FILE *stream = descriptor >= 0 ? fdopen(descriptor, "w+") : NULL;
    struct stat status;
    if (stream == NULL || write(stream, report) != 0 || fflush(stream) != 0 || fstat(descriptor, &status) != 0) {
        const int error = errno;
        if (stream != NULL)
            fclose(stream);
        return reason_set(report->reason, "%s cannot be written: %s", name, strerror(error));
    }
    char *bytes = allocate((size_t)status.st_size + 1);
    rewind(stream);
    const size_t count = fread(bytes, 1, (size_t)status.st_size, stream);
    fclose(stream);
    const bool is_whole = report->redaction == NULL || form == REDACTED_HTML; /* the page redacts its parts itself */
    const char *text = is_whole ? bytes : redaction_apply(report->redaction, form, bytes);
    add_file(report, name, text, is_whole ? count : strlen(text));
    free(bytes);
    arena_release(texts);
    return 0;
}

static struct render_options options_of(const struct report *report)
{
    struct render_options options = report->options->render;
    options.color = false;
    options.redaction = report->redaction;
    options.source.is_off = options.source.is_off || report->redaction != NULL;
    if (report->redaction != NULL)
        options.target = NULL;
    return options;
}

static int write_verdict(FILE *stream, const struct report *report)
{
    const struct render_options options = options_of(report);
    return render_why_text(stream, report->job, report->analysis, &options);
}

static int write_document(FILE *stream, const struct report *report)
{
    const struct render_options options = options_of(report);
    return render_why_json(stream, report->job, report->analysis, &options);
}

static int write_page(FILE *stream, const struct report *report)
{
    const struct render_options options = options_of(report);
    return render_why_page(stream, report->job, report->analysis, &options);
}

static int write_stacks(FILE *stream, const struct report *report)
{
    struct render_options options = options_of(report);
    options.stack = true;
    return render_show_text(stream, report->job, &options);
}

static int write_history(FILE *stream, const struct report *report)
{
    const struct render_options options = options_of(report);
    return render_history_text(stream, report->job, &options);
}

/* Without the test job: the report is about another one, perhaps on a host that has no room for it. */
static int write_doctor(FILE *stream, const struct report *report)
{
    struct doctor doctor = {0};
    (void)report;
    doctor_check_system(&doctor);
    doctor_check_installation(&doctor);
    doctor_check_hosts(&doctor);
    doctor_write(stream, &doctor, 0);
    return finish_output(stream);
}

static int write_machine(FILE *stream, const struct report *report)
{
    const struct render_options options = options_of(report);
    const struct machine_verdict verdict = {.verb = "why",
                                            .job = report->job,
                                            .findings = &report->analysis->findings,
                                            .analysis = report->analysis,
                                            .options = &options,
                                            .elapsed_s = -1};
    return machine_write(stream, report->options->format, &verdict);
}

static const struct report_part {
    const char *name;
    enum redacted_form form;
    write_function *write;
    const char *meaning;
} report_parts[] = {
    {"verdict.txt", REDACTED_TEXT, write_verdict, "what 'mpilens why' says"},
    {"verdict.json", REDACTED_JSON, write_document, "the same for programs (schema mpilens/1)"},
    {"page.html", REDACTED_HTML, write_page, "the page of 'mpilens why --html', for a browser"},
    {"stacks.txt", REDACTED_TEXT, write_stacks, "what 'mpilens show --stack' says: calls, call stacks and queues"},
    {"history.txt", REDACTED_TEXT, write_history, "what 'mpilens history' says: the last calls"},
    {"doctor.txt", REDACTED_TEXT, write_doctor, "what 'mpilens doctor --no-job' says of the host that wrote this"},
};
enum { PART_COUNT = sizeof report_parts / sizeof *report_parts };

static const char snapshot_name[] = "job.mpilens";

static int write_contents(FILE *stream, const struct report *report)
{
    fprintf(stream, "A job of MPI as mpilens " MPILENS_VERSION " saw it. Begin with page.html or verdict.txt.\n\n");
    for (size_t i = 0; i < PART_COUNT; i++)
        fprintf(stream, "%-13s %s\n", report_parts[i].name, report_parts[i].meaning);
    if (report->redaction == NULL)
        fprintf(stream, "%-13s a snapshot: 'mpilens why %s' and all other verbs read it\n", snapshot_name,
                snapshot_name);
    else
        fputs(
            "\nNames of hosts and users, paths, arguments and addresses were replaced (--redact), the same name by the "
            "same word in all files.\nThe snapshot was left out: it has memory of the ranks, in which any names may "
            "be.\n",
            stream);
    return finish_output(stream);
}

static int add_snapshot(struct report *report)
{
    void *bytes;
    size_t count;
    if (snapshot_pack(report->job, SNAPSHOT_FULL, &bytes, &count, report->reason) != 0)
        return -1;
    add_file(report, snapshot_name, bytes, count);
    free(bytes);
    return 0;
}

/* "verdict.xml", "verdict.gcc". */
static const char *machine_name(const struct report *report)
{
    const struct machine_format *format = report->options->format;
    return format->suffix != NULL ? arena_text("verdict%s", format->suffix) : arena_text("verdict.%s", format->name);
}

static int add_all(struct report *report)
{
    int result = add_text(report, "README.txt", REDACTED_HTML, write_contents); /* which has no names */
    for (size_t i = 0; i < PART_COUNT && result == 0; i++) {
        progress_note("writing %s", report_parts[i].name);
        result = add_text(report, report_parts[i].name, report_parts[i].form, report_parts[i].write);
    }
    if (result == 0 && report->options->form == FORM_MACHINE) {
        const char *format = report->options->format->name;
        const bool is_json = strcmp(format, "sarif") == 0 || strcmp(format, "gitlab") == 0;
        const enum redacted_form form = is_json                        ? REDACTED_JSON
                                        : strcmp(format, "junit") == 0 ? REDACTED_XML
                                                                       : REDACTED_TEXT;
        result = add_text(report, machine_name(report), form, write_machine);
    }
    return result == 0 && report->redaction == NULL ? add_snapshot(report) : result;
}

/* The letters of a text that names of files may have everywhere. */
static const char *name_part(const char *text)
{
    FILE *stream = arena_open();
    for (size_t i = 0; text[i] != '\0' && i < MOST_NAME_PART; i++)
        fputc(isalnum((unsigned char)text[i]) || strchr("._-", text[i]) != NULL ? text[i] : '_', stream);
    return arena_close(stream);
}

static const char *choose_name(const struct report *report)
{
    const struct job *job = report->job;
    const char *program = "job", *host = NULL;
    char time[sizeof "20261129-1355"] = "";
    struct tm local;
    for (size_t i = job->process_count; i > 0; i--) {
        program = job->processes[i - 1].executable != NULL ? file_name(job->processes[i - 1].executable) : program;
        host = job->processes[i - 1].host != NULL ? job->processes[i - 1].host : host;
    }
    host = host != NULL ? host : own_host();
    if (report->redaction != NULL)
        host = redaction_apply(report->redaction, REDACTED_TEXT, host);
    if (localtime_r(&report->now, &local) != NULL)
        strftime(time, sizeof time, "%Y%m%d-%H%M", &local);
    return arena_text("mpilens-%s-%s-%s.zip", name_part(program), name_part(host), time);
}

/* In the archive, by the name that the user gives it. */
static const char *directory_of(const struct report *report, const char *path)
{
    const char *name = name_part(redaction_apply(report->redaction, REDACTED_TEXT, file_name(path)));
    const char *suffix = strrchr(name, '.');
    return suffix != NULL && suffix > name ? arena_text("%.*s", (int)(suffix - name), name) : name;
}

static int write_report(struct report *report, const char *path)
{
    uint64_t bytes;
    report->directory = directory_of(report, path);
    if (zip_file_create(path, report->options->mode, &report->zip, report->reason) != 0)
        return -1;
    if (add_all(report) != 0) {
        zip_file_discard(&report->zip);
        return -1;
    }
    if (zip_file_finish(&report->zip, &bytes, report->reason) != 0)
        return -1;
    progress_line_end();
    print_line(stdout, "verdict, page, stacks, last calls%s and doctor's checks saved to %s (%.*f MB)%s",
               report->redaction == NULL ? ", snapshot" : "", path, bytes < 1000000 ? 2 : 0, (double)bytes / 1e6,
               report->redaction == NULL ? "" : "; look through it before you send it");
    return finish_output(stdout);
}

static enum exit_status report_on(const struct options *options, struct job *job, struct reason *ret_reason)
{
    struct analysis analysis;
    struct report report = {
        .options = options, .job = job, .analysis = &analysis, .now = time(NULL), .reason = ret_reason};
    job_resolve_completed_sites(job);
    verb_why_judge(options, job, &analysis);
    if (options->redacts) {
        report.redaction = redaction_create();
        hide_names(report.redaction, job);
        hide_arguments(report.redaction, job);
    }
    const int result = write_report(&report, options->output != NULL ? options->output : choose_name(&report));
    redaction_destroy(report.redaction);
    analysis_clear(&analysis);
    return result == 0 ? EXIT_GOOD : EXIT_UNREADABLE;
}

static enum exit_status check_form(struct options *options, struct reason *ret_reason)
{
    if (options->form != FORM_JSON)
        return EXIT_GOOD;
    reason_set(ret_reason, "report writes no JSON to standard output: the file that it makes has verdict.json");
    return EXIT_USAGE;
}

static enum exit_status read_and_report(const struct dll *dll, struct options *options, struct reason *ret_reason)
{
    struct job job;
    struct site_cache sites = {0};
    const struct job_request request = {
        .targets = options->targets,
        .target_count = options->target_count,
        .may_have_ended = true,
        .stop = options->stop,
        .stacks = true,
        .stacks_suffice = true,
        .plan = {.depth = COLLECT_ALL, .more = snapshot_ask_handles, .context = &sites, .is_recorded = true}};
    const struct host_reading reading = {.two_rounds = true, .full = true};
    const struct sample_plan plan = {
        .samples = options->samples, .interval_s = options->interval_s, .more_s = USER_WAITS_SECONDS};
    const double began_s = monotonic_s();
    progress_line_begin();
    enum exit_status status;
    if (!read_hosts(dll, options, &request, &reading, &job, &status, ret_reason))
        status = sample_job(dll, &request, &plan, &job, ret_reason);
    if (status == EXIT_GOOD) {
        job_read_other_worlds(dll, &plan, options->verdict.patience_s, began_s, &job);
        status = report_on(options, &job, ret_reason);
        job_clear(&job);
    }
    progress_line_end();
    site_cache_clear(&sites);
    return status;
}

enum exit_status verb_report(int argument_count, char **arguments)
{
    static const struct job_verb verb = {.description = description,
                                         .more = more,
                                         .options = OPTIONS_TARGETS | OPTIONS_HOSTS | OPTIONS_SAMPLES |
                                                    OPTIONS_VERDICT | OPTIONS_SOURCE | OPTIONS_OUTPUT | OPTIONS_FORMAT |
                                                    OPTIONS_REPORT,
                                         .check = check_form,
                                         .run = read_and_report};
    return job_verb_run(&verb, argument_count, arguments);
}
