/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Writes the facts of an object's summary in words.
 */
#include "facts/facts.h"

#include "mpilens/words.h"

struct sentence sentence_begin(char *buffer, size_t bytes, const char *kind, const char *name, uint64_t handle)
{
    struct sentence sentence = {.text = text_begin(buffer, bytes), .begin = buffer};
    text_add(&sentence.text, kind);
    text_add(&sentence.text, " ");
    if (name[0] != '\0') {
        text_add(&sentence.text, name);
        text_add(&sentence.text, " (");
    }
    text_add_hexadecimal(&sentence.text, handle);
    if (name[0] != '\0')
        text_add(&sentence.text, ")");
    return sentence;
}

void sentence_add(struct sentence *sentence, const char *fact)
{
    text_add(&sentence->text, sentence->has_facts ? ", " : ": ");
    text_add(&sentence->text, fact);
    sentence->has_facts = true;
}

void sentence_add_number(struct sentence *sentence, const char *before, uint64_t number, const char *after)
{
    sentence_add(sentence, before);
    text_add_decimal(&sentence->text, number);
    text_add(&sentence->text, after);
}

void sentence_add_hexadecimal(struct sentence *sentence, const char *before, uint64_t number, const char *after)
{
    sentence_add(sentence, before);
    text_add_hexadecimal(&sentence->text, number);
    text_add(&sentence->text, after);
}

void summary_say_rank(struct sentence *sentence, int32_t rank, int32_t size)
{
    if (rank < 0 || size < 0)
        return;
    sentence_add_number(sentence, "rank ", (uint64_t)rank, " of ");
    text_add_decimal(&sentence->text, (uint64_t)size);
}

void summary_say_user_function(struct sentence *sentence, uint64_t address)
{
    if (address == 0)
        return;
    sentence_add(sentence, "user function ");
    const char *before = sentence->text.next;
    text_add_hexadecimal(&sentence->text, address);
    sentence->user_function = address;
    sentence->function_offset = (size_t)(before - sentence->begin);
    sentence->function_bytes = (size_t)(sentence->text.next - before);
}

void summary_say_attachable(struct sentence *sentence, uint32_t attachable)
{
    const char *phrase = mpilens_attachable_phrase(attachable);
    if (phrase == NULL)
        return;
    sentence_add(sentence, "for ");
    text_add(&sentence->text, phrase);
}

void summary_say_communicator(struct sentence *sentence, const struct reading *reading, const char *before,
                              uint64_t address)
{
    const struct mpilens_communicator *communicator = snapshot_communicator(&reading->snapshot, address);
    if (communicator == NULL)
        return;
    sentence_add(sentence, before);
    text_add_communicator(&sentence->text, reading, communicator);
}

static void add_cartesian(struct text *text, int32_t dimensions, const int32_t *values)
{
    if (values == NULL || dimensions <= 0) {
        text_add(text, "cartesian of ");
        text_add_signed(text, dimensions);
        text_add(text, " dimensions");
        return;
    }
    const int32_t *periods = values + dimensions;
    int32_t periodic = 0;
    text_add(text, "cartesian ");
    for (int32_t i = 0; i < dimensions; i++) {
        text_add(text, i > 0 ? " x " : "");
        text_add_signed(text, values[i]);
        periodic += periods[i] != 0;
    }
    if (periodic == 0) {
        text_add(text, ", not periodic");
        return;
    }
    text_add(text, periodic == 1 ? ", periodic in dimension" : ", periodic in dimensions");
    for (int32_t i = 0, said = 0; i < dimensions; i++) {
        if (periods[i] == 0)
            continue;
        text_add(text, said == 0 ? " " : said == periodic - 1 ? " and " : ", ");
        text_add_signed(text, i);
        said++;
    }
}

static void add_counted(struct text *text, int32_t count, const char *one, const char *several)
{
    text_add_signed(text, count);
    text_add(text, count == 1 ? one : several);
}

void summary_add_topology(struct text *text, const struct mpilens_topology *topology, const int32_t *values)
{
    const int32_t first = topology->first_count > 0 ? topology->first_count : 0;
    const int32_t second = topology->second_count > 0 ? topology->second_count : 0;
    switch (topology->kind) {
    case MPILENS_TOPOLOGY_CARTESIAN:
        add_cartesian(text, first, values);
        break;
    case MPILENS_TOPOLOGY_GRAPH:
        text_add(text, "graph of ");
        add_counted(text, first, " node", " nodes");
        break;
    case MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH:
        text_add(text, "distributed graph with ");
        add_counted(text, first, " source and ", " sources and ");
        add_counted(text, second, " destination", " destinations");
        break;
    default:
        break;
    }
}

/* If there are many dimensions, says only how many. */
static void say_topology(struct sentence *sentence, const struct mpilens_topology *topology)
{
    const uint32_t shorts = sizeof topology->short_values / sizeof topology->short_values[0];
    const bool is_short =
        topology->value_count > 0 && topology->value_count <= shorts && topology->first_count <= (int32_t)(shorts / 3);
    if (topology->kind == MPILENS_TOPOLOGY_NONE || topology->kind > MPILENS_TOPOLOGY_DISTRIBUTED_GRAPH)
        return;
    sentence_add(sentence, "");
    summary_add_topology(&sentence->text, topology, is_short ? topology->short_values : NULL);
}

void summary_say_communicator_facts(struct sentence *sentence, const struct mpilens_communicator *communicator)
{
    summary_say_rank(sentence, communicator->rank, communicator->size);
    if (communicator->flags & MPILENS_COMMUNICATOR_INTER) {
        sentence_add_number(sentence, "intercommunicator to ", (uint32_t)communicator->remote_size,
                            communicator->remote_size == 1 ? " process" : " processes");
    } else {
        sentence_add(sentence, "intracommunicator");
    }
    say_topology(sentence, &communicator->topology[0]);
    if (communicator->flags & MPILENS_COMMUNICATOR_PENDING)
        sentence_add(sentence, "not complete yet");
}

static void say_epoch(struct sentence *sentence, const char *side, uint32_t epoch)
{
    const char *phrase = mpilens_epoch_phrase(epoch);
    if (epoch == MPILENS_EPOCH_NONE || phrase == NULL)
        return;
    sentence_add(sentence, side);
    text_add(&sentence->text, phrase);
}

void summary_say_window_facts(struct sentence *sentence, const struct reading *reading,
                              const struct mpilens_window *window)
{
    if (window->flavor == MPILENS_WINDOW_DYNAMIC)
        sentence_add(sentence, mpilens_window_flavor_phrase(MPILENS_WINDOW_DYNAMIC));
    else
        sentence_add_number(sentence, "", window->bytes, window->bytes == 1 ? " byte" : " bytes");
    if (window->base != 0) {
        text_add(&sentence->text, " at ");
        text_add_hexadecimal(&sentence->text, window->base);
    }
    summary_say_communicator(sentence, reading, "over ", window->communicator);
    say_epoch(sentence, "access epoch ", window->access_epoch);
    say_epoch(sentence, "exposure epoch ", window->exposure_epoch);
    if (window->lock_count > 0)
        sentence_add_number(sentence, "holds ", window->lock_count, window->lock_count == 1 ? " lock" : " locks");
}

void summary_say_file_facts(struct sentence *sentence, const struct reading *reading, const struct mpilens_file *file)
{
    static const uint32_t accesses[] = {MPILENS_FILE_READ_ONLY, MPILENS_FILE_WRITE_ONLY, MPILENS_FILE_READ_WRITE};
    for (size_t i = 0; i < sizeof accesses / sizeof accesses[0]; i++)
        if (file->mode & accesses[i])
            sentence_add(sentence, mpilens_file_mode_phrase(accesses[i]));
    summary_say_communicator(sentence, reading, "over ", file->communicator);
    const char *split = function_table_get(&reading->functions, file->split_collective)->name;
    if (split[0] != '\0') {
        sentence_add(sentence, "in ");
        text_add(&sentence->text, split);
    }
}
