/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Follows members, elements and pointers of a variable.
 */
#include "variable/variable_internal.h"

#include <dwarf.h>
#include <string.h>
#include <strings.h>

/* Types of types, and structs in structs. */
enum { MOST_DEPTH = 16 };

bool place_type_of(Dwarf_Die *die, Dwarf_Die *ret_type)
{
    Dwarf_Attribute attribute;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), ret_type) != NULL;
}

bool program_place_of(const struct location_context *context, Dwarf_Die *variable, bool is_fortran,
                      struct program_place *ret_place)
{
    struct program_place place = {.context = *context, .is_fortran = is_fortran};
    if (!place_type_of(variable, &place.type) || !location_evaluate(context, variable, DW_AT_location, &place.location))
        return false;
    place.context.frame = NULL;
    place.context.function = NULL;
    *ret_place = place;
    return true;
}

bool place_peel(Dwarf_Die *type, Dwarf_Die *ret_type)
{
    return dwarf_peel_type(type, ret_type) == 0;
}

bool place_is_pointer(Dwarf_Die *type)
{
    const int tag = dwarf_tag(type);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

bool place_read_integer(const struct program_place *place, size_t bytes, uint64_t *ret_value)
{
    uint64_t value = 0;
    if (bytes == 0 || bytes > sizeof value || target_is_other_byte_order(place->context.target))
        return false;
    if (place->location.is_value)
        value = bytes == sizeof value ? place->location.number : place->location.number & ((1ull << 8 * bytes) - 1);
    else if (target_read(place->context.target, place->location.number, &value, bytes) != 0)
        return false;
    *ret_value = value;
    return true;
}

bool place_dereference(struct program_place *place)
{
    Dwarf_Die type;
    uint64_t address;
    if (!place_peel(&place->type, &type) || !place_is_pointer(&type) || !place_type_of(&type, &place->type) ||
        !place_read_integer(place, (size_t)target_pointer_bytes(place->context.target), &address) || address == 0)
        return false;
    place->location = (struct location){.number = address};
    return true;
}

/* Dummy arguments of Fortran and references are pointers that nobody writes. */
static void skip_references(struct program_place *place)
{
    for (int i = 0; i < MOST_DEPTH; i++) {
        Dwarf_Die type, behind;
        if (!place_peel(&place->type, &type) || !place_is_pointer(&type))
            return;
        const bool is_hidden = dwarf_tag(&type) != DW_TAG_pointer_type || place->is_fortran;
        if (!is_hidden || !place_type_of(&type, &behind) || !place_dereference(place))
            return;
    }
}

static bool same_name(const struct program_place *place, const char *left, const char *right)
{
    return left != NULL && (place->is_fortran ? strcasecmp(left, right) : strcmp(left, right)) == 0;
}

static bool find_member(struct program_place *place, Dwarf_Die *structure, const char *name, int depth)
{
    Dwarf_Die child;
    if (depth == 0 || dwarf_child(structure, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance)
            continue;
        struct location offset = {.number = 0};
        Dwarf_Die type, inner;
        const char *member = dwarf_diename(&child);
        location_evaluate(&place->context, &child, DW_AT_data_member_location, &offset);
        if (!place_type_of(&child, &type))
            continue;
        if (same_name(place, member, name)) {
            place->location.number += offset.number;
            place->type = type;
            return true;
        }
        if ((member == NULL || tag == DW_TAG_inheritance) && place_peel(&type, &inner) &&
            find_member(place, &inner, name, depth - 1)) {
            place->location.number += offset.number;
            return true;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static int follow_member(struct program_place *place, const char *name, struct reason *ret_reason)
{
    Dwarf_Die type;
    if (!place_peel(&place->type, &type))
        return reason_set(ret_reason, "the type of what has %s is not known", name);
    if (place_is_pointer(&type) && (!place_dereference(place) || !place_peel(&place->type, &type)))
        return reason_set(ret_reason, "the pointer to what has %s points nowhere", name);
    const int tag = dwarf_tag(&type);
    if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type && tag != DW_TAG_union_type)
        return reason_set(ret_reason, "'%s' is asked of something that is not a struct", name);
    if (place->location.is_value || !find_member(place, &type, name, MOST_DEPTH))
        return reason_set(ret_reason, "the struct has no member %s that can be read", name);
    skip_references(place);
    return 0;
}

/* The number that an attribute of a dimension gives. */
static bool number_of(const struct program_place *place, Dwarf_Die *die, unsigned attribute, int64_t *ret_number)
{
    struct location location;
    if (!location_evaluate(&place->context, die, attribute, &location))
        return false;
    *ret_number = (int64_t)location.number;
    return true;
}

struct dimension {
    int64_t lower, count; /* count -1: not known */
    int64_t stride;       /* bytes; 0: the size of the inner elements */
};

static size_t read_dimensions(const struct program_place *place, Dwarf_Die *array, struct dimension *dimensions)
{
    Dwarf_Die child;
    size_t count = 0;
    if (dwarf_child(array, &child) != 0)
        return 0;
    do {
        if (dwarf_tag(&child) != DW_TAG_subrange_type || count == MOST_INDICES)
            continue;
        struct dimension *dimension = &dimensions[count++];
        int64_t upper;
        *dimension = (struct dimension){.lower = place->is_fortran ? 1 : 0, .count = -1};
        number_of(place, &child, DW_AT_lower_bound, &dimension->lower);
        number_of(place, &child, DW_AT_byte_stride, &dimension->stride);
        if (number_of(place, &child, DW_AT_upper_bound, &upper) &&
            __builtin_sub_overflow(upper + 1, dimension->lower, &dimension->count))
            dimension->count = -1;
        number_of(place, &child, DW_AT_count, &dimension->count);
    } while (dwarf_siblingof(&child, &child) == 0);
    return count;
}

static int follow_array(struct program_place *place, Dwarf_Die *array, const struct program_step *step,
                        struct reason *ret_reason)
{
    struct dimension dimensions[MOST_INDICES];
    struct location data;
    Dwarf_Word bytes;
    Dwarf_Die element;
    place->context.object = place->location.number;
    if (location_evaluate(&place->context, array, DW_AT_data_location, &data))
        place->location = (struct location){.number = data.number};
    const size_t count = read_dimensions(place, array, dimensions);
    if (place->location.is_value || place->location.number == 0 || !place_type_of(array, &element) ||
        dwarf_aggregate_size(&element, &bytes) != 0)
        return reason_set(ret_reason, "the array cannot be read");
    if (step->index_count != count)
        return reason_set(ret_reason, "the array has %zu dimension%s", count, count == 1 ? "" : "s");
    int64_t stride = (int64_t)bytes, offset = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t at = place->is_fortran ? i : count - 1 - i; /* the one that runs fastest first */
        const struct dimension *dimension = &dimensions[at];
        const int64_t index = step->indices[at], place_in = index - dimension->lower;
        if (index < dimension->lower || (dimension->count >= 0 && place_in >= dimension->count))
            return reason_set(ret_reason,
                              "index %lld is outside of the array, which begins at %lld and has %lld elements",
                              (long long)index, (long long)dimension->lower, (long long)dimension->count);
        offset += place_in * (dimension->stride != 0 ? dimension->stride : stride);
        stride *= dimension->count > 0 ? dimension->count : 1;
    }
    place->location.number += (uint64_t)offset;
    place->type = element;
    return 0;
}

/* a[1][2] are two steps of the user and two dimensions of one array. */
static int follow_elements(struct program_place *place, const struct program_name *name, size_t *at,
                           struct reason *ret_reason)
{
    Dwarf_Die type;
    struct program_step step = name->steps[*at];
    if (!place_peel(&place->type, &type))
        return reason_set(ret_reason, "the type of the array is not known");
    if (place_is_pointer(&type)) {
        Dwarf_Word bytes;
        if (step.index_count != 1 || !place_dereference(place) || dwarf_aggregate_size(&place->type, &bytes) != 0)
            return reason_set(ret_reason, "the pointer has no elements that can be read");
        place->location.number += (uint64_t)step.indices[0] * bytes;
        return 0;
    }
    if (dwarf_tag(&type) != DW_TAG_array_type)
        return reason_set(ret_reason, "an element is asked of something that is not an array");
    struct dimension dimensions[MOST_INDICES];
    const size_t wanted = read_dimensions(place, &type, dimensions);
    while (step.index_count < wanted && *at + 1 < name->step_count && name->steps[*at + 1].member[0] == '\0' &&
           name->steps[*at + 1].index_count + step.index_count <= wanted) {
        ++*at;
        for (size_t i = 0; i < name->steps[*at].index_count; i++)
            step.indices[step.index_count++] = name->steps[*at].indices[i];
    }
    return follow_array(place, &type, &step, ret_reason);
}

int program_place_follow(struct program_place *place, const struct program_name *name, struct reason *ret_reason)
{
    skip_references(place);
    for (size_t i = 0; i < name->step_count; i++) {
        const int result = name->steps[i].member[0] != '\0' ? follow_member(place, name->steps[i].member, ret_reason)
                                                            : follow_elements(place, name, &i, ret_reason);
        if (result != 0)
            return result;
    }
    for (unsigned i = 0; i < name->dereferences; i++)
        if (!place_dereference(place))
            return reason_set(ret_reason, "%s is not a pointer that can be followed", name->name);
    return 0;
}
