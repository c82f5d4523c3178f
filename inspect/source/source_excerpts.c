/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Chooses places of findings, and gets their lines.
 */
#include "source/source.h"

#include "base/base.h"
#include "debug/debug.h"
#include "python/python.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

/* Places of one finding. */
enum { MOST_PLACES = 4 };

/* The start of a job is known to a second, by a clock that is set now and then. */
enum { START_TOLERANCE_S = 2 };

struct view_file {
    const char *path; /* as the compiler was given it */
    struct source_file file;
    bool is_noted; /* the verdict has said why it is not shown */
};

struct source_view {
    const struct job *job;
    const struct source_options *options;
    struct view_file *files;
    size_t file_count;
    struct rank_texts shown; /* places */
    bool is_silent;          /* a file system has not answered: no other file is asked for */
    bool has_told;           /* of --source */
};

struct source_view *source_view_begin(const struct job *job, const struct source_options *options)
{
    struct source_view *view = arena_allocate(sizeof *view);
    *view = (struct source_view){.job = job, .options = options};
    return view;
}

/* --- which places --- */

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static bool is_of_library(const struct site *site)
{
    const struct python_frame frame = {.path = site->path};
    return (site->module != NULL && (is_system_module(site->module) || is_interpreter_module(site->module) ||
                                     is_binding_module(site->module))) ||
           is_system_function(site->function) || begins_with(site->path, "/usr/include/") ||
           begins_with(site->path, "/usr/lib") || python_is_of_library(&frame);
}

static bool have_common(const struct ranks *some, const struct ranks *others)
{
    const struct ranks *few = some->count < others->count ? some : others, *many = few == some ? others : some;
    for (size_t i = 0; i < few->count; i++)
        if (ranks_has(many, few->items[i]))
            return true;
    return false;
}

static bool are_same(const struct ranks *some, const struct ranks *others)
{
    return some->count == others->count &&
           (some->count == 0 || memcmp(some->items, others->items, some->count * sizeof *some->items) == 0);
}

struct chosen_place {
    const struct evidence *evidence;
    struct ranks merged;
};

struct chosen_places {
    struct chosen_place items[MOST_PLACES];
    size_t count;
};

static bool is_at(const struct evidence *evidence, const struct site *site)
{
    return evidence->place.site.line == site->line && strcmp(evidence->place.site.path, site->path) == 0;
}

bool source_has_line(const struct evidence *evidence)
{
    const struct site *site = &evidence->place.site;
    return site->line > 0 && site->path != NULL && site->path[0] != '<' && !is_of_library(site);
}

const struct evidence *source_main_evidence(const struct finding *finding)
{
    const struct evidence *other = NULL;
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        if (!source_has_line(evidence))
            continue;
        if (have_common(&evidence->ranks, &finding->culprits))
            return evidence;
        other = other != NULL ? other : evidence;
    }
    return other;
}

static const char *key_of(const struct site *site)
{
    return arena_text("%d %s", site->line, site->path);
}

/* Mostly the ranks are the same: thousands are not copied for that. */
static void merge(struct chosen_place *place, const struct evidence *evidence)
{
    if (are_same(&place->evidence->ranks, &evidence->ranks))
        return;
    if (place->merged.count == 0)
        ranks_add_all(&place->merged, &place->evidence->ranks);
    ranks_add_all(&place->merged, &evidence->ranks);
}

static void choose(struct source_view *view, const struct evidence *evidence, struct chosen_places *chosen)
{
    for (size_t i = 0; i < chosen->count; i++)
        if (is_at(chosen->items[i].evidence, &evidence->place.site)) {
            merge(&chosen->items[i], evidence);
            return;
        }
    const char *key = key_of(&evidence->place.site);
    if (chosen->count == MOST_PLACES || rank_texts_find(&view->shown, key) < view->shown.count)
        return;
    chosen->items[chosen->count++] = (struct chosen_place){.evidence = evidence};
}

static void choose_all(struct source_view *view, const struct finding *finding, struct chosen_places *chosen)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < finding->evidence.count; i++) {
            const struct evidence *evidence = &finding->evidence.items[i];
            if (source_has_line(evidence) && have_common(&evidence->ranks, &finding->culprits) == (pass == 0))
                choose(view, evidence, chosen);
        }
    for (size_t i = 0; i < chosen->count; i++) {
        ranks_finish(&chosen->items[i].merged);
        rank_texts_add(&view->shown, key_of(&chosen->items[i].evidence->place.site));
    }
}

/* --- their files --- */

static struct source_file read_file(const struct source_view *view, const struct site *site,
                                    const struct process *process)
{
    const bool is_python = site->module != NULL && strcmp(site->module, site->path) == 0;
    const bool lives = process != NULL && process->target != NULL && target_is_live(process->target);
    const struct source_query query = {
        .path = site->path,
        .root = lives ? arena_text("/proc/%ld/root", (long)process->pid) : NULL,
        .module = is_python ? NULL : site->module,
        .directories = view->options->directories,
        .directory_count = view->options->directory_count,
        .user = lives ? target_user(process->target) : 0,
        .is_by_root = geteuid() == 0,
    };
    if (view->is_silent)
        return (struct source_file){.state = SOURCE_SILENT, .path = arena_copy(site->path)};
    return source_file_read(&query);
}

static struct view_file *find_file(struct source_view *view, const struct site *site, const struct process *process)
{
    for (size_t i = 0; i < view->file_count; i++)
        if (strcmp(view->files[i].path, site->path) == 0)
            return &view->files[i];
    view->files = arena_append(view->files, &view->file_count, sizeof *view->files);
    struct view_file *file = &view->files[view->file_count - 1];
    *file = (struct view_file){.path = arena_copy(site->path), .file = read_file(view, site, process)};
    view->is_silent = view->is_silent || file->file.state == SOURCE_SILENT;
    return file;
}

/* Without the current directory. */
static const char *shorten(const char *path)
{
    char here[PATH_MAX];
    const size_t length = getcwd(here, sizeof here) != NULL ? strlen(here) : 0;
    return length > 1 && strncmp(path, here, length) == 0 && path[length] == '/' ? path + length + 1 : path;
}

/* --- what is not shown --- */

static bool is_later(const struct timespec *time, const struct timespec *other)
{
    return time->tv_sec != other->tv_sec ? time->tv_sec > other->tv_sec : time->tv_nsec > other->tv_nsec;
}

/* NULL: the file is as it was when the program was made, as far as times tell. */
static const char *describe_change(const struct source_view *view, const struct source_file *file,
                                   const struct site *site, const struct process *process)
{
    const char *name = shorten(file->path);
    const int64_t started = view->job->started, taken = view->job->snapshot_taken;
    const double read_s = process != NULL && process->ages_end_s > 0 ? process->ages_end_s : (double)taken;
    const double changed_s = (double)file->changed.tv_sec;
    if (file->is_of_directory)
        return NULL;
    if (file->built.tv_sec > 0 && is_later(&file->changed, &file->built))
        return arena_text("%s has changed since %s was built", name, file_name(site->module));
    if (started > 0 && changed_s > (double)started + START_TOLERANCE_S)
        return arena_text("%s has changed since the job was started", name);
    if (read_s > 0 && changed_s > read_s + START_TOLERANCE_S)
        return arena_text("%s has changed since the job was read", name);
    return NULL;
}

static const char *describe_lack(struct source_view *view, const struct source_file *file)
{
    const char *name = shorten(file->path);
    switch (file->state) {
    case SOURCE_MISSING:
        if (view->has_told)
            return arena_text("%s is not here", name);
        view->has_told = true;
        return arena_text("%s is not here: --source DIR looks for it in DIR", name);
    case SOURCE_UNREADABLE:
        return file->error == 0 ? arena_text("%s is no regular file, and is not opened", name)
                                : arena_text("%s: %s", name, strerror(file->error));
    case SOURCE_WITHHELD:
        return arena_text("%s is not shown: not everybody may read it, and debug information can name any file", name);
    case SOURCE_SILENT:
        return arena_text("%s: its file system does not answer", name);
    default:
        return NULL;
    }
}

static void add(struct source_excerpts *excerpts, struct source_excerpt excerpt)
{
    excerpts->items = arena_append(excerpts->items, &excerpts->count, sizeof *excerpts->items);
    excerpts->items[excerpts->count - 1] = excerpt;
}

/* Takes the merged ranks. */
static void show(struct source_view *view, const struct chosen_place *place, int before, int after,
                 struct source_excerpts *excerpts)
{
    const struct site *site = &place->evidence->place.site;
    const int rank = ranks_first(&place->evidence->ranks);
    const struct process *process = rank >= 0 ? find_process(view->job, rank) : NULL;
    struct view_file *file = find_file(view, site, process);
    const char *called = site->called != NULL ? site->called : place->evidence->place.called;
    const char *note = describe_lack(view, &file->file);
    struct source_excerpt excerpt = {.evidence = place->evidence, .merged = place->merged};
    if (note == NULL)
        note = describe_change(view, &file->file, site, process);
    const char *path = shorten(file->file.path);
    const bool is_noted = file->is_noted;
    file->is_noted = note != NULL;
    if (note == NULL &&
        !source_lines_take(file->file.text, file->file.bytes, site->line, before, after, called, &excerpt.lines))
        note = file->file.is_cut ? arena_text("%s is too long: only its first 4 MB are read", path)
                                 : arena_text("%s has no line %d", path, site->line);
    excerpt.note = note;
    excerpt.place = arena_text("%s:%d", path, site->line);
    if (note == NULL || !is_noted)
        add(excerpts, excerpt);
}

const struct ranks *source_excerpt_ranks(const struct source_excerpt *excerpt)
{
    return excerpt->merged.count > 0 ? &excerpt->merged : &excerpt->evidence->ranks;
}

struct source_excerpts source_view_take(struct source_view *view, const struct finding *finding, int before, int after)
{
    struct source_excerpts excerpts = {.count = 0};
    struct chosen_places chosen = {.count = 0};
    if (view->options->is_off)
        return excerpts;
    choose_all(view, finding, &chosen);
    for (size_t i = 0; i < chosen.count; i++)
        show(view, &chosen.items[i], before, after, &excerpts);
    return excerpts;
}
