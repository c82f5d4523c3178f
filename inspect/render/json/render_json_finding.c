/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Findings in JSON: FINDING of the schema mpilens/1.
 */
#include "render/json/render_json_internal.h"

#include "render/json/json_values.h"

static json_t *json_ranks(const struct ranks *ranks)
{
    json_t *list = json_array();
    for (size_t i = 0; i < ranks->count; i++)
        json_array_append_new(list, json_integer(ranks->items[i]));
    return list;
}

static json_t *json_evidence(const struct finding *finding)
{
    json_t *list = json_array();
    for (size_t i = 0; i < finding->evidence.count; i++) {
        const struct evidence *evidence = &finding->evidence.items[i];
        json_array_append_new(
            list, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                            evidence->ranks.count > 0 ? json_integer(evidence->ranks.items[0]) : json_null(), "serial",
                            evidence->serial != 0 ? json_integer((json_int_t)evidence->serial) : json_null(), "ranks",
                            json_ranks(&evidence->ranks), "text", json_any_text(evidence->text), "site",
                            evidence->site[0] != '\0' ? json_text(evidence->site) : json_null(), "age_s",
                            evidence->age_s >= 0 ? json_real(evidence->age_s) : json_null()));
    }
    return list;
}

static json_t *json_pids(const struct job *job, const struct finding *finding)
{
    json_t *list = json_array();
    for (size_t i = 0; i < finding->culprits.count; i++) {
        const struct process *process = find_process(job, finding->culprits.items[i]);
        json_array_append_new(list, process != NULL && process->pid > 0 ? json_integer(process->pid) : json_null());
    }
    return list;
}

static json_t *json_finding(const struct job *job, const struct finding *finding)
{
    return json_pack(
        "{s:s, s:o, s:o, s:o, s:b, s:o, s:o, s:o}", "kind", finding_kind_name(finding->kind), "ranks",
        json_ranks(&finding->ranks), "culprits", json_ranks(&finding->culprits), "culprit_pids",
        json_pids(job, finding), "confirmed", finding->confirmed, "message", json_any_text(finding->message), "remedy",
        finding->remedy != NULL ? json_text(finding->remedy) : json_null(), "evidence", json_evidence(finding));
}

void json_write_findings(struct json_stream *stream, const struct job *job, const struct findings *findings)
{
    json_stream_open_array(stream, "findings");
    for (size_t i = 0; i < findings->count; i++)
        json_stream_add(stream, NULL, json_finding(job, &findings->items[i]));
    json_stream_close(stream);
}
