/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Has the terminal while another process reads the job: whatever becomes of that one, the terminal is given back.
 */
#include "top/top_internal.h"

#include "engine/engine.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Facts of more bytes are broken; more bytes of messages are not kept. */
enum { MOST_FACTS = 1 << 28, MOST_MESSAGES = 1 << 16 };

/* Readings that take less time are not mentioned. */
static const double least_wait_s = 3;

struct screen {
    const struct top_plan *plan;
    struct top_view view;
    struct top_facts facts;
    struct arena arena;      /* of the facts */
    bool has_facts, is_over; /* none so far; no more will come */
    double shown_s;          /* when these came */
    char *bytes;             /* of the next ones */
    size_t byte_count;
    char *messages;
    size_t message_count;
    struct top_command command;
    bool is_snapshot; /* the command writes one */
};

static volatile sig_atomic_t asked; /* the signal that asks to end; 0: none */

static void note_signal(int number)
{
    asked = number;
}

static void listen_to_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    const struct sigaction action = {.sa_handler = note_signal}; /* poll() returns */
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaction(ending[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* Takes what has come. False: the other end is closed. */
static bool take(int file, char **bytes, size_t *count)
{
    char part[65536];
    const ssize_t got = read(file, part, sizeof part);
    if (got <= 0)
        return got < 0 && (errno == EAGAIN || errno == EINTR);
    const size_t before = *count;
    *bytes = array_extend(*bytes, count, (size_t)got, 1);
    memcpy(*bytes + before, part, (size_t)got);
    return true;
}

/* The last facts that are whole count. False: these bytes are none. */
static bool take_facts(struct screen *screen)
{
    uint64_t length;
    while (screen->byte_count >= sizeof length) {
        memcpy(&length, screen->bytes, sizeof length);
        if (length > MOST_FACTS)
            return false;
        const size_t all = sizeof length + (size_t)length;
        if (screen->byte_count < all)
            return true;
        struct arena arena = {0};
        struct arena *outer = arena_use(&arena);
        const int result = top_facts_read(screen->bytes + sizeof length, (size_t)length, &screen->facts);
        arena_use(outer);
        if (result != 0)
            return false;
        arena_clear(&screen->arena); /* of the facts before */
        screen->arena = arena;
        screen->has_facts = true;
        screen->shown_s = monotonic_s();
        memmove(screen->bytes, screen->bytes + all, screen->byte_count - all);
        screen->byte_count -= all;
    }
    return true;
}

static void draw(struct screen *screen)
{
    size_t rows, columns;
    const double waited_s = monotonic_s() - screen->shown_s;
    if (!screen->has_facts)
        return;
    top_terminal_size(&rows, &columns);
    const struct arena_mark mark = arena_mark();
    struct top_screen drawn = top_draw(
        &screen->facts, &screen->view,
        waited_s > screen->plan->interval_s + least_wait_s && !screen->plan->is_constant ? waited_s : 0, rows, columns);
    top_terminal_show(&drawn);
    arena_release(mark);
}

/* `rank`: of --rank; NULL: of all. */
static void run(struct screen *screen, const char *verb, const char *option, const char *rank)
{
    struct engine_words words = {0};
    size_t rows, columns;
    if (screen->is_snapshot && screen->command.pid > 0) {
        top_view_set_note(&screen->view, "the snapshot is still being written");
        return;
    }
    engine_words_add(&words, "mpilens");
    engine_words_add(&words, "%s", verb);
    if (option != NULL)
        engine_words_add(&words, "%s", option);
    if (rank != NULL && rank[0] != '\0')
        engine_words_add(&words, "--rank=%s", rank);
    for (size_t i = 0; screen->plan->target[i] != NULL; i++)
        engine_words_add(&words, "%s", screen->plan->target[i]);
    top_terminal_size(&rows, &columns);
    screen->is_snapshot = strcmp(verb, "snapshot") == 0;
    const int started = top_command_start(&screen->command, (const char *const *)words.items, rows, columns);
    if (started != 0) {
        top_view_set_note(&screen->view, "no further process can be started");
    } else if (screen->is_snapshot) {
        top_view_set_note(&screen->view, "writing all that can be read ...");
    } else {
        char *title = format_text("mpilens %s%s%s%s%s", verb, option != NULL ? " " : "", option != NULL ? option : "",
                                  rank != NULL && rank[0] != '\0' ? " --rank " : "", rank != NULL ? rank : "");
        top_view_open_page(&screen->view, title, NULL);
        free(title);
    }
}

static void take_page(struct screen *screen)
{
    char *text;
    if (!top_command_take(&screen->command, &text))
        return;
    if (screen->is_snapshot) {
        text[strcspn(text, "\n")] = '\0';
        top_view_set_note(&screen->view, text);
        free(text);
    } else if (screen->view.has_page && screen->view.page == NULL) {
        screen->view.page = text;
    } else {
        free(text); /* nobody waits for it any more */
    }
}

/* Whether the user has had enough. */
static bool take_keys(struct screen *screen)
{
    int key;
    while ((key = top_terminal_key()) >= 0) {
        switch (top_view_take(&screen->view, key)) {
        case TOP_QUIT:
            return true;
        case TOP_SHOW_RANK:
            run(screen, "show", NULL, screen->view.input);
            break;
        case TOP_SHOW_STACK:
            run(screen, "show", "--stack", screen->view.input);
            break;
        case TOP_SHOW_VERDICT:
            run(screen, "why", NULL, NULL);
            break;
        case TOP_SNAPSHOT:
            run(screen, "snapshot", NULL, NULL);
            break;
        case TOP_FILTER:
            if (write(screen->plan->filter, screen->view.input, sizeof screen->view.input) < 0)
                top_view_set_note(&screen->view, "the process that reads the job has ended");
            break;
        case TOP_NOTHING:
            break;
        }
    }
    return false;
}

static void wait_for_events(struct screen *screen)
{
    enum { INPUT, FACTS, MESSAGES, PAGE };
    static const int most_ms = 1000; /* the time that is shown goes on */
    struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                             {.fd = screen->is_over ? -1 : screen->plan->facts, .events = POLLIN},
                             {.fd = screen->plan->messages, .events = POLLIN},
                             {.fd = screen->command.pid > 0 ? screen->command.output : -1, .events = POLLIN}};
    if (poll(files, sizeof files / sizeof *files, most_ms) <= 0)
        return;
    if ((files[INPUT].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0)
        asked = SIGHUP;
    if (files[FACTS].revents != 0)
        screen->is_over = !take(screen->plan->facts, &screen->bytes, &screen->byte_count);
    if (!take_facts(screen)) {
        kill(screen->plan->reader, SIGTERM);
        screen->is_over = true;
    }
    if ((files[MESSAGES].revents & POLLIN) != 0)
        take(screen->plan->messages, &screen->messages, &screen->message_count);
    if (screen->message_count > MOST_MESSAGES)
        screen->message_count = MOST_MESSAGES;
    if (files[PAGE].revents != 0)
        take_page(screen);
}

static void print_messages(const struct screen *screen)
{
    char *text = format_text("%.*s", (int)screen->message_count, screen->messages != NULL ? screen->messages : "");
    char *rest = text;
    for (const char *line; (line = strsep(&rest, "\n")) != NULL;)
        if (line[0] != '\0')
            print_line(stderr, "%s", line);
    free(text);
}

/* Ends the reader, and says how it has ended. */
static enum exit_status end_reader(struct screen *screen)
{
    int status = 0;
    if (!screen->is_over)
        kill(screen->plan->reader, SIGTERM);
    while (waitpid(screen->plan->reader, &status, 0) < 0 && errno == EINTR)
        continue;
    if (!screen->is_over)
        return EXIT_GOOD;
    for (size_t before = SIZE_MAX; before != screen->message_count && screen->message_count < MOST_MESSAGES;) {
        before = screen->message_count;
        take(screen->plan->messages, &screen->messages, &screen->message_count);
    }
    if (screen->has_facts)
        top_text_write(stdout, &screen->facts);
    print_messages(screen);
    if (WIFSIGNALED(status))
        print_line(stderr, "mpilens: the process that reads the job was ended by signal %d (%s)", WTERMSIG(status),
                   strsignal(WTERMSIG(status)));
    return WIFEXITED(status) ? (enum exit_status)WEXITSTATUS(status) : EXIT_UNREADABLE;
}

enum exit_status top_screen_run(const struct top_plan *plan)
{
    struct screen screen = {.plan = plan, .shown_s = monotonic_s()};
    struct reason reason;
    bool has_enough = false;
    listen_to_signals();
    if (top_terminal_begin(plan->color, &reason) != 0) {
        print_reason(stderr, &reason);
        kill(plan->reader, SIGTERM);
        return EXIT_UNREADABLE;
    }
    setenv("TERM", "dumb", 1); /* of the commands that are started */
    setenv("NO_COLOR", "1", 1);
    setenv("MPILENS_PAGER", "", 1);
    fcntl(plan->messages, F_SETFL, O_NONBLOCK);
    while (!has_enough && !screen.is_over && asked == 0) {
        draw(&screen);
        wait_for_events(&screen);
        has_enough = take_keys(&screen);
    }
    top_terminal_end();
    top_command_end(&screen.command);
    const enum exit_status status = end_reader(&screen);
    arena_clear(&screen.arena);
    top_view_clear(&screen.view);
    free(screen.bytes);
    free(screen.messages);
    if (asked == SIGTERM || asked == SIGHUP) { /* as its parent expects */
        signal(asked, SIG_DFL);
        raise(asked);
    }
    return status;
}
