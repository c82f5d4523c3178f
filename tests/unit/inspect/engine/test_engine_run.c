/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Commands that do what engines do at their worst.
 */
#include "engine/engine.h"

#include "base/base.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_COMMANDS = 8 };

struct heard {
    FILE *stream;
    char *text;
    size_t bytes;
    size_t lines;
};

static void hear(struct heard *heard, const char *kind, size_t command, const char *line)
{
    heard->lines++;
    if (heard->lines < 100 || strcmp(line, "quiet") == 0)
        fprintf(heard->stream, "%s%zu %s\n", kind, command, line);
}

static void hear_output(void *context, size_t command, const char *line)
{
    hear(context, "out", command, line);
}

static void hear_error(void *context, size_t command, const char *line)
{
    hear(context, "err", command, line);
}

static void hear_end(void *context, size_t command, int status)
{
    char text[32];
    snprintf(text, sizeof text, WIFEXITED(status) ? "%d" : "signal",
             WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    hear(context, "end", command, text);
}

struct tried {
    struct engine_command commands[MOST_COMMANDS];
    char *arguments[MOST_COMMANDS][4];
    struct heard heard;
    struct engine_run *run;
};

static void begin(struct tried *tried, const char *const *scripts, size_t count, size_t most_at_once)
{
    static char shell[] = "/bin/sh", option[] = "-c";
    struct reason reason;
    *tried = (struct tried){.run = NULL};
    for (size_t i = 0; i < count; i++) {
        tried->arguments[i][0] = shell;
        tried->arguments[i][1] = option;
        tried->arguments[i][2] = copy_text(scripts[i]);
        tried->commands[i].arguments = tried->arguments[i];
    }
    tried->heard.stream = open_memstream(&tried->heard.text, &tried->heard.bytes);
    const struct engine_listener listener = {
        .on_output = hear_output, .on_error = hear_error, .on_end = hear_end, .context = &tried->heard};
    cr_assert_eq(engine_run_begin(tried->commands, count, most_at_once, environ, &listener, &tried->run, &reason), 0,
                 "%s", reason.text);
}

static const char *end(struct tried *tried)
{
    engine_run_end(tried->run);
    fflush(tried->heard.stream);
    return tried->heard.text;
}

static bool run_for(struct tried *tried, double seconds)
{
    const double until_s = monotonic_s() + seconds;
    while (engine_run_wait(tried->run, until_s))
        if (monotonic_s() >= until_s)
            return false;
    return true;
}

TestSuite(engine_run, .timeout = 60);

Test(engine_run, lines_errors_and_status)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"echo a; echo b >&2; printf c; exit 3"}, 1, 1);
    cr_expect(run_for(&tried, 30));
    const char *text = end(&tried);
    cr_expect_not_null(strstr(text, "out0 a\n"));
    cr_expect_not_null(strstr(text, "out0 c\n"), "the last line has no line break");
    cr_expect_not_null(strstr(text, "err0 b\n"));
    cr_expect_not_null(strstr(text, "end0 3\n"));
}

/* Numbers that are in use here, in an order that would overwrite one by the other, and one beyond the limit. */
Test(engine_run, further_outputs)
{
    struct tried tried = {.run = NULL};
    int outputs[] = {10, 11, 4, 3, 3000};
    char *script[] = {
        (char *)"/bin/bash", (char *)"-c",
        (char *)"for i in 10 11 4 3 3000; do echo $i >/proc/self/fd/$i; done; echo all; exec 10>&- 11>&-; "
                "exec 4>&- 3>&-",
        NULL};
    const struct engine_command command = {.arguments = script, .outputs = outputs, .output_count = 5};
    const struct engine_listener listener = {
        .on_output = hear_output, .on_error = hear_error, .on_end = hear_end, .context = &tried.heard};
    struct reason reason;
    tried.heard.stream = open_memstream(&tried.heard.text, &tried.heard.bytes);
    cr_assert_eq(engine_run_begin(&command, 1, 1, environ, &listener, &tried.run, &reason), 0, "%s", reason.text);
    cr_expect(run_for(&tried, 30));
    const char *text = end(&tried);
    static const char *const lines[] = {"out0 10\n",   "out0 11\n",  "out0 4\n", "out0 3\n",
                                        "out0 3000\n", "out0 all\n", "end0 0\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        cr_expect_not_null(strstr(text, lines[i]), "%s in %s", lines[i], text);
    cr_expect_eq(tried.heard.lines, sizeof lines / sizeof *lines);
}

Test(engine_run, not_more_at_once)
{
    struct tried tried;
    char mark[] = "/tmp/mpilens-engine.XXXXXX";
    cr_assert_not_null(mkdtemp(mark));
    /* Each fails where another runs. */
    char *script = format_text("mkdir %s/x && echo alone; i=0; while [ $i -lt 2000 ]; do i=$((i+1)); done; rmdir %s/x",
                               mark, mark);
    begin(&tried, (const char *const[]){script, script, script}, 3, 1);
    cr_expect(run_for(&tried, 30));
    cr_expect_str_eq(end(&tried), "out0 alone\nend0 0\nout1 alone\nend1 0\nout2 alone\nend2 0\n");
    free(script);
    rmdir(mark);
}

Test(engine_run, input_reaches_all_when_it_is_said)
{
    struct tried tried;
    const char *script = "echo ready; read line && echo got $line; read line || echo end";
    begin(&tried, (const char *const[]){script, script}, 2, 1); /* the second one starts later */
    cr_expect_not(run_for(&tried, 0.3), "both wait");
    cr_expect_eq(tried.heard.lines, 1);
    engine_run_say(tried.run, "go\n", 3);
    engine_run_say_no_more(tried.run);
    cr_expect(run_for(&tried, 30));
    cr_expect_str_eq(end(&tried),
                     "out0 ready\nout0 got go\nout0 end\nend0 0\nout1 ready\nout1 got go\nout1 end\nend1 0\n");
}

Test(engine_run, much_input)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"wc -c", "exit 0"}, 2, 2);
    const size_t bytes = 3 << 20;
    char *text = allocate(bytes);
    memset(text, 'x', bytes);
    engine_run_say(tried.run, text, bytes);
    engine_run_say_no_more(tried.run);
    cr_expect(run_for(&tried, 30));
    cr_expect_not_null(strstr(end(&tried), "out0 3145728\n"));
    free(text);
}

Test(engine_run, that_is_no_program)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"exit 0"}, 1, 1);
    cr_expect(run_for(&tried, 30));
    end(&tried);
    static char name[] = "/nowhere/srun";
    char *arguments[] = {name, NULL};
    const struct engine_command command = {.arguments = arguments};
    struct heard heard = {.lines = 0};
    struct reason reason;
    heard.stream = open_memstream(&heard.text, &heard.bytes);
    const struct engine_listener listener = {
        .on_output = hear_output, .on_error = hear_error, .on_end = hear_end, .context = &heard};
    cr_assert_eq(engine_run_begin(&command, 1, 1, environ, &listener, &tried.run, &reason), 0);
    cr_expect(run_for(&tried, 30));
    engine_run_end(tried.run);
    fflush(heard.stream);
    cr_expect_str_eq(heard.text, "err0 /nowhere/srun: No such file or directory\nend0 127\n");
}

static bool is_there(pid_t pid)
{
    return kill(pid, 0) == 0 || errno != ESRCH;
}

/* The pid that it has written, of a process that it has started and left. */
static pid_t said_pid(const char *text)
{
    const char *line = strstr(text, "child ");
    return line != NULL ? (pid_t)atol(line + strlen("child ")) : 0;
}

static void expect_gone(pid_t pid)
{
    cr_assert_gt(pid, 1);
    for (int i = 0; i < 5000 && is_there(pid); i++)
        usleep(1000); /* until init has waited for it */
    cr_expect_not(is_there(pid));
}

Test(engine_run, silent_and_deaf_to_signals_it_is_ended_with_what_it_has_started)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"trap '' TERM; sleep 1000 & echo child $!; wait; sleep 1000"}, 1, 1);
    cr_expect_not(run_for(&tried, 0.5));
    const double began_s = monotonic_s();
    const char *text = end(&tried);
    cr_expect_lt(monotonic_s() - began_s, 20);
    expect_gone(said_pid(text));
}

Test(engine_run, what_it_leaves_behind_ends_with_it)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"sleep 1000 & echo child $!"}, 1, 1);
    cr_expect(run_for(&tried, 30), "its own end counts, though the pipe is still open");
    expect_gone(said_pid(end(&tried)));
}

Test(engine_run, flood)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"yes", "yes >&2", "cat /dev/zero", "echo quiet"}, 4, 4);
    cr_expect_not(run_for(&tried, 1));
    const char *text = end(&tried);
    cr_expect_not_null(strstr(text, "out3 quiet\n"), "the loud ones keep nobody from being heard");
    cr_expect_gt(tried.heard.lines, 100);
}

Test(engine_run, long_lines_are_left_out)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"head -c 100000 /dev/zero | tr '\\0' x; echo; echo short; printf 'cr\\r\\n'"},
          1, 1);
    cr_expect(run_for(&tried, 30));
    cr_expect_str_eq(end(&tried), "out0 short\nout0 cr\nend0 0\n");
}

Test(engine_run, has_no_terminal)
{
    struct tried tried;
    begin(&tried, (const char *const[]){"if (: </dev/tty) 2>/dev/null; then echo terminal; else echo none; fi"}, 1, 1);
    cr_expect(run_for(&tried, 30));
    cr_expect_str_eq(end(&tried), "out0 none\nend0 0\n");
}

enum { ENDING_COUNT = 4, MOST_RUNNER_SECONDS = 50 };
static const int ending[ENDING_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};

/* The child runs an engine; returns its number after it has said what its engine has started. */
static pid_t start_runner(pid_t *ret_engine)
{
    int said[2];
    cr_assert_eq(pipe(said), 0);
    const pid_t runner = fork();
    if (runner == 0) {
        struct tried tried;
        alarm(MOST_RUNNER_SECONDS);
        for (size_t i = 0; i < ENDING_COUNT; i++)
            signal(ending[i], SIG_DFL); /* in the background they may be ignored */
        begin(&tried, (const char *const[]){"trap '' HUP INT; echo child $$; read line"}, 1, 1);
        while (tried.heard.lines == 0 && engine_run_wait(tried.run, monotonic_s() + 30))
            continue;
        fflush(tried.heard.stream);
        const pid_t engine = said_pid(tried.heard.text);
        if (write(said[1], &engine, sizeof engine) != sizeof engine)
            _exit(1);
        while (engine_run_wait(tried.run, monotonic_s() + 30))
            continue;
        end(&tried);
        _exit(2);
    }
    close(said[1]);
    cr_assert_eq(read(said[0], ret_engine, sizeof *ret_engine), (ssize_t)sizeof *ret_engine);
    close(said[0]);
    return runner;
}

Test(engine_run, ends_with_the_signal_that_ends_this_process)
{
    for (size_t i = 0; i < ENDING_COUNT; i++) {
        pid_t engine;
        int status;
        const pid_t runner = start_runner(&engine);
        kill(runner, ending[i]);
        cr_assert_eq(waitpid(runner, &status, 0), runner);
        cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == ending[i], "signal %d: status %x", ending[i],
                  (unsigned)status);
        expect_gone(engine);
    }
}

Test(engine_run, answers)
{
    static char shell[] = "/bin/sh", option[] = "-c", good[] = "echo a; echo b >&2; echo c", bad[] = "echo a; exit 1",
                slow[] = "echo a; sleep 1000", loud[] = "yes";
    char *const said[] = {shell, option, good, NULL};
    char *text = engine_ask(said, 30);
    cr_assert_not_null(text);
    cr_expect_str_eq(text, "a\nc\n");
    free(text);
    char *const failed[] = {shell, option, bad, NULL};
    cr_expect_null(engine_ask(failed, 30));
    char *const late[] = {shell, option, slow, NULL};
    cr_expect_null(engine_ask(late, 0.2));
    char *const flood[] = {shell, option, loud, NULL};
    cr_expect_null(engine_ask(flood, 0.5));
}
