/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The formats for machines: each holds what a program says of itself as text, whatever that is.
 */
#include "base/base.h"
#include "model_builder.h"
#include "render/machine/machine_internal.h"
#include "wait_jobs.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Commands of GitHub, markup, notifications, a terminal's escape, a line break, and no UTF-8. */
#define HOSTILE "a|b`c``<b>@root #12 ]]>&amp;\"'\n::error::x%0A\x1b[31m\\\xff"

static const struct render_options plain;
static char directory[] = "/tmp/mpilens-machine-XXXXXX";

static void begin(void)
{
    cr_assert_not_null(mkdtemp(directory));
    cr_assert_eq(chdir(directory), 0);
    unsetenv("GITHUB_WORKSPACE");
    unsetenv("CI_PROJECT_DIR");
}

static void end(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    cr_assert_eq(system(command), 0);
}

TestSuite(machine, .init = begin, .fini = end);

struct judged {
    struct job job;
    struct analysis analysis;
    struct machine_verdict verdict;
};

static struct judged *judge(struct job job)
{
    struct judged *judged = allocate(sizeof *judged);
    judged->job = job;
    judged->analysis = judge_wait_job(&judged->job);
    judged->verdict = (struct machine_verdict){.verb = "why",
                                               .job = &judged->job,
                                               .findings = &judged->analysis.findings,
                                               .analysis = &judged->analysis,
                                               .options = &plain,
                                               .name = HOSTILE,
                                               .elapsed_s = 1.5};
    return judged;
}

static void clear(struct judged *judged)
{
    analysis_clear(&judged->analysis);
    job_clear(&judged->job);
    free(judged);
}

static char *written(const char *format, const struct machine_verdict *verdict)
{
    char *text;
    FILE *stream = open_text(&text);
    const struct machine_format *found = machine_format_find(format);
    cr_assert_not_null(found, "%s", format);
    cr_expect_eq(machine_write(stream, found, verdict), 0);
    fclose(stream);
    for (const char *at = text; *at != '\0'; at++)
        cr_expect(*at == '\n' || ((unsigned char)*at >= ' ' && *at != 0x7f), "%s has a control character", format);
    return text;
}

static size_t count(const char *text, const char *part)
{
    size_t number = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        number++;
    return number;
}

Test(machine, gcc)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    char *text = written("gcc", &judged->verdict);
    const struct finding *finding = &judged->analysis.findings.items[0];
    cr_assert_geq(judged->analysis.findings.count, 1);
    cr_expect(strncmp(text, "ring.c:63: error: ", strlen("ring.c:63: error: ")) == 0, "%s", text);
    cr_expect_eq(count(text, ": error: "), judged->analysis.findings.count, "%s", text);
    cr_expect_not_null(strstr(text, arena_text(" [%s]\n", finding_kind_name(finding->kind))), "%s", text);
    cr_expect_not_null(strstr(text, "\nring.c:63: note: ranks [0,1]: in MPI_Barrier("), "%s", text);
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1)
        cr_expect(strncmp(line, "ring.c:", 7) == 0 || strncmp(line, "mpilens: ", 9) == 0, "%s", line);
    free(text);
    clear(judged);
}

Test(machine, github_commands)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    char *text = written("github", &judged->verdict);
    size_t lines = 0;
    for (const char *line = text; *line != '\0'; line += strcspn(line, "\n") + 1, lines++) {
        const char *message = strstr(line + 2, "::");
        cr_assert(strncmp(line, "::error file=ring.c,line=63,title=mpilens%3A ", 45) == 0, "%s", line);
        cr_assert_not_null(message);
        cr_expect_null(memchr(line + 45, ':', (size_t)(message - line - 45)), "a property ends early: %s", line);
    }
    cr_expect_eq(lines, judged->analysis.findings.count, "%s", text);
    cr_expect_not_null(strstr(text, "::error::x%250A"), "a percent sign is escaped: %s", text);
    cr_expect_not_null(strstr(text, "%0Aranks [0,1]: in MPI_Barrier("), "%s", text);
    free(text);
    clear(judged);
}

static json_t *document(const char *format, const struct machine_verdict *verdict)
{
    char *text = written(format, verdict);
    json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    cr_assert_not_null(value, "%s", text);
    free(text);
    return value;
}

Test(machine, gitlab_issues)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    json_t *issues = document("gitlab", &judged->verdict), *first = json_array_get(issues, 0);
    cr_expect_eq(json_array_size(issues), judged->analysis.findings.count);
    cr_expect_str_eq(json_string_value(json_object_get(first, "severity")), "critical");
    json_t *location = json_object_get(first, "location");
    cr_expect_str_eq(json_string_value(json_object_get(location, "path")), "ring.c");
    cr_expect_eq(json_integer_value(json_object_get(json_object_get(location, "lines"), "begin")), 63);
    json_decref(issues);
    clear(judged);
}

Test(machine, sarif_result)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    json_t *log = document("sarif", &judged->verdict);
    json_t *run = json_array_get(json_object_get(log, "runs"), 0);
    json_t *result = json_array_get(json_object_get(run, "results"), 0);
    json_t *rules = json_object_get(json_object_get(json_object_get(run, "tool"), "driver"), "rules");
    const size_t rule = (size_t)json_integer_value(json_object_get(result, "ruleIndex"));
    cr_expect_str_eq(json_string_value(json_object_get(log, "version")), "2.1.0");
    cr_expect_str_eq(json_string_value(json_object_get(json_array_get(rules, rule), "id")),
                     json_string_value(json_object_get(result, "ruleId")));
    cr_expect_eq(json_array_size(json_object_get(result, "locations")), 1);
    cr_expect_eq(json_array_size(json_object_get(result, "relatedLocations")),
                 judged->analysis.findings.items[0].evidence.count);
    json_decref(log);
    clear(judged);
}

/* The named entities and all that closes an element are escaped; a strict parser reads it in the live test. */
Test(machine, junit_case)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    char *text = written("junit", &judged->verdict);
    cr_expect_eq(count(text, "<testcase "), 1, "%s", text);
    cr_expect_eq(count(text, "<failure "), 1, "%s", text);
    cr_expect_null(strstr(text, "<b>"), "%s", text);
    cr_expect_null(strstr(text, "]]>"), "%s", text);
    cr_expect_not_null(strstr(text, "name=\"a|b`c``&lt;b&gt;@root #12 ]]&gt;&amp;amp;&quot;&#39; ::error"), "%s", text);
    free(text);
    clear(judged);
}

Test(machine, markdown_is_text)
{
    struct judged *judged = judge(barrier_against_receive(3, HOSTILE));
    char *text = written("markdown", &judged->verdict);
    cr_expect(strncmp(text, "# mpilens: ``` a\\|b`c``<b>@root", 31) == 0, "in more backticks than it has: %s", text);
    cr_expect_not_null(strstr(text, "a\\|b\\`c\\`\\`\\<b\\>@<!-- -->root #<!-- -->12"), "in prose: %s", text);
    cr_expect_null(strstr(text, "\n::error"), "%s", text);
    free(text);
    clear(judged);
}

Test(machine, nothing_and_failures)
{
    struct job job = build_job(2);
    const struct analysis nothing = {.remark = NULL};
    struct machine_verdict verdict = {.verb = "guard",
                                      .job = &job,
                                      .findings = &nothing.findings,
                                      .analysis = &nothing,
                                      .options = &plain,
                                      .name = "mpiexec ./app"};
    const char *const formats[] = {"text", "gcc", "github", "junit", "markdown"};
    char *text = written("junit", &verdict);
    cr_expect_not_null(strstr(text, "failures=\"0\" errors=\"0\""), "%s", text);
    cr_expect_eq(count(text, "<failure") + count(text, "<error"), 0, "%s", text);
    free(text);
    verdict.failure = "status 3";
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        text = written(formats[i], &verdict);
        cr_expect_not_null(strstr(text, "status 3"), "%s: %s", formats[i], text);
        cr_expect_null(strstr(text, "nothing wrong"), "%s: %s", formats[i], text);
        free(text);
    }
    json_t *issues = document("gitlab", &verdict);
    cr_expect_eq(json_array_size(issues), 0);
    json_decref(issues);
    job_clear(&job);
}

Test(machine, paths)
{
    static const char *const cases[][3] = {
        {"/project/src/ring.c", "/project", "src/ring.c"},
        {"/project/build/../src/./ring.c", "/project/", "src/ring.c"},
        {"/projects/ring.c", "/project", "/projects/ring.c"},
        {"../src/ring.c", "/project", "../src/ring.c"},
        {"./ring.c", "/project", "ring.c"},
        {"/../ring.c", "/project", "/ring.c"},
        {"a/../../b//c", "/", "../b/c"},
        {"/ring.c", "", "/ring.c"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_str_eq(machine_path(cases[i][0], cases[i][1]), cases[i][2]);
    cr_expect_str_eq(machine_uri("a b/c#%\xc3\xa9.c"), "a%20b/c%23%25%C3%A9.c");
    cr_expect_str_eq(machine_uri("/a/b.c"), "file:///a/b.c");
    setenv("GITHUB_WORKSPACE", "/project", 1);
    cr_expect_str_eq(machine_root(), "/project");
}

Test(machine, fingerprints)
{
    struct judged *judged = judge(ring_of_receives(4)), *larger = judge(ring_of_receives(8));
    struct findings *findings = &judged->analysis.findings;
    const char *first = machine_fingerprint(&judged->verdict, 0);
    cr_expect_eq(strlen(first), 16);
    cr_expect_str_eq(first, machine_fingerprint(&larger->verdict, 0), "its ranks do not count");
    findings->items = arena_append(findings->items, &findings->count, sizeof *findings->items);
    findings->items[findings->count - 1] = (struct finding){.kind = findings->items[0].kind, .message = ""};
    cr_expect_str_neq(first, machine_fingerprint(&judged->verdict, findings->count - 1), "another place");
    findings->items[findings->count - 1].evidence = findings->items[0].evidence;
    findings->items[findings->count - 1].culprits = findings->items[0].culprits;
    cr_expect_str_neq(first, machine_fingerprint(&judged->verdict, findings->count - 1), "GitLab drops equal ones");
    findings->count--;
    clear(judged);
    clear(larger);
}

/* Two users' paths that become the same word. */
Test(machine, fingerprints_of_redacted_names)
{
    const char *prints[2][2];
    for (int i = 0; i < 2; i++) {
        struct judged *judged = judge(ring_of_receives(4));
        struct finding *finding = &judged->analysis.findings.items[0];
        for (size_t j = 0; j < finding->evidence.count; j++)
            finding->evidence.items[j].place.site.path = i == 0 ? "/home/jane/a b/ring.c" : "/home/joe/ring.c";
        prints[0][i] = machine_fingerprint(&judged->verdict, 0);
        struct render_options options = {.redaction = redaction_create()};
        judged->verdict.options = &options;
        prints[1][i] = machine_fingerprint(&judged->verdict, 0);
        redaction_destroy(options.redaction);
        clear(judged);
    }
    cr_expect_str_neq(prints[0][0], prints[0][1]);
    cr_expect_str_eq(prints[1][0], prints[1][1]);
}

Test(machine, files)
{
    static const struct {
        const char *text, *format, *path;
    } cases[] = {{"r.xml", "junit", "r.xml"},
                 {"a/b.sarif", "sarif", "a/b.sarif"},
                 {"gitlab:r.json", "gitlab", "r.json"},
                 {"x:y.md", "markdown", "x:y.md"},
                 {"p.html", "html", "p.html"}};
    struct machine_file file;
    struct reason reason;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cr_assert_eq(machine_file_parse(cases[i].text, &file, &reason), 0, "%s", reason.text);
        cr_expect_str_eq(file.format->name, cases[i].format);
        cr_expect_str_eq(file.path, cases[i].path);
    }
    cr_expect_eq(machine_file_parse("report", &file, &reason), -1);
    cr_expect_str_eq(reason.text, "'report' has none of the suffixes .txt, .json, .sarif, .xml, .md, .html: name a "
                                  "format, as in junit:report");
    cr_expect_eq(machine_file_parse(".xml", &file, &reason), -1);
    cr_expect_eq(machine_file_parse("junit:", &file, &reason), -1);
    cr_expect_null(machine_format_find("html"), "it goes to a file");
}

static char *content(const char *path)
{
    char *text;
    FILE *copy = open_text(&text), *stream = fopen(path, "r");
    for (int byte; stream != NULL && (byte = fgetc(stream)) != EOF;)
        fputc(byte, copy);
    if (stream != NULL)
        fclose(stream);
    fclose(copy);
    return text;
}

/* Standard error in the environment of a CI. */
static char *told(const struct machine_verdict *verdict, bool has_annotations)
{
    char *text;
    FILE *stream = open_text(&text);
    machine_ci_tell(stream, verdict, has_annotations);
    fclose(stream);
    return text;
}

static void set_ci(const char *github, const char *gitlab)
{
    setenv("GITHUB_ACTIONS", github, 1);
    setenv("GITLAB_CI", gitlab, 1);
    unsetenv("MPILENS_CI");
    setenv("GITHUB_STEP_SUMMARY", "summary", 1);
}

Test(machine, github_is_told)
{
    struct judged *judged = judge(ring_of_receives(2));
    set_ci("true", "");
    FILE *summary = fopen("summary", "w");
    fputs("before", summary);
    fclose(summary);
    char *text = told(&judged->verdict, false);
    cr_expect_eq(strncmp(text, "::error file=ring.c,line=41,", 28), 0, "%s", text);
    free(text);
    text = content("summary");
    cr_expect_eq(strncmp(text, "before\n# mpilens: ", 18), 0, "%s", text);
    free(text);
    text = told(&judged->verdict, true);
    cr_expect_str_eq(text, "", "standard output has them");
    free(text);
    setenv("MPILENS_CI", "none", 1);
    text = told(&judged->verdict, false);
    cr_expect_str_eq(text, "");
    free(text);
    clear(judged);
}

/* Somebody else who may write in the directory leads the summary elsewhere. */
Test(machine, no_planted_link_is_followed)
{
    struct judged *judged = judge(ring_of_receives(2));
    set_ci("true", "");
    FILE *victim = fopen("victim", "w");
    fputs("mine", victim);
    fclose(victim);
    for (int is_hard = 0; is_hard < 2; is_hard++) {
        cr_assert_eq(is_hard ? link("victim", "summary") : symlink("victim", "summary"), 0);
        char *text = told(&judged->verdict, true), *kept = content("victim");
        cr_expect_not_null(strstr(text, "mpilens: no summary: summary is "), "%s", text);
        cr_expect_str_eq(kept, "mine");
        unlink("summary");
        free(kept);
        free(text);
    }
    cr_assert_eq(mkfifo("summary", 0600), 0);
    char *text = told(&judged->verdict, true);
    cr_expect_not_null(strstr(text, "mpilens: no summary: summary"), "a pipe that nobody reads: %s", text);
    free(text);
    clear(judged);
}

Test(machine, gitlab_is_told)
{
    struct judged *judged = judge(ring_of_receives(2));
    set_ci("", "true");
    char *text = told(&judged->verdict, false);
    cr_expect_str_eq(text, "mpilens: wrote mpilens-code-quality.json, for artifacts:reports:codequality\n");
    free(text);
    text = content("mpilens-code-quality.json");
    json_t *issues = json_loads(text, 0, NULL);
    cr_expect_eq(json_array_size(issues), judged->analysis.findings.count);
    json_decref(issues);
    free(text);
    clear(judged);
}

Test(machine, metrics)
{
    struct job jobs[2] = {ring_of_receives(2), build_job(1)};
    char *text;
    FILE *stream = open_text(&text);
    jobs[0].user = copy_text("o\\\"\nx");
    jobs[1].id = copy_text("7");
    cr_expect_eq(machine_metrics_write(stream, jobs, 2), 0);
    fclose(stream);
    cr_expect_not_null(strstr(text, "\nmpilens_jobs 2\n"), "%s", text);
    cr_expect_not_null(
        strstr(
            text,
            "\nmpilens_job_quiet_seconds{job=\"1000\",user=\"o\\\\\\\" x\",program=\"ring\",mpi=\"MPICH 4.0.2\"} 12\n"),
        "the rank that has been there for the shortest time counts: %s", text);
    cr_expect_not_null(strstr(text, "\nmpilens_job_quiet_seconds{job=\"7\",user=\"\",program=\"\",mpi=\"\"} 0\n"),
                       "its rank is outside MPI: %s", text);
    cr_expect_str_eq(text + strlen(text) - 6, "# EOF\n");
    free(text);
    job_clear(&jobs[0]);
    job_clear(&jobs[1]);
}
