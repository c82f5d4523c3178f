/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Finding a variable: in the frames of the main thread's stack, then among all that have an address of their own.
 */
#include "program_variable.h"

#include "allocation.h"
#include "file_name.h"
#include "program_place.h"
#include "stack_access.h"
#include "target_kinds.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* How deep blocks, modules and functions nest; longer stacks are not looked at. */
enum { MOST_DEPTH = 32, MOST_FRAMES = 512 };

struct search {
    struct target *target;
    const struct program_name *name;
    struct program_place found;
    size_t found_count;
    char place[128];  /* of the one that was found */
    char others[256]; /* where else one is */
    bool is_global;   /* the one that was found */
    bool is_without_location;
    bool is_of_another_function; /* one that is not in the stack */
    int frame;
};

static bool is_of_fortran(Dwarf_Die *unit)
{
    switch (dwarf_srclang(unit)) {
    case DW_LANG_Fortran77:
    case DW_LANG_Fortran90:
    case DW_LANG_Fortran95:
    case DW_LANG_Fortran03:
    case DW_LANG_Fortran08:
        return true;
    default:
        return false;
    }
}

static bool is_called(const char *name, const char *wanted, bool is_fortran)
{
    return name != NULL && (is_fortran ? strcasecmp(name, wanted) : strcmp(name, wanted)) == 0;
}

/* dwarf_decl_file() takes the number 0 for no file, in DWARF 5, too, where it is the first. */
static const char *declaration_file(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    Dwarf_Half version;
    Dwarf_Die unit;
    Dwarf_Files *files;
    if (dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_decl_file, &attribute), &number) != 0 ||
        dwarf_cu_info(attribute.cu, &version, NULL, &unit, NULL, NULL, NULL, NULL) != 0 ||
        (number == 0 && version < 5) || dwarf_getsrcfiles(&unit, &files, NULL) != 0)
        return NULL;
    return dwarf_filesrc(files, number, NULL, NULL);
}

/* Whether the user's scope, if there is one, is the file of the declaration or one of the names around it. */
static bool is_in_scope(const struct search *search, Dwarf_Die *variable, bool is_around, bool is_fortran)
{
    if (search->name->scope[0] == '\0' || is_around)
        return true;
    const char *file = declaration_file(variable);
    return file != NULL && is_called(file_name(file), search->name->scope, is_fortran);
}

static bool is_variable(Dwarf_Die *die)
{
    const int tag = dwarf_tag(die);
    return tag == DW_TAG_variable || tag == DW_TAG_formal_parameter;
}

/* --- the stack --- */

/* Looks at the children of one scope, and into common blocks there. */
static bool search_scope(struct search *search, const struct location_context *context, Dwarf_Die *scope,
                         bool is_around, bool is_fortran, int depth)
{
    Dwarf_Die child;
    if (depth == 0 || dwarf_child(scope, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) == DW_TAG_common_block &&
            search_scope(search, context, &child, is_around, is_fortran, depth - 1))
            return true;
        if (!is_variable(&child) || !is_called(dwarf_diename(&child), search->name->name, is_fortran) ||
            !is_in_scope(search, &child, is_around, is_fortran))
            continue;
        if (program_place_of(context, &child, is_fortran, &search->found)) {
            search->found_count = 1;
            return true;
        }
        search->is_without_location = true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool search_frame(struct search *search, Dwfl_Frame *frame)
{
    Dwarf_Addr pc, bias = 0;
    bool is_activation;
    if (!dwfl_frame_pc(frame, &pc, &is_activation))
        return false;
    pc -= is_activation ? 0 : 1;
    Dwfl_Module *module = dwfl_addrmodule(search->target->dwfl, pc);
    Dwarf_Die *unit = module != NULL ? target_find_unit(module, pc, &bias) : NULL;
    Dwarf_Die *scopes = NULL;
    const int count = unit != NULL ? dwarf_getscopes(unit, pc - bias, &scopes) : 0;
    if (count <= 0)
        return false;
    struct location_context context = {
        .target = search->target, .module = module, .bias = bias, .frame = frame, .pc = pc};
    const char *function = NULL;
    bool found = false;
    for (int i = 0; i < count && context.function == NULL; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram && dwarf_hasattr_integrate(&scopes[i], DW_AT_frame_base)) {
            context.function = &scopes[i];
            function = dwarf_diename(&scopes[i]);
        }
    const bool is_fortran = is_of_fortran(unit);
    const bool is_around = is_called(function, search->name->scope, is_fortran);
    for (int i = 0; i < count && !found;
         i++) { /* the innermost first; what is outside of functions is no local variable */
        const int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_compile_unit)
            break;
        found = search_scope(search, &context, &scopes[i], is_around, is_fortran, MOST_DEPTH);
    }
    if (found)
        snprintf(search->place, sizeof search->place, "in %s", function != NULL ? function : "a function");
    free(scopes);
    return found;
}

static int look_at_frame(Dwfl_Frame *frame, void *argument)
{
    struct search *search = argument;
    if (++search->frame > MOST_FRAMES || search_frame(search, frame))
        return DWARF_CB_ABORT;
    return DWARF_CB_OK;
}

static void search_stack(struct search *search, bool is_stopped)
{
    struct stack_access access;
    struct reason reason;
    if (search->target->pid == 0 || stack_access_begin(search->target, is_stopped, &access, &reason) != 0)
        return; /* variables with an address of their own can be read all the same */
    stack_access_walk(&access, search->target->pid, look_at_frame, search);
    stack_access_end(&access);
}

/* --- variables with an address of their own --- */

/* Whether it is there only while its function runs. */
static bool is_of_a_frame(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (dwarf_attr_integrate(variable, DW_AT_location, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count == 0)
        return true; /* a list of places by program counter */
    const unsigned atom = operations[0].atom;
    return atom == DW_OP_fbreg || (atom >= DW_OP_reg0 && atom <= DW_OP_bregx);
}

static void note(struct search *search, const struct location_context *context, Dwarf_Die *variable, bool is_fortran)
{
    struct program_place place;
    int line = 0;
    if (!program_place_of(context, variable, is_fortran, &place)) {
        if (is_of_a_frame(variable))
            search->is_of_another_function = true;
        else
            search->is_without_location = true;
        return;
    }
    const bool is_global = dwarf_hasattr_integrate(variable, DW_AT_external);
    if (place.location.is_value || (search->found_count > 0 && place.location.number == search->found.location.number))
        return;
    const char *file = declaration_file(variable);
    dwarf_decl_line(variable, &line);
    const size_t length = strlen(search->others);
    snprintf(search->others + length, sizeof search->others - length, "%s%s:%d", length > 0 ? ", " : "",
             file != NULL ? file_name(file) : "?", line);
    if (search->found_count > 0 && search->is_global && !is_global)
        return; /* a static one of some file does not hide the global one */
    if (search->found_count > 0 && is_global && !search->is_global)
        search->found_count = 0;
    search->found_count++;
    search->found = place;
    search->is_global = is_global;
    snprintf(search->place, sizeof search->place, "declared at %s:%d", file != NULL ? file_name(file) : "?", line);
}

static void search_tree(struct search *search, const struct location_context *context, Dwarf_Die *parent,
                        bool is_around, bool is_fortran, int depth)
{
    Dwarf_Die child;
    if (depth == 0 || dwarf_child(parent, &child) != 0)
        return;
    do {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (is_called(dwarf_diename(&child), search->name->name, is_fortran) &&
                is_in_scope(search, &child, is_around, is_fortran) && dwarf_hasattr_integrate(&child, DW_AT_location))
                note(search, context, &child, is_fortran);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_module:
        case DW_TAG_namespace:
        case DW_TAG_common_block:
            search_tree(search, context, &child,
                        is_around || is_called(dwarf_diename(&child), search->name->scope, is_fortran), is_fortran,
                        depth - 1);
            break;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
}

static int search_module(Dwfl_Module *module, void **user_data, const char *name, Dwarf_Addr start, void *argument)
{
    struct search *search = argument;
    Dwarf_Addr bias = 0;
    (void)user_data;
    (void)start;
    if (strncmp(file_name(name), "libmpilens-", strlen("libmpilens-")) == 0 ||
        dwfl_module_getdwarf(module, &bias) == NULL)
        return DWARF_CB_OK;
    for (Dwarf_Die *unit = dwfl_module_nextcu(module, NULL, &bias); unit != NULL;
         unit = dwfl_module_nextcu(module, unit, &bias)) {
        const struct location_context context = {.target = search->target, .module = module, .bias = bias};
        search_tree(search, &context, unit, false, is_of_fortran(unit), MOST_DEPTH);
    }
    return DWARF_CB_OK;
}

int program_variable_find(struct target *target, const char *text, bool is_stopped,
                          struct program_variable *ret_variable, struct reason *ret_reason)
{
    struct program_name name;
    if (target->dwfl == NULL)
        return reason_set(ret_reason,
                          "a snapshot has no variables of the program: give the value of the handle, or ask "
                          "the process or a core file");
    if (program_name_parse(text, &name, ret_reason) != 0)
        return -1;
    struct search search = {.target = target, .name = &name};
    search_stack(&search, is_stopped);
    if (search.found_count == 0)
        dwfl_getmodules(target->dwfl, search_module, &search, 0);
    if (search.found_count > 1)
        return reason_set(ret_reason, "there are several variables %s, name the file or function too: FILE::%s (%s)",
                          name.name, name.name, search.others);
    if (search.found_count == 0 && search.is_without_location)
        return reason_set(
            ret_reason,
            "the variable %s was optimized away here or stands where it cannot be read: give its kind and "
            "value, or compile with -O0",
            name.name);
    if (search.found_count == 0 && search.is_of_another_function)
        return reason_set(ret_reason,
                          "there is no variable %s in the functions of the main thread's stack, but in others: they "
                          "have not been called now",
                          name.name);
    if (search.found_count == 0)
        return reason_set(ret_reason,
                          "there is no predefined handle and no variable %s in the stack or among the global ones: is "
                          "the program compiled with -g?",
                          name.name);
    if (program_place_follow(&search.found, &name, ret_reason) != 0 ||
        program_place_read(&search.found, text, ret_variable, ret_reason) != 0)
        return -1;
    snprintf(ret_variable->place, sizeof ret_variable->place, "%s", search.place);
    return 0;
}
