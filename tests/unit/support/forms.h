/* forms.h - the other forms of a dump of stacks, as the runtime writes them.
 *
 * debug=2 names the state of a goroutine. debug=1 leaves it out, with ages, ids
 * and creators, and hides leading frames of the runtime behind their addresses,
 * which are those of a program built by Go 1.24. debug=0 has these frames by
 * name. Goroutines of a leak profile are written as such a
 * profile. */
#ifndef SUPPORT_FORMS_H
#define SUPPORT_FORMS_H

#include "base/buf.h"
#include "model/snapshot.h"

typedef void form_fn(struct buf *out, const struct snapshot *snapshot);

/* Appends the goroutines of a snapshot as debug=1 or debug=0 (not packed). A
 * server's listener is added: it shows which address parks goroutines, and no
 * process that can be asked lacks it. */
form_fn form_debug1;
form_fn form_debug0;

#endif
