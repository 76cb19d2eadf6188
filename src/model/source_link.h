/* source_link.h - where the source of a frame can be looked at.
 *
 * A template is an address with placeholders. A dump is written by strangers,
 * so that everything put into one is percent-encoded, and only schemes that
 * show text are taken: a link can open a page or an editor, and run nothing. */
#ifndef MODEL_SOURCE_LINK_H
#define MODEL_SOURCE_LINK_H

#include "base/buf.h"

/* Appends the template that a value of --source-link stands for: itself, or
 * what a short form means ("github:org/repo@ref", "gitlab:group/repo@ref",
 * "vscode", "cursor", "idea", "zed"). Returns NULL, or what is wrong with it,
 * for people, with nothing appended. */
const char *source_link_expand(struct buf *out, struct str value);

/* A place in a source. */
struct source_line {
    struct str function;
    struct str file; /* as the dump has it; empty = unknown */
    struct str path; /* the same below the root of its repository; empty = not
                        known, or not in it */
    uint32_t line;   /* 0 = unknown, which links to the first */
};

/* Appends the address of a place. Placeholders of template, which comes from
 * source_link_expand, are
 *     {file}         the whole path
 *     {path:MODULE}  the path below the root of that Go module: the one that is
 *                    known, or by the function's package, or by the part of the
 *                    file behind a folder named as the module's last element
 *     {line}, {function}, {package}
 * Returns false, with nothing appended, when one of them is not known: the
 * place has no file, or is not in that module. */
bool source_link_add(struct buf *out, struct str template,
                     const struct source_line *source);

#endif
