#include "program_variable.h"
int program_variable_find(struct target *target, const char *name, bool is_stopped,
                          struct program_variable *ret_variable, struct reason *ret_reason)
{
    (void)target;
    (void)is_stopped;
    (void)ret_variable;
    return reason_set(ret_reason, "there is no variable %s", name);
}
