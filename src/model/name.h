/* name.h - Go function names: their canonical form and their parts.
 *
 * The canonical form is the same for every format and build: the path up to
 * and including "/vendor/" is cut, as is a leading "vendor/" (GOPATH and
 * standard library vendoring); %xx escapes of the import path are decoded
 * (cmd/internal/objabi/path.go: PathToPrefix); each outermost "[...]" group of
 * type arguments becomes "[...]" (debug=0 since Go 1.21 prints full shapes).
 * What tells closures and methods apart is kept as printed. */
#ifndef MODEL_NAME_H
#define MODEL_NAME_H

#include "base/buf.h"

/* Appends the canonical form of a printed function name. Names that cannot be
 * Go's (no package, unbalanced brackets) are appended as they are. */
void name_canonical_add(struct buf *buf, struct str printed);

/* The import path of a canonical name: up to the first '.' after the last '/'
 * outside brackets; "main" of "main.(*T).Do". Empty when it has no package
 * ("crosscall2", "panic"). */
struct str name_package(struct str name);

/* What stands behind the package and its dot: "(*T).Do". */
struct str name_symbol(struct str name);

/* Whether the package is part of Go's standard library (or the runtime), by
 * its first path element: user modules have a dot there, or a name that Go
 * does not use. "main" is not. */
bool name_is_std(struct str name);

/* Whether a file is of a module that somebody else wrote, by its path: of the
 * cache of modules, of a version, as -trimpath prints it, or vendored. Other
 * paths tell nothing. */
bool file_is_foreign(struct str path);

/* Whether the function is the runtime's own: packages runtime,
 * internal/runtime/..., and the names without a package that assembly and cgo
 * leave on stacks ("panic", "crosscall2"). runtime/pprof, runtime/debug and
 * runtime/trace are not. */
bool name_is_runtime(struct str name);

/* Whether a function is what every goroutine begins with: runtime.goexit, and
 * runtime.main below main.main (runtime/proc.go, runtime/asm_*.s). Dumps print
 * it or leave it out as they like. */
bool name_is_entry(struct str name);

/* Whether debug=1, debug=0 and debug=2 disagree about showing the frame, so
 * that signatures leave it out: the runtime's frames, and wrappers that only
 * forward (gowrapN, deferwrapN, ...-fm, dwrap). */
bool name_is_unstable(struct str name);

#endif
