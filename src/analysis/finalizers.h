/* finalizers.h - which goroutine runs the finalizers of the process.
 *
 * One goroutine of the runtime calls all finalizers and, from Go 1.24 on, the
 * cleanups. debug=0 and debug=1, and debug=2 of Go 1.25, show the runtime's
 * function below what it calls: runfinq, runFinalizers or runCleanups. debug=2
 * of Go before 1.25 hides it, together with who created the goroutine: such a
 * stack ends in a function of the user, and no line "created by" follows. The
 * same holds for the main goroutine and for callbacks from C only. */
#ifndef ANALYSIS_FINALIZERS_H
#define ANALYSIS_FINALIZERS_H

struct analysis;

/* Tells every joined group of it (joined_group.finalizer). */
void finalizers_find(struct analysis *analysis);

#endif
