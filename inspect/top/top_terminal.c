/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Draws on the terminal.
 */
#include "top/top.h"

#ifdef HAVE_NCURSES

#include <curses.h>
#include <locale.h>

static SCREEN *terminal;
static bool is_colored_terminal;

static void choose_colors(void)
{
    start_color();
    use_default_colors();
    init_pair(TOP_GOOD, COLOR_GREEN, -1);
    init_pair(TOP_WAITS, COLOR_YELLOW, -1);
    init_pair(TOP_COLLECTIVE, COLOR_CYAN, -1);
    init_pair(TOP_BAD, COLOR_RED, -1);
    init_pair(TOP_BLAMED, COLOR_WHITE, COLOR_RED);
}

int top_terminal_begin(bool color, struct reason *ret_reason)
{
    setlocale(LC_CTYPE, "");
    terminal = newterm(NULL, stdout, stdin);
    if (terminal == NULL)
        return reason_set(ret_reason, "the terminal cannot be used");
    set_term(terminal);
    cbreak();
    noecho();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(50);
    curs_set(0);
    is_colored_terminal = color && has_colors();
    if (is_colored_terminal)
        choose_colors();
    return 0;
}

void top_terminal_end(void)
{
    if (terminal == NULL)
        return;
    endwin();
    delscreen(terminal);
    terminal = NULL;
}

void top_terminal_size(size_t *ret_rows, size_t *ret_columns)
{
    *ret_rows = LINES > 0 ? (size_t)LINES : 0;
    *ret_columns = COLS > 0 ? (size_t)COLS : 0;
}

static attr_t attributes_of(unsigned style)
{
    static const attr_t attributes[TOP_STYLES] = {[TOP_TITLE] = A_BOLD,
                                                  [TOP_HEADING] = A_BOLD,
                                                  [TOP_BAD] = A_BOLD,
                                                  [TOP_BLAMED] = A_REVERSE,
                                                  [TOP_KEYS] = A_REVERSE};
    const unsigned kind = style & ~(unsigned)TOP_MIXED;
    const bool has_color = is_colored_terminal && kind >= TOP_GOOD && kind <= TOP_BLAMED;
    attr_t all = kind == TOP_BLAMED && has_color ? A_BOLD : attributes[kind % TOP_STYLES];
    all |= (style & TOP_MIXED) != 0 ? A_UNDERLINE : 0;
    return has_color ? all | (attr_t)COLOR_PAIR(kind) : all;
}

void top_terminal_show(const struct top_screen *screen)
{
    erase();
    for (size_t row = 0; row < screen->rows; row++) {
        move((int)row, 0);
        for (size_t i = 0; i < screen->lines[row].count; i++) {
            const struct top_span *span = &screen->lines[row].spans[i];
            attrset((int)attributes_of(span->style));
            addstr(span->text);
        }
    }
    attrset(A_NORMAL);
    refresh();
}

int top_terminal_key(void)
{
    enum { CONTROL_L = 12 };
    const int key = getch();
    switch (key) {
    case KEY_UP:
        return TOP_KEY_UP;
    case KEY_DOWN:
        return TOP_KEY_DOWN;
    case KEY_PPAGE:
        return TOP_KEY_PAGE_UP;
    case KEY_NPAGE:
        return TOP_KEY_PAGE_DOWN;
    case KEY_HOME:
        return TOP_KEY_HOME;
    case KEY_END:
        return TOP_KEY_END;
    case KEY_BACKSPACE:
    case 127:
    case '\b':
        return TOP_KEY_DELETE;
    case KEY_ENTER:
    case '\r':
        return TOP_ENTER;
    case CONTROL_L: /* something else has written there */
        clearok(curscr, TRUE);
        return TOP_KEY_NONE;
    case KEY_RESIZE:
        return TOP_KEY_NONE;
    default:
        return key == ERR ? -1 : key < 256 ? key : TOP_KEY_NONE;
    }
}

#else

int top_terminal_begin(bool color, struct reason *ret_reason)
{
    (void)color;
    return top_terminal_check(ret_reason);
}

void top_terminal_end(void) {}

void top_terminal_size(size_t *ret_rows, size_t *ret_columns)
{
    *ret_rows = *ret_columns = 0;
}

void top_terminal_show(const struct top_screen *screen)
{
    (void)screen;
}

int top_terminal_key(void)
{
    return -1;
}

#endif
