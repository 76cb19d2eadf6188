/* newest_first.h - logs that list their newest line first. */
#ifndef READ_NEWEST_FIRST_H
#define READ_NEWEST_FIRST_H

#include "input/lines.h"

/* Whether the first goroutine or record within LINES_WINDOW bytes stands upside
 * down: its header behind its calls, and no call behind the header; its
 * addresses behind its frames. In a dump as Go prints it (runtime/traceback.go)
 * a call follows each header, and what stands before it, if anything, is the
 * place of another goroutine's creator; and a record's frames follow its
 * addresses (runtime/pprof/pprof.go: printCountProfile). Texts only: a label in
 * a profile of another form may hold anything. Slices taken before are void. */
bool is_newest_first(struct lines *lines);

#endif
