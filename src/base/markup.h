/* markup.h - text of strangers inside of Markdown, HTML and XML.
 *
 * All of it goes through escape.h first. What is written is shown as it was:
 * nothing in it becomes markup, a link, a mention of somebody or a reference to
 * an issue, on the sites where such text is read (GitHub, GitLab and others
 * that know GitHub's dialect). */
#ifndef BASE_MARKUP_H
#define BASE_MARKUP_H

#include "base/buf.h"

/* Appends text for a paragraph, a list item or a cell of a table in Markdown.
 * Line ends become blanks. */
void markdown_add(struct buf *out, struct str text);

/* Appends text as code in a line. A cell of a table is ended by a "|" even in
 * code, so that one has to be told. Nothing for an empty text. */
void markdown_add_code(struct buf *out, struct str text, bool in_table);

/* Appends an address as a link, or as text when it is not one of http. */
void markdown_add_link(struct buf *out, struct str address);

/* Appends lines as a block of code behind a fence that none of them ends. They
 * have been escaped before. */
void markdown_add_block(struct buf *out, struct str lines);

/* Appends text for HTML or XML, inside of an element or of an attribute in
 * double quotes. Line ends become blanks. */
void markup_add(struct buf *out, struct str text);

/* The same for an element, of lines that were escaped before. */
void markup_add_lines(struct buf *out, struct str lines);

#endif
