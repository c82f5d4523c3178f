/* SPDX-License-Identifier: BSD-3-Clause
 *
 * From the model to rows of requests.
 */
#include "render/text/render_text.h"

#include "model/model.h"
#include "words/words.h"

void visit_request_rows(const struct process *process, const struct communicator_labels *labels, bool all,
                        request_row_visit *visit, void *context)
{
    for (size_t i = 0; i < process->request_count; i++) {
        const struct operation *request = &process->requests[i];
        if (!operation_is_active(request) && !all)
            continue;
        const uint64_t id = request->details->communicator_id;
        const struct request_row row = {.request = request,
                                        .communicator = find_communicator(process, id),
                                        .label = id != 0 ? find_label(labels, id) : "",
                                        .name = describe_class(operation_class(request)),
                                        .status = describe_request_status(request),
                                        .place = describe_request_place(process, request, labels),
                                        .site = describe_site(request->details->site)};
        visit(context, &row);
    }
}
