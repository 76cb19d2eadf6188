#include "unwrap/wrapping.h"

/* Those that stand around others come first, and those that accept the most
 * come last. */
const struct wrapping *const wrappings[] = {
    &ansi_wrapping,       &html_wrapping,    &cri_wrapping,
    &compose_wrapping,    &rfc5424_wrapping, &syslog_wrapping,
    &kubernetes_wrapping, &stern_wrapping,   &labels_wrapping,
    &timestamp_wrapping,  &tag_wrapping,     &host_wrapping,
    &journal_wrapping,    &csv_wrapping,     &csv_cell_wrapping,
    &strings_wrapping,    &quoted_wrapping,  &octal_wrapping,
    &escaped_wrapping,    &goleak_wrapping,  &learned_wrapping,
    &blanks_wrapping,     &glued_wrapping,
};

const size_t n_wrappings = sizeof(wrappings) / sizeof(wrappings[0]);

bool wrapping_learn_prefix(const struct wrapping *wrapping, struct str line,
                           struct begin begin)
{
    struct shape shape = {.wrapping = wrapping};
    struct piece piece = {0};

    return wrapping->strip(&shape, line, NULL, &piece) &&
           begin.at >= (size_t)(piece.text.ptr - line.ptr);
}
